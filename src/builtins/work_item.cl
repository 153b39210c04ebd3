// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of work-items and sub-groups (specification: "Work-Item Functions"). The intrinsics only take constant dimensions:
// a variable dimension selects among the three results.
#include "library.h"

#define BY_DIMENSION(name, expression, otherwise) \
  HELPER size_t name##_of(uint d) { return expression; } \
  SMALL PURE size_t name(uint d) { return d == 0 ? name##_of(0) : d == 1 ? name##_of(1) : d == 2 ? name##_of(2) : otherwise; }

BY_DIMENSION(get_global_size, __ups_global_size(d), 1)
BY_DIMENSION(get_global_offset, __ups_global_offset(d), 0)
BY_DIMENSION(get_local_size, __ups_local_size(d), 1)
BY_DIMENSION(get_enqueued_local_size, __ups_enqueued_local_size(d), 1)
BY_DIMENSION(get_num_groups, __ups_num_groups(d), 1)
BY_DIMENSION(get_group_id, __ups_group_id(d), 0)
BY_DIMENSION(get_local_id, __ups_local_id(d), 0)
BY_DIMENSION(get_global_id,
             __ups_group_id(d) * __ups_enqueued_local_size(d) + __ups_local_id(d) + __ups_global_offset(d), 0)

SMALL PURE uint get_work_dim(void) { return __ups_work_dim(); }

// Sub-groups have consecutive linear ids, so the id is a uniform base plus the lane.
SMALL PURE size_t get_local_linear_id(void) {
  return (size_t)__ups_sub_group_id() * __ups_max_sub_group_size() + __ups_lane();
}

HELPER size_t id_without_offset(uint d) {
  return __ups_group_id(d) * __ups_enqueued_local_size(d) + __ups_local_id(d);
}

SMALL PURE size_t get_global_linear_id(void) {
  return (id_without_offset(2) * __ups_global_size(1) + id_without_offset(1)) * __ups_global_size(0) + id_without_offset(0);
}

HELPER uint local_items(void) { return (uint)(__ups_local_size(0) * __ups_local_size(1) * __ups_local_size(2)); }

SMALL PURE uint get_max_sub_group_size(void) { return __ups_max_sub_group_size(); }
SMALL PURE uint get_sub_group_id(void) { return __ups_sub_group_id(); }
SMALL PURE uint get_sub_group_local_id(void) { return __ups_lane(); }

SMALL PURE uint get_sub_group_size(void) {
  uint lanes = __ups_max_sub_group_size();
  uint rest = local_items() - __ups_sub_group_id() * lanes;
  return rest < lanes ? rest : lanes;
}

SMALL PURE uint get_num_sub_groups(void) {
  uint lanes = __ups_max_sub_group_size();
  return (local_items() + lanes - 1) / lanes;
}

SMALL PURE uint get_enqueued_num_sub_groups(void) {
  uint lanes = __ups_max_sub_group_size();
  uint items = (uint)(__ups_enqueued_local_size(0) * __ups_enqueued_local_size(1) * __ups_enqueued_local_size(2));
  return (items + lanes - 1) / lanes;
}
