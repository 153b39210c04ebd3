// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream: a CUDA stream with its unfinished commands, in the order in which it runs them.
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
  cl_int status = CL_COMPLETE;  ///< an error: the body does not run, or runs only partly
  AfterStream after;
  GpuClock::Base clock;    ///< of profiled commands, which have both marks
  uint64_t issued_ns = 0;  ///< of profiled commands: the host's time before the stream received them
  Ref<Mark> begin;
  Ref<Mark> end;  ///< null: a later command's mark covers it
  bool is_started = false;
};

class Stream {
public:
  /// Commands are numbered from 1 in the order of arrival.
  using Number = uint64_t;

  Stream(Marks &marks, uint64_t index) : marks_(marks), index_(index) {}
  /// CL_OUT_OF_RESOURCES. Call it before all other functions.
  [[nodiscard]] bool create();
  uint64_t index() const { return index_; }
  /// Whether the stream completes its work within a short while.
  bool ends_soon() const { return upsweep::ends_soon(marks_.gpu(), handle_); }

  /// A thread's turn to pass one command to the stream, and the only way to do so. Until push(), no other thread passes work to
  /// the stream, so the list has the stream's order. Otherwise, the end of a command that is listed late would also mark
  /// commands as ended that are listed before it but that the stream has yet to run.
  class IssuePoint {
  public:
    CUstream handle() const { return stream_->handle_; }
    Stream &stream() const { return *stream_; }
    /// Lists the command that the stream has just received, and ends the turn. Its space was reserved when the turn began.
    Number push(Issued item) noexcept;

  private:
    friend class Stream;
    IssuePoint(Stream &stream, std::unique_lock<std::mutex> turn);
    Stream *stream_;
    std::unique_lock<std::mutex> turn_;
  };
  /// Waits for the thread's turn; this may take as long as a copy that blocks a thread in the CUDA driver. Throws
  /// std::bad_alloc.
  IssuePoint issue_point() { return {*this, std::unique_lock(issue_mutex_)}; }
  /// Empty if another thread has the turn.
  std::optional<IssuePoint> try_issue_point();

  /// The number of the newest command; 0 when all are finished.
  Number newest() const;

  /// A point in the stream after a command, and perhaps after later commands.
  struct Behind {
    Ref<Mark> mark;  ///< null if the command is finished or being finished
    Number last;     ///< the newest command before the point
  };
  /// The GPU's context must be the calling thread's.
  Behind mark_behind(Number number);

  /// Whether the command is the newest and has no mark.
  bool is_unmarked_end(Number number) const;
  /// The oldest mark of a command whose number is a multiple of `step`; its mark is null if there is none.
  Behind oldest_mark(Number step) const;

  /// Removes the oldest command, which the stream has passed, if its number is at most `last`.
  std::optional<Issued> pop(Number last);

  /// Sleeps until there is a command. Returns the oldest command's number after it has been listed for a while or
  /// request_completion() was called. A thread that waits for the command finishes it sooner, and should not be disturbed.
  Number wait_for_oldest();
  void request_completion();
  /// The oldest command if it has this number, may be running and was not returned before; else null.
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
  std::mutex issue_mutex_;    ///< held by the thread whose turn it is; taken before mutex_
  mutable std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  bool is_awaited_ = false;  ///< wait_for_oldest() waits for a first command
  bool is_urgent_ = false;
  /// The first elements may already be removed. They stay until all elements or most of them are removed, so that a sequence of
  /// commands does not allocate.
  std::vector<Issued> items_;
  size_t taken_ = 0;
  Number first_ = 1;  ///< number of the first element that is not removed
};

}  // namespace upsweep
#endif
