// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits an index space into CUDA grids (kernel_abi.h).
#ifndef UPSWEEP_TARGETS_CUDA_GRIDS_H
#define UPSWEEP_TARGETS_CUDA_GRIDS_H

#include "runtime/commands/command_body.h"
#include "targets/cuda/kernel_abi.h"
#include <array>

namespace upsweep {

struct Grid {
  std::array<unsigned, 3> blocks;
  std::array<unsigned, 3> threads;  ///< per block
  UpsweepGrid parameter;
  bool is_whole;  ///< its blocks are work-groups of the launch's full size
};

class Grids {
public:
  explicit Grids(const NDRange &range);

  /// The next grid, or null after the last. Does not touch parameter fields that belong to the caller.
  Grid *next();

private:
  /// The pieces of a dimension: whole work-groups, up to the limit of a grid, then the smaller work-group at the edge.
  struct Cut {
    uint64_t whole;  ///< work-groups
    uint64_t local;
    uint64_t edge;  ///< work-items of the last work-group, if that is smaller
    uint64_t most;
    uint64_t first = 0;  ///< first work-group of the current piece
    bool is_at_edge() const { return first == whole; }
  };
  void enter(size_t dimension);
  Grid *finished();

  std::array<uint64_t, 3> offset_;
  std::array<Cut, 3> cuts_{};
  Grid grid_{};
  bool is_first_ = true;
};

}  // namespace upsweep
#endif
