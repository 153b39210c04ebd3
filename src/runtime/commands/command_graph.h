// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of a command buffer as a graph: immutable, so that any number of enqueues run it at the same time.
#ifndef UPSWEEP_RUNTIME_COMMANDS_COMMAND_GRAPH_H
#define UPSWEEP_RUNTIME_COMMANDS_COMMAND_GRAPH_H

#include "runtime/commands/command.h"
#include "runtime/target.h"
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace upsweep {

struct RecordedCommand {
  cl_command_type type;
  CommandBody body;             ///< std::monostate: a barrier, or a launch without work-items
  std::vector<uint32_t> waits;  ///< commands that were recorded earlier, by index
};

/// The order of a graph's commands with work: stages, of which each waits for the stage before it. The commands of a stage do
/// not wait for each other.
class Stages {
public:
  /// `waits` of each command as in RecordedCommand, and whether it has work.
  void add(std::span<const uint32_t> waits, bool has_work);
  /// Must be called after the last add().
  void close();

  size_t size() const { return ends_.size(); }
  /// The indices of a stage's commands, ascending.
  std::span<const uint32_t> operator[](size_t stage) const {
    const uint32_t begin = stage ? ends_[stage - 1] : 0;
    return std::span(order_).subspan(begin, ends_[stage] - begin);
  }

private:
  std::vector<uint32_t> done_after_;  ///< by command: the number of stages after which it is done
  std::vector<bool> has_work_;
  std::vector<uint32_t> order_, ends_;
};

class CommandGraph {
public:
  /// `commands` in the order of recording. `state`: of Target::open_graphs().
  CommandGraph(std::vector<std::shared_ptr<const RecordedCommand>> commands, std::shared_ptr<const Stages> stages,
               std::shared_ptr<GraphState> state)
      : commands_(std::move(commands)), stages_(std::move(stages)), state_(std::move(state)) {}

  std::span<const std::shared_ptr<const RecordedCommand>> commands() const { return commands_; }
  const Stages &stages() const { return *stages_; }
  GraphState *state() const { return state_.get(); }

private:
  std::vector<std::shared_ptr<const RecordedCommand>> commands_;
  std::shared_ptr<const Stages> stages_;
  std::shared_ptr<GraphState> state_;
};

/// Appends the graph to a queue, as one command where the target runs graphs whole, otherwise command by command. `*event`, if
/// it is not null, is complete when all commands are.
Result<void> enqueue_graph(Queue &queue, const std::shared_ptr<const CommandGraph> &graph, const WaitList &waits,
                           cl_event *event);

}  // namespace upsweep
#endif
