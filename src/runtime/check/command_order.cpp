// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph of the commands that the host has not waited for, and for each memory object its uses by these commands.
#include "runtime/check/command_order.h"
#include "base/across_fork.h"
#include "base/checks.h"
#include "base/never_destroyed.h"
#include "runtime/check/findings.h"
#include "runtime/commands/command_graph.h"
#include "runtime/commands/command_names.h"
#include "runtime/commands/transfer_ends.h"
#include <algorithm>
#include <map>
#include <set>

namespace upsweep {
namespace {

using Number = uint64_t;  ///< of a command, ascending; Event::order_number()

/// Older commands are treated as awaited, which bounds the memory of a program that never waits.
constexpr size_t kMostCommands = 2000;
/// Older uses of a memory object are forgotten.
constexpr size_t kMostUses = 256;

/// A use of bytes of a root object.
struct Use {
  Number command = 0;
  bool writes = false;
  ByteRange range;
  std::string by;      ///< "kernel 'sum'" or "clEnqueueReadBuffer"
  std::string kernel;  ///< empty for a transfer
  std::string object;  ///< name of the argument
};
struct ObjectUse {
  const MemoryObject *root;
  Use use;
};

ByteRange range_in_root(const MemoryObject &memory, ByteRange range) {
  for (const MemoryObject *object = &memory; object->parent(); object = object->parent()) {
    range.begin += object->origin();
    range.end += object->origin();
  }
  return range;
}

/// How a kernel uses the memory of an argument (UpsweepAccess). Generated code tells it for pointers.
uint32_t access_of(const ArgumentDescription &argument) {
  if (argument.kind != ArgumentKind::kImage) return argument.accesses;
  if (argument.access_qualifier == CL_KERNEL_ARG_ACCESS_READ_ONLY) return UPSWEEP_READS;
  return argument.access_qualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ? UPSWEEP_WRITES : UPSWEEP_READS | UPSWEEP_WRITES;
}

void add_uses(const Launch &launch, std::vector<ObjectUse> &uses) {
  const KernelDescription &kernel = *launch.call.kernel;
  if (launch.range.is_empty()) return;
  for (size_t i = 0; i < launch.call.memory_arguments.size(); ++i) {
    const MemoryUse &each = launch.call.memory.begin()[i];
    const ArgumentDescription &argument = kernel.arguments[launch.call.memory_arguments[i]];
    const uint32_t access = access_of(argument);
    if (!access || argument.kind == ArgumentKind::kPipe) continue;
    Use use;
    use.writes = access & UPSWEEP_WRITES;
    use.range = range_in_root(*each.memory, each.memory->whole());
    use.by = "kernel '" + kernel.name + "'";
    use.kernel = kernel.name;
    use.object = argument.name;
    uses.push_back({&each.memory->root(), std::move(use)});
  }
}

/// A map reads for the host, and the write through a mapping takes place when it is unmapped.
void add_uses(const Transfer &transfer, cl_command_type type, std::vector<ObjectUse> &uses) {
  if (std::holds_alternative<MigrateTransfer>(transfer) || std::holds_alternative<HintTransfer>(transfer)) return;
  const bool is_map = std::holds_alternative<MapTransfer>(transfer);
  const TransferAccesses accesses = std::visit([](const auto &kind) { return accesses_of(kind); }, transfer);
  for (const TransferAccess &access : accesses) {
    const MemoryObject *memory = access.place->memory.get();
    if (!memory) continue;
    Use use;
    use.writes = access.access != Access::kRead && !is_map;
    use.range = range_in_root(*memory, access.range);
    use.by = name_of_command(type);
    uses.push_back({&memory->root(), std::move(use)});
  }
}

void add_uses(const CommandBody &body, cl_command_type type, std::vector<ObjectUse> &uses) {
  if (const auto *launch = std::get_if<Launch>(&body)) add_uses(*launch, uses);
  if (const auto *transfer = std::get_if<Transfer>(&body)) add_uses(*transfer, type, uses);
  if (const auto *graph = std::get_if<GraphBody>(&body))
    for (const auto &command : (*graph)->commands()) add_uses(command->body, command->type, uses);
}

Finding race_of(const Use &earlier, const Use &later, const MemoryObject &root) {
  const auto text = [](const Use &use) {
    return std::string(use.writes ? "write" : "read") + " by " + use.by +
           (use.object.empty() ? "" : ", argument '" + use.object + "'");
  };
  Finding finding;
  finding.kind = UPSWEEP_RACE_OF_COMMANDS;
  finding.kernel = later.kernel.empty() ? earlier.kernel : later.kernel;
  finding.object = text(later) + ", and " + text(earlier);
  finding.value = root.type() == CL_MEM_OBJECT_BUFFER ? "buffer" : "image";
  finding.offset = static_cast<int64_t>(std::max(earlier.range.begin, later.range.begin));
  finding.bytes = std::min(earlier.range.end, later.range.end) - static_cast<uint64_t>(finding.offset);
  return finding;
}

class CommandOrder {
public:
  /// Returns the races with earlier commands.
  std::vector<Finding> follow(Command &command, const WaitList &waits, bool waits_for_all, bool blocks_later);
  void note_awaited(Number number);
  void note_awaited(const Queue &queue);
  void forget(const MemoryObject &memory);
  void forget(const Queue &queue);

private:
  struct Node {
    std::vector<Number> before;  ///< commands that end before it starts
    /// It waits for a user event that is not set. The host may set it after any command, so its order is not known.
    bool is_open = false;
  };
  struct QueueOrder {
    std::vector<Number> commands;  ///< not awaited; of an in-order queue, the newest
    Number barrier = 0;
  };
  [[nodiscard]] bool is_before(Number earlier, Number later) const;
  void use(Number number, const ObjectUse &use, std::vector<Finding> &found);

  std::mutex mutex_;
  const AcrossFork across_fork_{&mutex_};
  Number last_ = 0;
  std::map<Number, Node> nodes_;  ///< of commands that the host has not waited for
  std::map<const Queue *, QueueOrder> queues_;
  std::map<const MemoryObject *, std::vector<Use>> uses_;
};

CommandOrder &command_order() {
  static NeverDestroyed<CommandOrder> order;
  return *order;
}
const MadeWithPlatform command_order_made([] { static_cast<void>(command_order()); });

std::vector<Finding> CommandOrder::follow(Command &command, const WaitList &waits, bool waits_for_all, bool blocks_later) {
  std::vector<ObjectUse> uses;
  add_uses(command.body(), command.type(), uses);
  const std::lock_guard lock(mutex_);
  const Number number = ++last_;
  Node node;
  const auto wait_for = [&](Number earlier) {
    const auto found = nodes_.find(earlier);
    if (found == nodes_.end()) return;  // awaited
    node.before.push_back(earlier);
    node.is_open |= found->second.is_open;
  };
  for (const Ref<Event> &event : waits) {
    node.is_open |= event->is_user_event() && !event->is_done();
    wait_for(event->order_number());
  }
  const bool in_order = !command.queue().is_out_of_order();
  QueueOrder &queue = queues_[&command.queue()];
  if (in_order || waits_for_all)
    for (const Number earlier : queue.commands) wait_for(earlier);
  if (queue.barrier) wait_for(queue.barrier);
  if (in_order) queue.commands.clear();
  std::erase_if(queue.commands, [&](Number earlier) { return !nodes_.contains(earlier); });
  queue.commands.push_back(number);
  if (blocks_later) queue.barrier = number;
  command.set_order_number(number);
  nodes_.emplace(number, std::move(node));
  if (nodes_.size() > kMostCommands) nodes_.erase(nodes_.begin());
  std::vector<Finding> found;
  for (const ObjectUse &each : uses) use(number, each, found);
  return found;
}

/// A command's predecessors have smaller numbers.
bool CommandOrder::is_before(Number earlier, Number later) const {
  std::set<Number> seen;
  std::vector<Number> work{later};
  while (!work.empty()) {
    const Number number = work.back();
    work.pop_back();
    if (number == earlier) return true;
    const auto node = nodes_.find(number);
    if (node == nodes_.end()) continue;
    for (const Number before : node->second.before)
      if (before >= earlier && seen.insert(before).second) work.push_back(before);
  }
  return false;
}

void CommandOrder::use(Number number, const ObjectUse &use, std::vector<Finding> &found) {
  Use mine = use.use;
  mine.command = number;
  std::vector<Use> &known = uses_[use.root];
  std::erase_if(known, [&](const Use &other) { return !nodes_.contains(other.command); });
  const bool is_open = nodes_.at(number).is_open;
  std::erase_if(known, [&](const Use &other) {
    const bool overlaps = other.range.begin < mine.range.end && mine.range.begin < other.range.end;
    if (!overlaps || other.command == number) return false;
    const bool is_ordered = is_before(other.command, number);
    if (!is_ordered && !is_open && !nodes_.at(other.command).is_open && (mine.writes || other.writes))
      found.push_back(race_of(other, mine, *use.root));
    // A later command that races with the other use then races with this use, too.
    const bool is_inside = mine.range.begin <= other.range.begin && other.range.end <= mine.range.end;
    return is_ordered && is_inside && !is_open && (mine.writes || !other.writes);
  });
  known.push_back(std::move(mine));
  if (known.size() > kMostUses) known.erase(known.begin());
}

/// All commands before it have ended, too.
void CommandOrder::note_awaited(Number number) {
  const std::lock_guard lock(mutex_);
  std::vector<Number> work{number};
  while (!work.empty()) {
    const auto node = nodes_.find(work.back());
    work.pop_back();
    if (node == nodes_.end()) continue;
    work.insert(work.end(), node->second.before.begin(), node->second.before.end());
    nodes_.erase(node);
  }
}

void CommandOrder::note_awaited(const Queue &queue) {
  std::vector<Number> commands;
  {
    const std::lock_guard lock(mutex_);
    const auto known = queues_.find(&queue);
    if (known == queues_.end()) return;
    commands.swap(known->second.commands);
  }
  for (const Number number : commands) note_awaited(number);
}

void CommandOrder::forget(const MemoryObject &memory) {
  const std::lock_guard lock(mutex_);
  uses_.erase(&memory);
}

void CommandOrder::forget(const Queue &queue) {
  const std::lock_guard lock(mutex_);
  queues_.erase(&queue);
}

}  // namespace

bool follows_commands() {
  static const bool follows = enabled_checks().has(Check::kRace);
  return follows;
}

void follow_command(Command &command, const WaitList &waits, bool waits_for_all, bool blocks_later) {
  try {
    for (Finding &finding : command_order().follow(command, waits, waits_for_all, blocks_later))
      findings().add(std::move(finding));
  } catch (const std::bad_alloc &) {  // the command is not followed
  }
}

void note_awaited(const Event &event) {
  if (follows_commands() && event.order_number()) command_order().note_awaited(event.order_number());
}
void note_awaited(const Queue &queue) {
  if (follows_commands()) command_order().note_awaited(queue);
}
void forget_uses(const MemoryObject &memory) {
  if (follows_commands()) command_order().forget(memory);
}
void forget_order(const Queue &queue) {
  if (follows_commands()) command_order().forget(queue);
}

}  // namespace upsweep
