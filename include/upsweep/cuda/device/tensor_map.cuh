// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of a matrix in memory, for the copy engine of sm_90: a whole box is one instruction, whatever its rows' distance.
// Source: CUDA driver API, "Tensor Map Object Management"; PTX ISA, "cp.async.bulk.tensor".
#pragma once

#include <upsweep/cuda/device/barrier.cuh>
#include <upsweep/cuda/device/driver_function.cuh>

namespace upsweep::cuda::detail {

// The copy engine reads maps in a kernel's parameters, where the host puts them; Clang up to version 19 copies parameters.
#if defined(__clang__) && __clang_major__ < 20
inline constexpr bool kHasMaps = false;
#else
inline constexpr bool kHasMaps = true;
#endif

// A matrix of bytes, and the boxes that are copied: all sizes but the rows are multiples of 16 bytes.
struct BoxedMatrix {
  const void *data;
  std::uint64_t row_bytes, rows, pitch_bytes;
  std::uint32_t box_bytes, box_rows;

  // The engine counts in elements of 8 bytes, and has boxes of up to 256 by 256.
  static constexpr std::uint64_t kElementBytes = 8;
  static constexpr std::uint64_t kMostRows = std::uint64_t(1) << 31;
  static constexpr std::uint64_t kMostPitch = std::uint64_t(1) << 39;
  bool fits() const {
    return rows <= kMostRows && row_bytes <= kMostRows && pitch_bytes <= kMostPitch && box_rows <= 256 &&
           box_bytes <= 256 * kElementBytes;
  }

  cudaError_t encode(CUtensorMap &map) const {
    using Encode = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                                const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    const auto function = driver_function<Encode>("cuTensorMapEncodeTiled", 12000);
    if (function == nullptr) {
      return cudaErrorNotSupported;
    }
    const cuuint64_t sizes[] = {row_bytes / kElementBytes, rows};
    const cuuint64_t strides[] = {pitch_bytes};
    const cuuint32_t box[] = {static_cast<cuuint32_t>(box_bytes / kElementBytes), box_rows};
    const cuuint32_t steps[] = {1, 1};
    const CUresult encoded = function(&map, CU_TENSOR_MAP_DATA_TYPE_UINT64, 2, const_cast<void *>(data), sizes, strides, box,
                                      steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return encoded == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
  }
};

// The box at `column`, in bytes, and `row`. Elements outside of the matrix arrive as zeros, and count among the bytes that
// arrive.
__device__ __forceinline__ void box_load([[maybe_unused]] void *shared, [[maybe_unused]] const CUtensorMap &map,
                                         [[maybe_unused]] std::uint64_t column, [[maybe_unused]] std::int64_t row,
                                         [[maybe_unused]] Barrier &barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          shared_address(shared)),
      "l"(&map), "r"(static_cast<int>(column / BoxedMatrix::kElementBytes)), "r"(static_cast<int>(row)),
      "r"(shared_address(&barrier))
      : "memory");
#else
  __trap();
#endif
}

// Elements outside of the matrix are not written.
__device__ __forceinline__ void box_store([[maybe_unused]] const CUtensorMap &map, [[maybe_unused]] std::uint64_t column,
                                          [[maybe_unused]] std::int64_t row, [[maybe_unused]] const void *shared) {
#if __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
               "r"(static_cast<int>(column / BoxedMatrix::kElementBytes)), "r"(static_cast<int>(row)),
               "r"(shared_address(shared))
               : "memory");
#else
  __trap();
#endif
}

}  // namespace upsweep::cuda::detail
