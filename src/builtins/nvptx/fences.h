// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences of the PTX memory model by scope.
#pragma once
#include "nvptx.h"

#define FENCE(kind) \
  HELPER void CAT(fence_, kind)(memory_scope scope) { \
    if (scope == memory_scope_work_item) return; \
    if (scope == memory_scope_work_group || scope == memory_scope_sub_group) \
      __asm volatile("fence." #kind ".cta;" ::: "memory"); \
    else if (scope == memory_scope_device) \
      __asm volatile("fence." #kind ".gpu;" ::: "memory"); \
    else \
      __asm volatile("fence." #kind ".sys;" ::: "memory"); \
  }
FENCE(acq_rel)
FENCE(sc)

