// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream: a CUDA stream with the commands that were given to it and are not finished, in the order in which it runs them.
#ifndef UPSWEEP_TARGETS_CUDA_STREAM_H
#define UPSWEEP_TARGETS_CUDA_STREAM_H

#include "runtime/commands/command.h"
#include "targets/cuda/marks.h"
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

namespace upsweep {

/// A command in a stream.
struct Issued {
  Ref<Command> command;
  cl_int status = CL_COMPLETE;  ///< an error: the body does not run, or not whole
  AfterStream after;
  GpuClock::Base clock;  ///< of profiled commands, which have both marks
  Ref<Mark> begin;
  Ref<Mark> end;  ///< null: a later command's tells
  bool is_started = false;
};

class Stream {
public:
  /// Commands are numbered from 1 as they come.
  using Number = uint64_t;

  Stream(Marks &marks, uint64_t index) : marks_(marks), index_(index) {}
  /// CL_OUT_OF_RESOURCES. Before anything else.
  [[nodiscard]] bool create();
  uint64_t index() const { return index_; }
  /// Whether the stream comes to its end within a short while.
  bool ends_soon() const { return upsweep::ends_soon(marks_.gpu(), handle_); }

  /// A thread's turn to give one command to the stream: the only way to do so. Until push() no other thread gives work to the
  /// stream, so that the commands are listed in the stream's order. Otherwise the end of a command that is listed late would
  /// also count as the end of those listed before it, which the stream has yet to run.
  class IssuePoint {
  public:
    CUstream handle() const { return stream_->handle_; }
    Stream &stream() const { return *stream_; }
    /// Lists the command that the stream has just been given, which ends the turn. Its place was reserved when the turn began.
    Number push(Issued item) noexcept;

  private:
    friend class Stream;
    IssuePoint(Stream &stream, std::unique_lock<std::mutex> turn);
    Stream *stream_;
    std::unique_lock<std::mutex> turn_;
  };
  /// Waits for its turn; it may take as long as the CUDA driver keeps a thread with a copy. std::bad_alloc.
  IssuePoint issue_point() { return {*this, std::unique_lock(issue_mutex_)}; }
  /// Nothing when another thread has the turn.
  std::optional<IssuePoint> try_issue_point();

  /// The number of the newest command; 0 when all are finished.
  Number newest() const;

  /// A point in the stream behind a command, and perhaps behind others that came after it.
  struct Behind {
    Ref<Mark> mark;  ///< null when the command is finished, or being finished
    Number last;     ///< the newest command that the point is behind
  };
  /// The GPU's context is the calling thread's.
  Behind mark_behind(Number number);

  /// Whether a command is the newest, and has no mark of its own.
  bool is_unmarked_end(Number number) const;
  /// The oldest mark of a command whose number is a multiple of `step`; null when there is none.
  Behind oldest_mark(Number step) const;

  /// Takes the oldest command out if its number is `last` at most: the stream has passed it.
  std::optional<Issued> pop(Number last);

  /// Sleeps until there is a command and returns the number of the oldest, once it has been there for a while or hasten() was
  /// called: a thread that waits for a command finishes it sooner, and should not be disturbed.
  Number wait_for_oldest();
  void hasten();
  /// The oldest command, if it is this one, can be running and nobody has got it here before; else null.
  Ref<Command> start(Number number);

private:
  size_t count_locked() const { return items_.size() - taken_; }
  Number end_locked() const { return first_ + count_locked(); }
  Issued &item_locked(Number number) { return items_[taken_ + (number - first_)]; }
  const Issued &item_locked(Number number) const { return items_[taken_ + (number - first_)]; }
  bool is_empty_locked() const { return count_locked() == 0; }

  Marks &marks_;
  CUstream handle_ = nullptr;
  const uint64_t index_;
  std::mutex issue_mutex_;    ///< held by the thread whose turn it is to give work to the stream; taken before mutex_
  mutable std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  bool is_awaited_ = false;  ///< wait_for_oldest() wants to know of a first command
  bool is_urgent_ = false;
  /// The first ones are taken out already, and stay until all are, or they are most: in a row of commands no memory is
  /// allocated then.
  std::vector<Issued> items_;
  size_t taken_ = 0;
  Number first_ = 1;  ///< of the first that is not taken
};

}  // namespace upsweep
#endif
