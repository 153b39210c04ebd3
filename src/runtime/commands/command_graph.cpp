// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts a graph's commands into stages, and enqueues graphs.
#include "runtime/commands/command_graph.h"
#include <algorithm>
#include <numeric>

namespace upsweep {
namespace {

WaitList copy_of(const WaitList &events) {
  WaitList copy;
  copy.reserve(events.size());
  for (const Ref<Event> &event : events) copy.emplace_back(event);
  return copy;
}

/// Each command waits for its predecessors by events, so that an error reaches all later commands and the last event.
Result<void> replay(Queue &queue, const CommandGraph &graph, const WaitList &waits, cl_event *event) {
  const auto commands = graph.commands();
  std::vector<Ref<Command>> enqueued;
  std::vector<bool> is_last(commands.size(), true);
  enqueued.reserve(commands.size());
  for (const std::shared_ptr<const RecordedCommand> &command : commands) {
    WaitList before;
    for (const uint32_t index : command->waits) {
      before.emplace_back(enqueued[index]);
      is_last[index] = false;
    }
    auto added = enqueue_recorded(queue, command->type, command->waits.empty() ? copy_of(waits) : std::move(before),
                                  {command, &command->body});
    if (!added) return fail(added);
    enqueued.push_back(*std::move(added));
  }
  WaitList last = commands.empty() ? copy_of(waits) : WaitList();
  for (size_t i = 0; i < commands.size(); ++i)
    if (is_last[i]) last.emplace_back(enqueued[i]);
  return enqueue(queue, CL_COMMAND_COMMAND_BUFFER_KHR, last, {}, false, event);
}

}  // namespace

void Stages::add(std::span<const uint32_t> waits, bool has_work) {
  uint32_t after = 0;
  for (const uint32_t index : waits) after = std::max(after, done_after_[index]);
  done_after_.push_back(after + has_work);
  has_work_.push_back(has_work);
}

void Stages::close() {
  for (uint32_t i = 0; i < has_work_.size(); ++i) {
    if (!has_work_[i]) continue;
    if (ends_.size() < done_after_[i]) ends_.resize(done_after_[i]);
    ++ends_[done_after_[i] - 1];
  }
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
  order_.resize(ends_.empty() ? 0 : ends_.back());
  std::vector<uint32_t> next{0};  // the place of a stage's next command
  next.insert(next.end(), ends_.begin(), ends_.end());
  for (uint32_t i = 0; i < has_work_.size(); ++i)
    if (has_work_[i]) order_[next[done_after_[i] - 1]++] = i;
}

Result<void> enqueue_graph(Queue &queue, const std::shared_ptr<const CommandGraph> &graph, const WaitList &waits,
                           cl_event *event) {
  if (!queue.device().target().runs_whole(*graph)) return replay(queue, *graph, waits, event);
  return enqueue(queue, CL_COMMAND_COMMAND_BUFFER_KHR, waits, GraphBody(graph), false, event);
}

}  // namespace upsweep
