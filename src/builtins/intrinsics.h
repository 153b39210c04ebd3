// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of the OpenCL C library: functions without a body, declared from their table, which each target's passes replace. Only the
// library includes this file and calls them. OpenCL C.
//
// Sub-group functions apply to the active work-items; Clang marks every OpenCL function convergent.
#pragma once
#define UPSWEEP_PURE __attribute__((const))

#define UPSWEEP_DECLARE_kPure UPSWEEP_PURE
#define UPSWEEP_DECLARE_kLatePure
#define UPSWEEP_DECLARE_kSubGroup
#define UPSWEEP_DECLARE_kMeeting
#define UPSWEEP_DECLARE_kPlace
#define UPSWEEP_DECLARE_kArithmetic UPSWEEP_PURE
#define UPSWEEP_DECLARE_kAny
#define UPSWEEP_INTRINSIC(id, name, result, parameters, effect, spread) UPSWEEP_DECLARE_##effect result name parameters;
#include "intrinsics.def"
