// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graphs of a command buffer as one CUDA graph, whose kernels are updated in place.
#ifndef UPSWEEP_TARGETS_CUDA_RECORDED_GRAPHS_H
#define UPSWEEP_TARGETS_CUDA_RECORDED_GRAPHS_H

#include "runtime/commands/command_graph.h"
#include "targets/cuda/cuda_memory.h"
#include "targets/cuda/fill_kernel.h"
#include <memory>
#include <mutex>
#include <vector>

namespace upsweep {

class RecordedGraphs final : public GraphState {
public:
  /// `target` is the GPU's target.
  RecordedGraphs(const Gpu &gpu, Target &target, CudaMemory &memory, FillKernel &fills);
  ~RecordedGraphs() override;
  /// The state that open_graphs() made for the graph's command buffer.
  static RecordedGraphs &of(const CommandGraph &graph) { return static_cast<RecordedGraphs &>(*graph.state()); }

  /// Makes the CUDA graph. False if a command needs the host, or the CUDA driver rejects the graph.
  bool prepare(const CommandGraph &graph);

  /// Declares the graph's accesses to memory and passes it to the stream. `may_fail` as for StreamTransfers::issue(). The GPU's
  /// context must be the calling thread's.
  Result<AfterStream> launch(const CommandGraph &graph, bool may_fail, CUstream stream);

private:
  class Made;
  using Commands = std::vector<std::shared_ptr<const RecordedCommand>>;
  /// The parts of earlier CUDA graphs, which may be the last owners of objects. Locks must not be held when they are destroyed.
  struct Replaced {
    Commands commands;
    std::shared_ptr<Made> made;
  };
  Result<void> update_locked(const CommandGraph &graph, Replaced &replaced);

  const Gpu &gpu_;
  Target &target_;
  CudaMemory &memory_;
  FillKernel &fills_;
  std::mutex mutex_;  ///< guards the members below; held from an update to the launch
  std::shared_ptr<Made> made_;
  bool is_rejected_ = false;
};

}  // namespace upsweep
#endif
