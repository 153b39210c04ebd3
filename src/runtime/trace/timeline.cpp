// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the timeline's lines.
#include "runtime/trace/timeline.h"
#include "base/json_string.h"
#include "base/log.h"
#include "runtime/commands/command_names.h"
#include "runtime/trace/trace.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace upsweep {
namespace {

/// Numbers of processes and threads are at most 2^22. The queues of a process are the threads of a process that does not exist.
constexpr uint64_t kQueuesProcess = uint64_t{1} << 23;
/// Commands whose place is kept for arrows to later commands.
constexpr size_t kMostShown = 1 << 16;

/// Microseconds with a fraction. Each line of a trace has several of these texts.
std::string us_text(uint64_t ns) {
  char text[32];
  char *end = std::to_chars(text, text + 24, ns / 1000).ptr;
  const auto rest = static_cast<unsigned>(ns % 1000);
  *end++ = '.';
  *end++ = static_cast<char>('0' + rest / 100);
  *end++ = static_cast<char>('0' + rest / 10 % 10);
  *end++ = static_cast<char>('0' + rest % 10);
  return {text, end};
}

std::string json_sizes(const std::array<uint64_t, 3> &values) {
  return "[" + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," + std::to_string(values[2]) + "]";
}

std::string json_arguments(const TraceCommand &command) {
  std::string text = "\"command\":" + std::to_string(command.id) + ",\"queue\":" + std::to_string(command.queue);
  if (command.kernel) text += ",\"global\":" + json_sizes(command.global) + ",\"local\":" + json_sizes(command.local);
  if (command.bytes)
    text += std::string(",\"") + (command.kernel ? "buffer_bytes" : "bytes") + "\":" + std::to_string(command.bytes);
  text += ",\"queued_us\":" + us_text(command.queued_ns);
  if (command.ready_ns) text += ",\"ready_us\":" + us_text(command.ready_ns);
  if (command.status < 0) text += ",\"error\":" + std::to_string(command.status);
  return text;
}

}  // namespace

Timeline::Timeline(const std::string &path) : path_(path) {
  if (path_.empty()) return;
  open();
  // The last process of an earlier run may have left the file. Another process that adds to it has it locked.
  if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) == 0 && ::ftruncate(file_, 0) == 0) lines_ = "[\n";
  if (file_ >= 0) ::flock(file_, LOCK_SH);
  write();
}

void Timeline::open() {
  process_ = static_cast<uint64_t>(::getpid());
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) return log_line("UPSWEEP_TRACE", "cannot write '" + path_ + "': " + std::strerror(errno));
  ::flock(file_, LOCK_SH | LOCK_NB);
}

void Timeline::begin_anew() {
  lines_.clear();
  threads_.clear();
  queues_.clear();
  dependencies_.clear();
  shown_.clear();
  shown_order_.clear();
  num_tracks_ = 0;
  if (file_ < 0) return;
  // The parent's file has the parent's lock.
  ::close(std::exchange(file_, -1));
  open();
}

uint64_t Timeline::queues_process() const { return kQueuesProcess + process_; }

void Timeline::name_process(uint64_t process, std::string_view name, int order) {
  const std::string common = ",\"pid\":" + std::to_string(process) + ",\"args\":{";
  lines_ += R"({"ph":"M","name":"process_name")" + common + "\"name\":" + json_string(name) + "}},\n";
  lines_ += R"({"ph":"M","name":"process_sort_index")" + common + "\"sort_index\":" + std::to_string(order) + "}},\n";
}

void Timeline::name_track(uint64_t process, uint64_t track, std::string_view name) {
  lines_ += R"({"ph":"M","name":"thread_name","pid":)" + std::to_string(process) + ",\"tid\":" + std::to_string(track) +
            ",\"args\":{\"name\":" + json_string(name) + "}},\n";
}

void Timeline::know_thread(uint32_t thread, const std::string &name) {
  if (threads_.empty()) name_process(process_, std::string(program_invocation_short_name), 1);
  std::string &known = threads_[thread];
  if (!known.empty() && known == name) return;
  known = name;
  name_track(process_, thread, name);
}

void Timeline::add_slice(std::string_view name, std::string_view category, uint64_t process, uint64_t track,
                         const TraceInterval &time, const std::string &arguments) {
  lines_ += "{\"ph\":\"X\",\"name\":" + json_string(name) + ",\"cat\":\"";
  lines_ += category;
  lines_ += "\",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(track) +
            ",\"ts\":" + us_text(time.begin_ns) + ",\"dur\":" + us_text(time.ns()) + ",\"args\":{" + arguments + "}},\n";
}

void Timeline::add(const TraceRecord &record, uint32_t thread, const std::string &name) {
  if (file_ < 0) return;
  if (record.kind == TraceKind::kDependency) {
    dependencies_.emplace(record.dependency.to, record.dependency.from);
    return;
  }
  know_thread(thread, name);
  switch (record.kind) {
  case TraceKind::kWork: {
    const TraceWork &work = record.work;
    std::string arguments = "\"command\":" + std::to_string(work.command);
    if (work.groups) arguments += ",\"work_groups\":" + std::to_string(work.groups);
    return add_slice(work.name, "work", process_, thread, work.time, arguments);
  }
  case TraceKind::kWait: return add_slice(record.wait.call, "wait", process_, thread, record.wait.time, "");
  case TraceKind::kBuild: {
    const TraceBuild &build = record.build;
    return add_slice(build.call, "build", process_, thread, build.time,
                     "\"device\":" + json_string(build.device) + ",\"from_cache\":" + (build.from_cache ? "true" : "false") +
                         ",\"failed\":" + (build.has_failed ? "true" : "false"));
  }
  case TraceKind::kMemory:
    lines_ += R"({"ph":"C","name":"memory in use","pid":)" + std::to_string(process_) +
              ",\"ts\":" + us_text(record.memory.at_ns) + ",\"args\":{\"bytes\":" + std::to_string(record.memory.bytes) +
              "}},\n";
    return;
  case TraceKind::kCommand:
  case TraceKind::kDependency: return;
  }
}

uint64_t Timeline::track_of(const TraceCommand &command) {
  if (queues_.empty()) name_process(queues_process(), "queues of " + std::string(program_invocation_short_name), 0);
  QueueTracks &of_queue = queues_[command.queue];
  const auto free = std::ranges::find_if(of_queue.last_end_ns, [&](uint64_t end) { return end <= command.run.begin_ns; });
  const auto index = static_cast<size_t>(free - of_queue.last_end_ns.begin());
  if (free == of_queue.last_end_ns.end()) {
    of_queue.tracks.push_back(queues_process() + ++num_tracks_);
    of_queue.last_end_ns.push_back(0);
    name_track(queues_process(), of_queue.tracks.back(), "queue " + std::to_string(command.queue) + " on " + command.device);
  }
  of_queue.last_end_ns[index] = command.run.end_ns;
  return of_queue.tracks[index];
}

void Timeline::add(const TraceCommand &command) {
  if (file_ < 0) return;
  if (command.run.begin_ns == 0) {
    dependencies_.erase(command.id);
    return;
  }
  const Shown to{track_of(command), command.run};
  const char *category = command.kernel ? "kernel" : command.has_work ? "transfer" : "order";
  add_slice(command.kernel ? command.kernel : name_of_command(command.type), category, queues_process(), to.track, to.time,
            json_arguments(command));
  add_arrows(command, to);
  shown_.emplace(command.id, to);
  shown_order_.push_back(command.id);
  if (shown_order_.size() <= kMostShown) return;
  shown_.erase(shown_order_.front());
  shown_order_.pop_front();
}

/// Arrows from the ends of the commands of the wait list.
void Timeline::add_arrows(const TraceCommand &command, const Shown &to) {
  const auto [first, last] = dependencies_.equal_range(command.id);
  for (auto dependency = first; dependency != last; ++dependency) {
    const auto from = shown_.find(dependency->second);
    if (from == shown_.end()) continue;
    const auto &[track, time] = from->second;
    const auto end = [&](const char *phase, uint64_t of_track, uint64_t at) {
      lines_ += std::string("{\"ph\":\"") + phase + R"(","name":"waits for","cat":"order","id":)" +
                std::to_string(process_ << 32 | num_arrows_) + ",\"pid\":" + std::to_string(queues_process()) +
                ",\"tid\":" + std::to_string(of_track) + ",\"ts\":" + us_text(at) + "},\n";
    };
    ++num_arrows_;
    end("s", track, std::max(time.begin_ns, time.end_ns - 1));  // inside the slice, which does not include its end
    end("f\",\"bp\":\"e", to.track, to.time.begin_ns);
  }
  dependencies_.erase(first, last);
}

void Timeline::write() {
  std::string_view left = lines_;
  while (file_ >= 0 && !left.empty()) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      log_line("UPSWEEP_TRACE", "cannot write '" + path_ + "': " + std::strerror(errno));
      ::close(std::exchange(file_, -1));
      break;
    }
    left.remove_prefix(static_cast<size_t>(written));
  }
  lines_.clear();
}

void Timeline::close() {
  if (file_ < 0) return;
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) {
    lines_ = R"({"ph":"M","name":"trace_end","pid":)" + std::to_string(process_) + ",\"args\":{}}\n]\n";
    write();
  }
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

}  // namespace upsweep
