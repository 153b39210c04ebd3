// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls by which numbers of device/tuning_*.cuh are measured. tune.py compiles the family UPSWEEP_TUNE as a library, once
// for each number.
#include "tune_cases.h"

#include <cstdint>

#define UPSWEEP_TUNE_SCAN 1
#define UPSWEEP_TUNE_LARGE 2
#define UPSWEEP_TUNE_COMPACT 3
#define UPSWEEP_TUNE_REDUCE 4
#define UPSWEEP_TUNE_AXIS 5
#define UPSWEEP_TUNE_RECURRENCE 6
#define UPSWEEP_TUNE_SORT 7
#define UPSWEEP_TUNE_BYTES 8
#define UPSWEEP_TUNE_AXIS_OF_OTHERS 9

#if UPSWEEP_TUNE == UPSWEEP_TUNE_AXIS || UPSWEEP_TUNE == UPSWEEP_TUNE_AXIS_OF_OTHERS
#include <upsweep/cuda/axis.cuh>
#elif UPSWEEP_TUNE == UPSWEEP_TUNE_COMPACT
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/select.cuh>
#elif UPSWEEP_TUNE == UPSWEEP_TUNE_REDUCE
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>
#elif UPSWEEP_TUNE == UPSWEEP_TUNE_RECURRENCE
#include <upsweep/cuda/recurrence.cuh>
#elif UPSWEEP_TUNE == UPSWEEP_TUNE_SORT
#include <upsweep/cuda/sort.cuh>
#else
#include <upsweep/cuda/scan.cuh>
#endif

namespace upsweep::bench {

namespace {

// Small whole numbers around 0, whose float sums are exact in any order.
template <class T>
__global__ void fill_kernel(T *to, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint32_t hash = static_cast<std::uint32_t>(i) * 2654435761u;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    to[i] = static_cast<T>(static_cast<int>((hash >> 12) % 3) - 1);
  }
}
template <class T>
cudaError_t fill(const TuneArrays &a) {
  fill_kernel<<<1024, 256, 0, a.stream>>>(static_cast<T *>(a.in), kTuneBytes / sizeof(T));
  return cudaGetLastError();
}

cuda::workspace space_of(const TuneArrays &a) { return {a.space, a.space_bytes}; }
template <class T>
const T *in_of(const TuneArrays &a) {
  return static_cast<const T *>(a.in);
}
template <class T>
T *out_of(const TuneArrays &a) {
  return static_cast<T *>(a.out);
}

#if UPSWEEP_TUNE == UPSWEEP_TUNE_SCAN || UPSWEEP_TUNE == UPSWEEP_TUNE_LARGE || UPSWEEP_TUNE == UPSWEEP_TUNE_BYTES

// Both arrays begin kShift elements behind a vector; the output may begin kApart elements later.
template <class T, int kShift = 0, int kApart = 0>
cudaError_t sum(const TuneArrays &a, std::size_t n) {
  return cuda::inclusive_sum(space_of(a), in_of<T>(a) + kShift, out_of<T>(a) + kShift + kApart, n - kShift - kApart, a.stream);
}

#if UPSWEEP_TUNE == UPSWEEP_TUNE_SCAN
constexpr TuneCase kCases[] = {{"sum f32", 4, 8, 10, 28, fill<float>, sum<float>},
                               {"sum f32 from 1", 4, 8, 12, 28, fill<float>, sum<float, 1>},
                               {"sum f32 from 1 to 2", 4, 8, 12, 28, fill<float>, sum<float, 1, 1>},
                               {}};
#elif UPSWEEP_TUNE == UPSWEEP_TUNE_LARGE
struct AddPairs {
  __host__ __device__ float2 operator()(float2 a, float2 b) const { return {a.x + b.x, a.y + b.y}; }
};
cudaError_t sum_of_pairs(const TuneArrays &a, std::size_t n) {
  return cuda::inclusive_scan(space_of(a), in_of<float2>(a), out_of<float2>(a), n, AddPairs{}, a.stream);
}

constexpr TuneCase kCases[] = {{"sum f64", 8, 16, 10, 27, fill<double>, sum<double>},
                               {"functor of sums float2", 8, 16, 10, 27, fill<float>, sum_of_pairs},
                               {}};
#else
constexpr TuneCase kCases[] = {{"sum u8", 1, 2, 12, 30, fill<std::uint8_t>, sum<std::uint8_t>},
                               {"sum i16", 2, 4, 12, 29, fill<std::int16_t>, sum<std::int16_t>},
                               {}};
#endif

#elif UPSWEEP_TUNE == UPSWEEP_TUNE_COMPACT

struct IsAbove {
  __host__ __device__ bool operator()(std::int32_t x) const { return x > 0; }
};
std::uint64_t *count_of(const TuneArrays &a) { return out_of<std::uint64_t>(a) + kTuneBytes / 8 - 1; }

cudaError_t select(const TuneArrays &a, std::size_t n) {
  return cuda::select_if(space_of(a), in_of<std::int32_t>(a), out_of<std::int32_t>(a), count_of(a), n, IsAbove{}, a.stream);
}
// Keys are the first half of the elements, values the second.
cudaError_t combine(const TuneArrays &a, std::size_t n) {
  constexpr std::size_t kHalf = kTuneBytes / 8;
  const auto *keys = in_of<std::int32_t>(a);
  return cuda::reduce_by_key(space_of(a), keys, keys + kHalf, out_of<std::int32_t>(a), out_of<std::int32_t>(a) + kHalf - 8,
                             count_of(a), n, cuda::plus{}, cuda::equal_to{}, a.stream);
}

constexpr TuneCase kCases[] = {{"select u32", 4, 5.33, 12, 28, fill<std::int32_t>, select},
                               {"reduce by key u32", 4, 13.33, 12, 26, fill<std::int32_t>, combine},
                               {}};

#elif UPSWEEP_TUNE == UPSWEEP_TUNE_REDUCE

cudaError_t total(const TuneArrays &a, std::size_t n) {
  return cuda::sum(space_of(a), in_of<float>(a), out_of<float>(a), n, a.stream);
}
template <int kLength>
cudaError_t totals(const TuneArrays &a, std::size_t n) {
  return cuda::sum_of_rows(space_of(a), in_of<float>(a), out_of<float>(a), n / kLength, kLength, a.stream);
}

constexpr TuneCase kCases[] = {{"total f32", 4, 4, 12, 28, fill<float>, total},
                               {"totals of 32 f32", 4, 4.125, 12, 28, fill<float>, totals<32>},
                               {"totals of 1000 f32", 4, 4, 12, 28, fill<float>, totals<1000>},
                               {}};

#elif UPSWEEP_TUNE == UPSWEEP_TUNE_RECURRENCE

cudaError_t recurrence(const TuneArrays &a, std::size_t n) {
  return cuda::linear_recurrence(space_of(a), in_of<float>(a), in_of<float>(a) + kTuneBytes / 8, out_of<float>(a), n, a.stream);
}
cudaError_t columns(const TuneArrays &a, std::size_t n) {
  return cuda::linear_recurrence_of_axis(space_of(a), in_of<float>(a), in_of<float>(a) + kTuneBytes / 8, out_of<float>(a),
                                         cuda::axis{1, n / 1024, 1024}, a.stream);
}

constexpr TuneCase kCases[] = {{"recurrence f32", 4, 12, 14, 26, fill<float>, recurrence},
                               {"recurrence of columns f32", 4, 12, 18, 26, fill<float>, columns},
                               {}};

#elif UPSWEEP_TUNE == UPSWEEP_TUNE_SORT

cudaError_t sort(const TuneArrays &a, std::size_t n) {
  return cuda::sort_keys(space_of(a), in_of<std::uint32_t>(a), out_of<std::uint32_t>(a), n, a.stream);
}

constexpr TuneCase kCases[] = {{"sort u32", 4, 8, 10, 25, fill<std::uint32_t>, sort}, {}};

#elif UPSWEEP_TUNE == UPSWEEP_TUNE_AXIS || UPSWEEP_TUNE == UPSWEEP_TUNE_AXIS_OF_OTHERS

// A length of 0 means one batch. Both arrays begin kShift elements behind a vector.
template <class T, int kInner, int kLength = 0, int kShift = 0, int kGap = 0>
cudaError_t along(const TuneArrays &a, std::size_t n) {
  cuda::axis of;
  of.inner = kInner;
  of.in.along = of.out.along = kInner + kGap;
  of.length = kLength > 0 ? kLength : (n - kShift) / (kInner + kGap);
  of.batches = (n - kShift) / (of.length * (kInner + kGap));
  return cuda::inclusive_sum_of_axis(space_of(a), in_of<T>(a) + kShift, out_of<T>(a) + kShift, of, a.stream);
}

#if UPSWEEP_TUNE == UPSWEEP_TUNE_AXIS
constexpr auto kWords = fill<std::uint32_t>;
constexpr TuneCase kCases[] = {{"u32 3", 4, 8, 20, 28, kWords, along<std::uint32_t, 3>},
                               {"u32 20", 4, 8, 20, 28, kWords, along<std::uint32_t, 20>},
                               {"u32 32", 4, 8, 20, 28, kWords, along<std::uint32_t, 32>},
                               {"u32 100", 4, 8, 20, 28, kWords, along<std::uint32_t, 100>},
                               {"u32 200", 4, 8, 20, 28, kWords, along<std::uint32_t, 200>},
                               {"u32 300", 4, 8, 20, 28, kWords, along<std::uint32_t, 300>},
                               {"u32 512", 4, 8, 20, 28, kWords, along<std::uint32_t, 512>},
                               {"u32 700", 4, 8, 20, 28, kWords, along<std::uint32_t, 700>},
                               {"u32 1000", 4, 8, 20, 28, kWords, along<std::uint32_t, 1000>},
                               {"u32 1023", 4, 8, 20, 28, kWords, along<std::uint32_t, 1023>},
                               {"u32 2000", 4, 8, 20, 28, kWords, along<std::uint32_t, 2000>},
                               {"u32 4099", 4, 8, 20, 28, kWords, along<std::uint32_t, 4099>},
                               {"u32 5000", 4, 8, 20, 28, kWords, along<std::uint32_t, 5000>},
                               {"u32 8192", 4, 8, 20, 28, kWords, along<std::uint32_t, 8192>},
                               {"u32 16384", 4, 8, 20, 28, kWords, along<std::uint32_t, 16384>},
                               {"u32 65536", 4, 8, 20, 28, kWords, along<std::uint32_t, 65536>},
                               {"u32 65537", 4, 8, 20, 28, kWords, along<std::uint32_t, 65537>},
                               {"u32 64 in 2", 4, 8, 20, 28, kWords, along<std::uint32_t, 64, 2>},
                               {"u32 64 in 8", 4, 8, 20, 28, kWords, along<std::uint32_t, 64, 8>},
                               {"u32 64 in 256", 4, 8, 20, 28, kWords, along<std::uint32_t, 64, 256>},
                               {"u32 64 in 4096", 4, 8, 20, 28, kWords, along<std::uint32_t, 64, 4096>},
                               {"u32 1000 in 4", 4, 8, 20, 28, kWords, along<std::uint32_t, 1000, 4>},
                               {"u32 1000 in 32", 4, 8, 20, 28, kWords, along<std::uint32_t, 1000, 32>},
                               {"u32 1000 in 1024", 4, 8, 20, 28, kWords, along<std::uint32_t, 1000, 1024>},
                               {"u32 1023 in 1023", 4, 8, 20, 28, kWords, along<std::uint32_t, 1023, 1023>},
                               {"u32 333 in 1024 from 1", 4, 8, 20, 28, kWords, along<std::uint32_t, 333, 1024, 1>},
                               {"u32 1000 in 1024 + 24", 4, 8, 20, 28, kWords, along<std::uint32_t, 1000, 1024, 0, 24>},
                               {"u32 101 from 1", 4, 8, 20, 28, kWords, along<std::uint32_t, 101, 0, 1>},
                               {"u32 600 from 1", 4, 8, 20, 28, kWords, along<std::uint32_t, 600, 0, 1>},
                               {"u32 1001 from 1", 4, 8, 20, 28, kWords, along<std::uint32_t, 1001, 0, 1>},
                               {}};
#else
constexpr TuneCase kCases[] = {{"f64 100", 8, 16, 20, 27, fill<double>, along<double, 100>},
                               {"f64 333", 8, 16, 20, 27, fill<double>, along<double, 333>},
                               {"f64 4096", 8, 16, 20, 27, fill<double>, along<double, 4096>},
                               {"f64 1023 in 1023", 8, 16, 20, 27, fill<double>, along<double, 1023, 1023>},
                               {"u8 1023", 1, 2, 22, 30, fill<std::uint8_t>, along<std::uint8_t, 1023>},
                               {"u8 4096", 1, 2, 22, 30, fill<std::uint8_t>, along<std::uint8_t, 4096>},
                               {"u8 4096 in 256", 1, 2, 22, 30, fill<std::uint8_t>, along<std::uint8_t, 4096, 256>},
                               {"u8 1023 in 1023", 1, 2, 22, 30, fill<std::uint8_t>, along<std::uint8_t, 1023, 1023>},
                               {}};
#endif

#endif

}  // namespace

extern "C" __attribute__((visibility("default"))) const TuneCase *upsweep_tune_cases() { return kCases; }

}  // namespace upsweep::bench
