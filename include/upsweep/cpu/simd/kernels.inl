// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All vector code, for targets.h.
#include <upsweep/cpu/simd/vector.inl>

#include <upsweep/cpu/simd/scan.inl>

#include <upsweep/cpu/simd/compact.inl>

#include <upsweep/cpu/simd/segments.inl>

#include <upsweep/cpu/simd/columns.inl>

#include <upsweep/cpu/simd/area.inl>

#include <upsweep/cpu/simd/sweep.inl>

#include <upsweep/cpu/simd/slices.inl>

#include <upsweep/cpu/simd/rank.inl>

#include <upsweep/cpu/simd/network.inl>

#include <upsweep/cpu/simd/split.inl>

#include <upsweep/cpu/simd/quick_sort.inl>
