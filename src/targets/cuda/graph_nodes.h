// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of a command buffer as nodes of a CUDA graph.
#ifndef UPSWEEP_TARGETS_CUDA_GRAPH_NODES_H
#define UPSWEEP_TARGETS_CUDA_GRAPH_NODES_H

#include "runtime/commands/command_graph.h"
#include "targets/cuda/copy_box.h"
#include "targets/cuda/fill_kernel.h"
#include <span>
#include <vector>

namespace upsweep {

/// Whether nodes can replace the command: it needs no work of the host and no data that is made for each launch, such as
/// printf buffers and textures.
bool can_be_nodes(const RecordedCommand &command);

/// Adds nodes to a CUDA graph. The GPU's context must be the calling thread's.
class GraphNodes {
public:
  GraphNodes(const Gpu &gpu, Target &target, FillKernel &fills, CUgraph graph)
      : gpu_(gpu), target_(target), fills_(fills), graph_(graph) {}

  /// Adds the next command of the command buffer, which can_be_nodes().
  Result<void> add(const RecordedCommand &command);

  /// The nodes of a launch's grids, by the number of the command; empty for other commands.
  std::vector<std::vector<CUgraphNode>> take_grids() { return std::move(grids_); }
  size_t num_nodes() const { return num_nodes_; }

private:
  Result<void> add_body(const CommandBody &body);
  Result<void> add_kernel(const CudaKernel &kernel);
  Result<void> add_launch(const Launch &launch);
  Result<void> add_copy(const CopyTransfer &copy);
  Result<void> add_linear_copy(const Side &to, const Side &from, size_t bytes);
  Result<void> add_box(const CudaCopy3D &box);
  Result<void> add_fill(const FillTransfer &fill);
  Result<void> add_fill(const FillRectTransfer &fill);
  Result<void> made(CUresult result, CUgraphNode node);
  /// Later nodes of the command wait for its earlier nodes.
  void go_on() { before_ = std::exchange(ends_, {}); }

  const Gpu &gpu_;
  Target &target_;
  FillKernel &fills_;
  CUgraph graph_;
  std::vector<std::vector<CUgraphNode>> ends_of_;  ///< by command: the nodes after which it is done
  std::vector<std::vector<CUgraphNode>> grids_;
  size_t num_nodes_ = 0;
  std::vector<CUgraphNode> before_;  ///< the nodes for which the command's next node waits
  std::vector<CUgraphNode> ends_;    ///< the command's newest nodes
};

}  // namespace upsweep
#endif
