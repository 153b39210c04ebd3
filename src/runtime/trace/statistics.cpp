// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, and their file.
#include "runtime/trace/statistics.h"
#include "base/json_string.h"
#include "runtime/commands/command_names.h"
#include "runtime/trace/trace.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace upsweep {
namespace {

constexpr const char *kGapTexts[] = {
#define UPSWEEP_GAP(name, text) text,
    UPSWEEP_GAPS(UPSWEEP_GAP)
#undef UPSWEEP_GAP
};
static_assert(std::size(kGapTexts) == kGaps);

/// Gaps that a later command with an earlier start may still cover.
constexpr size_t kRecentGaps = 4096;

std::string json_field(const char *name, uint64_t value) { return ",\"" + std::string(name) + "\":" + std::to_string(value); }

std::string json_key(const std::pair<const char *, const char *> &key) {
  return "{\"name\":" + json_string(key.first) + ",\"device\":" + json_string(key.second);
}

/// The objects with commas between them, as an array.
std::string json_array(const char *name, const std::string &objects) {
  return ",\n\"" + std::string(name) + "\":[" + objects + "]";
}

void append_object(std::string &objects, const std::string &object) { objects += (objects.empty() ? "\n" : ",\n") + object; }

}  // namespace

void Statistics::Times::add(uint64_t ns) {
  ++count;
  total_ns += ns;
  least_ns = std::min(least_ns, ns);
  largest_ns = std::max(largest_ns, ns);
}

std::string Statistics::Times::json() const {
  return json_field("count", count) + json_field("total_ns", total_ns) + json_field("least_ns", count ? least_ns : 0) +
         json_field("largest_ns", largest_ns);
}

void Statistics::add(const TraceRecord &record, uint32_t thread, const std::string &name) {
  switch (record.kind) {
  case TraceKind::kCommand: return add(record.command);
  case TraceKind::kDependency:
  case TraceKind::kMemory: return;
  case TraceKind::kWork: return threads_[name.empty() ? "thread " + std::to_string(thread) : name].add(record.work.time.ns());
  case TraceKind::kWait: return waits_[record.wait.call].add(record.wait.time.ns());
  case TraceKind::kBuild: {
    BuildSum &sum = builds_[{record.build.call, record.build.device}];
    (record.build.from_cache ? sum.cached : sum.compiled).add(record.build.time.ns());
    sum.failed += record.build.has_failed;
    return;
  }
  }
}

void Statistics::add(const TraceCommand &command) {
  if (command.kernel) {
    KernelSum &sum = kernels_[{command.kernel, command.device}];
    if (command.status < 0) {
      ++sum.failed;
      return;
    }
    sum.run.add(command.run.ns());
    sum.items += command.global[0] * command.global[1] * command.global[2];
    sum.bytes += command.bytes;
    sum.knows_bytes &= command.knows_bytes;
    sum.on_cpu |= command.on_cpu;
  } else if (command.has_work && command.run.begin_ns) {
    TransferSum &sum = transfers_[{name_of_command(command.type), command.device}];
    sum.run.add(command.run.ns());
    sum.bytes += command.bytes;
  }
}

void Statistics::note_gap(QueueSum &queue, uint64_t begin_ns, uint64_t end_ns, Gap cause) {
  if (begin_ns >= end_ns) return;
  queue.recent.push_back({{begin_ns, end_ns}, cause});
  if (queue.recent.size() <= kRecentGaps) return;
  const FoundGap &oldest = queue.recent.front();
  queue.gaps[static_cast<size_t>(oldest.cause)].add(oldest.time.ns());
  queue.recent.pop_front();
}

/// Removes the part of the recent gaps in which this command ran.
void Statistics::cover(QueueSum &queue, const TraceInterval &time) {
  for (auto gap = queue.recent.rbegin(); gap != queue.recent.rend() && gap->time.end_ns > time.begin_ns; ++gap) {
    if (gap->time.end_ns > time.end_ns) continue;  // the command came late
    const uint64_t covered_from = std::max(gap->time.begin_ns, time.begin_ns);
    queue.busy_ns += gap->time.end_ns - covered_from;
    gap->time.end_ns = covered_from;
  }
  while (!queue.recent.empty() && queue.recent.back().time.ns() == 0) queue.recent.pop_back();
}

void Statistics::add_gap(const TraceCommand &command) {
  if (!command.has_work || !command.run.begin_ns) return;
  QueueSum &queue = queues_[command.queue];
  queue.device = command.device;
  const auto [start, end] = command.run;
  const uint64_t before = queue.end_ns;
  if (start < before) cover(queue, command.run);
  queue.busy_ns += end > std::max(start, before) ? end - std::max(start, before) : 0;
  queue.end_ns = std::max(before, end);
  if (queue.commands++ == 0 || start <= before) return;
  // Until it was enqueued
  const uint64_t queued = std::clamp(command.queued_ns, before, start);
  const TraceInterval &blocked = command.blocked;
  const uint64_t blocked_from = std::clamp(blocked.begin_ns, before, queued);
  const uint64_t blocked_to = std::clamp(blocked.end_ns, blocked_from, queued);
  const bool ran_dry = blocked.begin_ns <= before && blocked.end_ns >= before;
  note_gap(queue, before, blocked_from, Gap::kNothing);
  note_gap(queue, blocked_from, blocked_to, Gap::kBlocked);
  note_gap(queue, blocked_to, queued, ran_dry ? Gap::kAfterBlocking : Gap::kNothing);
  const uint64_t ready = command.has_wait_list ? std::clamp(command.ready_ns, queued, start) : queued;
  note_gap(queue, queued, ready, Gap::kDependency);
  note_gap(queue, ready, start, Gap::kStart);
}

std::string Statistics::json_of_kernels() const {
  std::string objects;
  for (const auto &[key, sum] : kernels_)
    append_object(objects, json_key(key) + sum.run.json() + json_field("failed", sum.failed) +
                               json_field("work_items", sum.items) + json_field("buffer_bytes", sum.bytes) +
                               ",\"has_other_pointers\":" + (sum.knows_bytes ? "false" : "true") +
                               ",\"on_cpu\":" + (sum.on_cpu ? "true" : "false") + "}");
  return json_array("kernels", objects);
}

std::string Statistics::json_of_transfers() const {
  std::string objects;
  for (const auto &[key, sum] : transfers_)
    append_object(objects, json_key(key) + sum.run.json() + json_field("bytes", sum.bytes) + "}");
  return json_array("transfers", objects);
}

std::string Statistics::json_of_builds() const {
  std::string objects;
  for (const auto &[key, sum] : builds_)
    append_object(objects, json_key(key) + json_field("compiled", sum.compiled.count) +
                               json_field("compiled_ns", sum.compiled.total_ns) + json_field("cached", sum.cached.count) +
                               json_field("cached_ns", sum.cached.total_ns) + json_field("failed", sum.failed) + "}");
  return json_array("builds", objects);
}

std::string Statistics::json_of_queues() const {
  std::string objects;
  for (const auto &[number, queue] : queues_) {
    std::array<Times, kGaps> gaps = queue.gaps;
    for (const FoundGap &gap : queue.recent)
      if (gap.time.ns()) gaps[static_cast<size_t>(gap.cause)].add(gap.time.ns());
    std::string of_queue;
    for (size_t i = 0; i < kGaps; ++i)
      if (gaps[i].count) append_object(of_queue, "{\"cause\":" + json_string(kGapTexts[i]) + gaps[i].json() + "}");
    append_object(objects, "{\"queue\":" + std::to_string(number) + ",\"device\":" + json_string(queue.device) +
                               json_field("commands", queue.commands) + json_field("busy_ns", queue.busy_ns) +
                               json_array("gaps", of_queue) + "}");
  }
  return json_array("queues", objects);
}

std::string Statistics::json(uint64_t now_ns, const StatisticsState &state) const {
  std::string program;
  for (const char c : std::string_view(program_invocation_short_name))
    program += static_cast<unsigned char>(c) < 0x80 ? c : '?';
  std::string text = "{\"program\":" + json_string(program) + json_field("process", static_cast<uint64_t>(::getpid())) +
                     ",\"is_complete\":" + (state.is_complete ? "true" : "false") + json_field("begin_ns", begin_ns_) +
                     json_field("end_ns", now_ns) + json_field("peak_bytes", state.peak_bytes) +
                     json_field("lost_records", state.lost_records);
  std::string waits, threads;
  for (const auto &[call, times] : waits_) append_object(waits, "{\"name\":" + json_string(call) + times.json() + "}");
  for (const auto &[name, times] : threads_) append_object(threads, "{\"name\":" + json_string(name) + times.json() + "}");
  return text + json_of_kernels() + json_of_transfers() + json_of_builds() + json_array("waits", waits) +
         json_array("threads", threads) + json_of_queues() + "}\n";
}

void Statistics::write(const std::string &folder, uint64_t now_ns, const StatisticsState &state) const {
  const std::string path = folder + "/" + std::to_string(::getpid()) + ".json", part = path + ".part";
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  const std::string text = json(now_ns, state);
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t written = ::write(file, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    left.remove_prefix(static_cast<size_t>(written));
  }
  ::close(file);
  if (!left.empty() || std::rename(part.c_str(), path.c_str()) != 0) ::unlink(part.c_str());
}

}  // namespace upsweep
