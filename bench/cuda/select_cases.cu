// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections and partitions, against CUB.
#include "compact_cases.h"

#include <upsweep/cuda/find.cuh>
#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/three_way_partition.cuh>

#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>

namespace upsweep::bench {

namespace {

template <class T>
struct LessThan {
  T bound;
  __host__ __device__ bool operator()(const T &element) const { return element < bound; }
};

template <class T>
LessThan<T> keep(double share) {
  return {static_cast<T>(share * 0x1p32 >= 0x1p32 ? ~T(0)
                                                  : static_cast<T>(static_cast<std::uint64_t>(share * 0x1p32) >>
                                                                   (32 - 8 * std::min<std::size_t>(sizeof(T), 4))))};
}
template <>
LessThan<std::uint64_t> keep<std::uint64_t>(double share) {
  return {static_cast<std::uint64_t>(share * 0x1p32) << 32};
}

template <class T>
CompactCase select_case(const char *operation, const char *type, double share) {
  const LessThan<T> is_kept = keep<T>(share);
  return {operation,
          type,
          sizeof(T),
          sizeof(T),
          sizeof(T),
          0,
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::select_if(a.space, static_cast<const T *>(a.in), static_cast<T *>(a.out), a.kept, n, is_kept, stream);
          },
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            return cub::DeviceSelect::If(a.cub_space, bytes, static_cast<const T *>(a.in), static_cast<T *>(a.out), a.kept,
                                         static_cast<std::int64_t>(n), is_kept, stream);
          }};
}

template <class T>
CompactCase flagged_case(const char *type) {
  return {"select by flag",
          type,
          sizeof(T),
          sizeof(T) + 1.0,
          sizeof(T),
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::select_by_flag(a.space, static_cast<const T *>(a.in), a.flags, static_cast<T *>(a.out), a.kept, n,
                                        stream);
          },
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            return cub::DeviceSelect::Flagged(a.cub_space, bytes, static_cast<const T *>(a.in), a.flags,
                                              static_cast<T *>(a.out), a.kept, static_cast<std::int64_t>(n), stream);
          }};
}

// CUB takes no masks. The input's random words are the masks.
template <class T>
CompactCase bits_case(const char *type) {
  return {"select by bit",
          type,
          sizeof(T),
          sizeof(T) + 0.125,
          sizeof(T),
          0,
          [](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::select_by_bit(a.space, static_cast<const T *>(a.in), static_cast<const std::uint32_t *>(a.in),
                                       static_cast<T *>(a.out), a.kept, n, stream);
          },
          nullptr};
}

// Two outputs; CUB has these only for partitions into three parts.
template <class T>
CompactCase stable_case(const char *type, double share) {
  const LessThan<T> is_kept = keep<T>(share);
  return {"stable partition",
          type,
          sizeof(T),
          sizeof(T),
          sizeof(T),
          sizeof(T),
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::stable_partition_if(a.space, static_cast<const T *>(a.in), static_cast<T *>(a.out),
                                             static_cast<T *>(a.more), a.kept, n, is_kept, stream);
          },
          nullptr};
}

template <class T>
CompactCase partition_case(const char *operation, const char *type, double share) {
  const LessThan<T> is_kept = keep<T>(share);
  return {operation,
          type,
          sizeof(T),
          sizeof(T),
          sizeof(T),
          sizeof(T),
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::partition_if(a.space, static_cast<const T *>(a.in), static_cast<T *>(a.out), a.kept, n, is_kept,
                                      stream);
          },
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            return cub::DevicePartition::If(a.cub_space, bytes, static_cast<const T *>(a.in), static_cast<T *>(a.out), a.kept,
                                            static_cast<std::int64_t>(n), is_kept, stream);
          }};
}

// The second and the third part go to the two halves of `more`.
template <class T>
CompactCase three_way_case(const char *type) {
  const LessThan<T> is_first = keep<T>(1.0 / 3), is_second = keep<T>(2.0 / 3);
  return {"partition in three",
          type,
          sizeof(T),
          sizeof(T),
          sizeof(T),
          sizeof(T),
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            T *const more = static_cast<T *>(a.more);
            return cuda::stable_partition_in_three(a.space, static_cast<const T *>(a.in), static_cast<T *>(a.out), more,
                                                   more + n, a.kept, n, is_first, is_second, stream);
          },
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            std::size_t bytes = a.cub_bytes;
            T *const more = static_cast<T *>(a.more);
            return cub::DevicePartition::If(a.cub_space, bytes, static_cast<const T *>(a.in), static_cast<T *>(a.out), more,
                                            more + n, a.kept, static_cast<std::int64_t>(n), is_first, is_second, stream);
          }};
}

// The bound is a read of all elements up to the match: there is none, or one at a tenth of the array.
template <class T>
CompactCase find_case(const char *operation, const char *type, double share) {
  return {operation,
          type,
          sizeof(T),
          sizeof(T) * share,
          0,
          0,
          [=](const CompactArrays &a, std::size_t n, cudaStream_t stream) {
            return cuda::find_if(a.space, static_cast<const T *>(a.more), a.kept + 1, n, LessThan<T>{1}, stream);
          },
          nullptr,
          [=](const CompactArrays &a, std::size_t n) {
            const T zero = 0;
            require(cudaMemset(a.more, 1, n * sizeof(T)));
            if (share < 1) {
              T *const place = static_cast<T *>(a.more) + static_cast<std::size_t>(static_cast<double>(n) * share);
              require(cudaMemcpy(place, &zero, sizeof(T), cudaMemcpyHostToDevice));
            }
            require(cudaDeviceSynchronize());
          }};
}

}  // namespace

std::string compact_cub_version() {
  return std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
         std::to_string(CUB_SUBMINOR_VERSION);
}

std::vector<CompactCase> select_cases() {
  return {select_case<std::uint32_t>("select 50 %", "u32", 0.5),
          select_case<std::uint32_t>("select 1 %", "u32", 0.01),
          select_case<std::uint32_t>("select 99 %", "u32", 0.99),
          select_case<std::uint8_t>("select 50 %", "u8", 0.5),
          select_case<std::uint8_t>("select 1 %", "u8", 0.01),
          select_case<std::uint16_t>("select 50 %", "u16", 0.5),
          select_case<std::uint64_t>("select 50 %", "u64", 0.5),
          flagged_case<std::uint32_t>("u32"),
          bits_case<std::uint32_t>("u32"),
          partition_case<std::uint32_t>("partition 50 %", "u32", 0.5),
          stable_case<std::uint32_t>("u32", 0.5),
          three_way_case<std::uint32_t>("u32"),
          find_case<std::uint32_t>("find at the end", "u32", 1),
          find_case<std::uint32_t>("find at a tenth", "u32", 0.1)};
}

}  // namespace upsweep::bench
