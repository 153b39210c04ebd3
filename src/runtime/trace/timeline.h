// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPSWEEP_TRACE: the records as a file of Chrome's Trace Event Format, an array of JSON that Perfetto opens. Several processes
// may add to one file; they lock it as shared. Each writes whole lines, so the file without its last line is valid at any time.
#ifndef UPSWEEP_RUNTIME_TRACE_TIMELINE_H
#define UPSWEEP_RUNTIME_TRACE_TIMELINE_H

#include "runtime/trace/record.h"
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace upsweep {

class Timeline {
public:
  /// Without a path it writes nothing.
  explicit Timeline(const std::string &path);

  /// Records of a thread other than commands; dependencies before the commands that have them.
  void add(const TraceRecord &record, uint32_t thread, const std::string &name);
  /// Commands, as nearly as possible in the order of their ends.
  void add(const TraceCommand &command);
  /// Appends the lines to the file.
  void write();
  /// Ends the array unless another process adds to the file.
  void close();
  /// In a child of fork().
  void begin_anew();

private:
  /// Where a command is shown, for the arrows of its dependents.
  struct Shown {
    uint64_t track = 0;
    TraceInterval time;
  };
  /// The commands of a queue whose times overlap are on several tracks.
  struct QueueTracks {
    std::vector<uint64_t> tracks;
    std::vector<uint64_t> last_end_ns;
  };

  void open();
  void name_process(uint64_t process, std::string_view name, int order);
  void name_track(uint64_t process, uint64_t track, std::string_view name);
  void know_thread(uint32_t thread, const std::string &name);
  uint64_t track_of(const TraceCommand &command);
  void add_slice(std::string_view name, std::string_view category, uint64_t process, uint64_t track, const TraceInterval &time,
                 const std::string &arguments);
  void add_arrows(const TraceCommand &command, const Shown &to);
  uint64_t queues_process() const;

  const std::string path_;
  int file_ = -1;
  uint64_t process_ = 0;
  std::string lines_;
  std::unordered_map<uint32_t, std::string> threads_;
  std::unordered_map<uint32_t, QueueTracks> queues_;
  uint64_t num_tracks_ = 0;
  uint64_t num_arrows_ = 0;
  std::multimap<uint64_t, uint64_t> dependencies_;  ///< from a command's number to the numbers of its wait list
  std::unordered_map<uint64_t, Shown> shown_;
  std::deque<uint64_t> shown_order_;
};

}  // namespace upsweep
#endif
