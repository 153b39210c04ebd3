// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes, updates and launches CUDA graphs. The CUDA driver runs the launches of a graph in order, and an update affects
// later launches only.
#include "targets/cuda/recorded_graphs.h"
#include "base/log.h"
#include "runtime/commands/transfer_ends.h"
#include "targets/cuda/graph_nodes.h"
#include "targets/cuda/launch.h"
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace upsweep {
namespace {

struct GraphAccess {
  MemoryObject *memory;
  ByteRange range;
  Access access;
};

/// The accesses of all commands, each range once. Reads come first: they move bytes that a write of a larger range would
/// declare as overwritten.
std::vector<GraphAccess> accesses_of(const CommandGraph &graph) {
  std::map<std::tuple<MemoryObject *, size_t, size_t>, Access> found;
  const auto add = [&found](MemoryObject &memory, ByteRange range, Access access) {
    const auto [at, is_new] = found.try_emplace({&memory, range.begin, range.end}, access);
    if (at->second != access) at->second = Access::kReadWrite;
  };
  for (const std::shared_ptr<const RecordedCommand> &command : graph.commands()) {
    if (const auto *launch = std::get_if<Launch>(&command->body))
      for (const auto &[memory, access] : launch->call.memory) add(*memory, memory->whole(), access);
    const auto *transfer = std::get_if<Transfer>(&command->body);
    if (!transfer || ends_of(*transfer).bytes == 0) continue;
    for (const auto &[place, access, range, on_host] :
         std::visit([](const auto &kind) { return upsweep::accesses_of(kind); }, *transfer))
      if (place->memory) add(*place->memory, range, access);
  }
  std::vector<GraphAccess> accesses;
  for (const auto &[key, access] : found) accesses.push_back({std::get<0>(key), {std::get<1>(key), std::get<2>(key)}, access});
  std::ranges::sort(accesses, {}, [](const GraphAccess &access) { return access.access == Access::kWrite; });
  return accesses;
}

}  // namespace

/// A CUDA graph that can run, for the commands of a graph.
class RecordedGraphs::Made {
public:
  Made(const Gpu &gpu, CudaMemory &memory) : gpu_(gpu), memory_(memory) {}
  ~Made();
  Made(const Made &) = delete;
  Made &operator=(const Made &) = delete;

  /// Called once. The GPU's context must be the calling thread's for all functions.
  Result<void> make(const CommandGraph &graph, Target &target, FillKernel &fills);
  /// Whether the CUDA graph has the commands of `graph` now. False if it needs other nodes; some are then changed.
  bool update(const CommandGraph &graph, Replaced &replaced);
  Result<void> declare(Target &target, bool may_fail) const;
  Result<void> launch(CUstream stream) const;

private:
  bool update(const RecordedCommand &command, const std::vector<CUgraphNode> &grids) const;
  void note(const CommandGraph &graph, Replaced &replaced);

  const Gpu &gpu_;
  CudaMemory &memory_;
  CUgraph graph_ = nullptr;  ///< names the nodes of executable_
  CUgraphExec executable_ = nullptr;
  Commands commands_;
  std::vector<std::vector<CUgraphNode>> grids_;  ///< by command: the nodes of a launch
  std::vector<GraphAccess> accesses_;
};

RecordedGraphs::Made::~Made() {
  memory_.free([&driver = gpu_.driver, executable = executable_, graph = graph_] {
    if (executable) driver.destroy_made_graph(executable);
    if (graph) driver.destroy_graph(graph);
  });
}

void RecordedGraphs::Made::note(const CommandGraph &graph, Replaced &replaced) {
  accesses_ = accesses_of(graph);
  Commands commands(graph.commands().begin(), graph.commands().end());
  replaced.commands = std::exchange(commands_, std::move(commands));
}

Result<void> RecordedGraphs::Made::make(const CommandGraph &graph, Target &target, FillKernel &fills) {
  const auto check = [this](CUresult result) {
    return gpu_.driver.check(result, CL_OUT_OF_RESOURCES, "a graph could not be made");
  };
  Replaced nothing;
  note(graph, nothing);
  if (auto made = check(gpu_.driver.create_graph(&graph_, 0)); !made) return made;
  GraphNodes nodes(gpu_, target, fills, graph_);
  for (const std::shared_ptr<const RecordedCommand> &command : commands_)
    if (auto added = nodes.add(*command); !added) return added;
  grids_ = nodes.take_grids();
  return nodes.num_nodes() ? check(gpu_.driver.instantiate_graph(&executable_, graph_, 0)) : Result<void>();
}

bool RecordedGraphs::Made::update(const CommandGraph &graph, Replaced &replaced) {
  bool is_changed = false;
  for (size_t i = 0; i < commands_.size(); ++i) {
    const RecordedCommand &command = *graph.commands()[i];
    if (&command == commands_[i].get()) continue;
    is_changed = true;
    if (!update(command, grids_[i])) return false;
  }
  if (is_changed) note(graph, replaced);
  return true;
}

bool RecordedGraphs::Made::update(const RecordedCommand &command, const std::vector<CUgraphNode> &grids) const {
  const auto *launch = std::get_if<Launch>(&command.body);
  if (!launch) return grids.empty();
  size_t next = 0;
  const auto updated = for_each_grid(*launch, [&](const CudaKernel &kernel) -> Result<void> {
    if (next == grids.size()) return fail(CL_INVALID_OPERATION, "the launch has more grids than nodes");
    return gpu_.driver.check(gpu_.driver.update_kernel_node(executable_, grids[next++], &kernel), CL_INVALID_OPERATION,
                             "a node could not be updated");
  });
  return updated && next == grids.size();
}

/// Some accesses move bytes, which takes time.
Result<void> RecordedGraphs::Made::declare(Target &target, bool may_fail) const {
  for (const auto &[memory, range, declared] : accesses_) {
    const Access access = may_fail && declared == Access::kWrite ? Access::kReadWrite : declared;
    if (auto current = memory->make_current_on(target, access, range); !current) return current;
  }
  return {};
}

Result<void> RecordedGraphs::Made::launch(CUstream stream) const {
  if (!executable_) return {};
  return gpu_.driver.check(gpu_.driver.launch_graph(executable_, stream), CL_OUT_OF_RESOURCES, "a graph could not be started");
}

RecordedGraphs::RecordedGraphs(const Gpu &gpu, Target &target, CudaMemory &memory, FillKernel &fills)
    : gpu_(gpu), target_(target), memory_(memory), fills_(fills) {}

RecordedGraphs::~RecordedGraphs() = default;

bool RecordedGraphs::prepare(const CommandGraph &graph) {
  CurrentContext current(gpu_);
  Replaced replaced;
  const std::lock_guard lock(mutex_);
  if (is_rejected_) return false;
  const auto is_ready = [](const std::shared_ptr<const RecordedCommand> &command) { return can_be_nodes(*command); };
  if (!made_ && !std::ranges::all_of(graph.commands(), is_ready)) return false;
  const auto updated = update_locked(graph, replaced);
  if (updated) return true;
  log_line("GPU", updated.error().text);
  is_rejected_ = true;
  return false;
}

/// Makes made_ the CUDA graph of `graph`.
Result<void> RecordedGraphs::update_locked(const CommandGraph &graph, Replaced &replaced) {
  // An update that throws leaves changed nodes behind, which no later launch may use.
  replaced.made = std::exchange(made_, nullptr);
  if (replaced.made && replaced.made->update(graph, replaced)) {
    made_ = std::exchange(replaced.made, nullptr);
    return {};
  }
  auto made = std::make_shared<Made>(gpu_, memory_);
  auto done = made->make(graph, target_, fills_);
  if (done) made_ = std::move(made);
  return done;
}

Result<AfterStream> RecordedGraphs::launch(const CommandGraph &graph, bool may_fail, CUstream stream) {
  Replaced replaced;
  const std::lock_guard lock(mutex_);
  if (auto updated = update_locked(graph, replaced); !updated) return fail(updated);
  if (auto declared = made_->declare(target_, may_fail); !declared) return fail(declared);
  if (auto launched = made_->launch(stream); !launched) return fail(launched);
  // A later update may replace the CUDA graph while this launch runs.
  return AfterStream([made = made_, replaced = std::move(replaced)]() -> Result<void> { return {}; });
}

}  // namespace upsweep
