// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work-group size that the driver chooses when the application leaves it open.
#ifndef UPSWEEP_RUNTIME_COMMANDS_LOCAL_SIZE_H
#define UPSWEEP_RUNTIME_COMMANDS_LOCAL_SIZE_H

#include <array>
#include <cstdint>

namespace upsweep {

struct LocalSizeRequest {
  std::array<uint64_t, 3> global;
  std::array<uint64_t, 3> max_sizes;  ///< that a work-group may have in each dimension
  uint64_t max_work_items;            ///< that a work-group may have
  uint64_t usual_work_items;          ///< that a work-group has if there are enough of them for all threads
  uint64_t sub_group_size;            ///< lanes
  uint32_t lane_axis = 0;             ///< the dimension along which the kernel's lanes should lie
  uint64_t workers;                   ///< threads that share the work-groups
  bool is_uniform;                    ///< every work-group must have the same size
};

/// Work-groups of the usual size, or about it, fewer work-items when there would not be enough of them for all threads. The
/// lanes' dimension is a multiple of the sub-group size if at all possible.
std::array<uint64_t, 3> choose_local_size(const LocalSizeRequest &request);

}  // namespace upsweep
#endif
