// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work-group size that the driver chooses if the application passes none.
#ifndef UPSWEEP_RUNTIME_COMMANDS_LOCAL_SIZE_H
#define UPSWEEP_RUNTIME_COMMANDS_LOCAL_SIZE_H

#include <array>
#include <cstdint>

namespace upsweep {

struct LocalSizeRequest {
  std::array<uint64_t, 3> global;
  std::array<uint64_t, 3> max_sizes;  ///< limits of a work-group in each dimension
  uint64_t max_work_items;            ///< limit of a work-group
  uint64_t usual_work_items;          ///< size of a work-group if all threads get enough groups of it
  uint64_t sub_group_size;            ///< lanes
  uint32_t lane_axis = 0;             ///< the dimension along which the kernel prefers its lanes
  uint64_t workers;                   ///< threads that share the work-groups
  bool is_uniform;                    ///< all work-groups must have the same size
};

/// Chooses groups of about the usual size, or smaller groups if there would not be enough for all threads. Makes the lanes'
/// dimension a multiple of the sub-group size if possible.
std::array<uint64_t, 3> choose_local_size(const LocalSizeRequest &request);

}  // namespace upsweep
#endif
