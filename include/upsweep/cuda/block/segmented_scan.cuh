// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan of a block's values that starts anew at each head flag; segments cross threads, warps and, with a callback,
// blocks and tiles.
//
// T, kThreads, items, valid, rank, Op, calling, errors: as block_scan (block/scan.cuh).
// heads      true where a segment starts. The block's first value always starts a segment, unless a callback returns the total
//            before it.
// total      flagged<T>: the total of the block's last segment, and whether the block has any head.
// Callback   flagged<T> prefix(flagged<T> total), as block_scan's. Its result is the total so far of the segment that is open
//            when the block starts. The result's flag is ignored. running_total<flagged<T>, segmented<Op>> carries it from tile
//            to tile.
// Storage    block_segmented_scan<T, kThreads>::storage; 2 * (warps + 1) * sizeof(flagged<T>) bytes.
// Source     GPU Gems 3, chapter 39 and document "GPU prefix sums" name it; the document's listing stops at the warp's edge.
//            The operator is Schwartz's (segment.cuh).
//
//     using scan = upsweep::cuda::block_segmented_scan<float, 256>;
//     __shared__ scan::storage storage;
//     scan(storage).inclusive(values, heads, out, upsweep::cuda::plus{});
#pragma once

#include <upsweep/common/cpp17.h>
#ifdef UPSWEEP_CPP17
#include <upsweep/cuda/block/scan.cuh>
#include <upsweep/cuda/detail/standard.cuh>
#include <upsweep/cuda/segment.cuh>

namespace upsweep::cuda {

template <class T, int kThreads>
class block_segmented_scan {
  static_assert(detail::is_element<T>, "block_segmented_scan: T must be trivially copyable and of at most 64 bytes");
  using element = flagged<T>;

public:
  using storage = typename block_scan<element, kThreads>::storage;

  __device__ __forceinline__ explicit block_segmented_scan(storage &shared) : scan_(shared) {}
  __device__ __forceinline__ block_segmented_scan(storage &shared, int valid, int rank = threadIdx.x)
      : scan_(shared, valid, rank) {}

  // Each value becomes the total of its segment up to itself.
  template <int kItems, class Op = plus>
  __device__ __forceinline__ void inclusive(const T (&in)[kItems], const bool (&heads)[kItems], T (&out)[kItems], Op op = {}) {
    transform(in, heads, out, [&](auto &elements) { scan_.inclusive(elements, elements, segmented<Op>{op}); });
  }
  template <int kItems, class Op>
  __device__ __forceinline__ void inclusive(const T (&in)[kItems], const bool (&heads)[kItems], T (&out)[kItems], Op op,
                                            flagged<T> &total) {
    transform(in, heads, out, [&](auto &elements) { scan_.inclusive(elements, elements, segmented<Op>{op}, total); });
  }

  // Each value becomes initial, then the total of its segment up to the value before; `total` includes initial where the
  // block has a head.
  template <int kItems, class Op>
  __device__ __forceinline__ void exclusive(const T (&in)[kItems], const bool (&heads)[kItems], T (&out)[kItems], Op op,
                                            T initial) {
    transform_shifted(in, heads, out, op, initial,
                      [&](auto &elements) { scan_.exclusive(elements, elements, segmented<Op>{op}, element{initial, false}); });
  }
  template <int kItems, class Op>
  __device__ __forceinline__ void exclusive(const T (&in)[kItems], const bool (&heads)[kItems], T (&out)[kItems], Op op,
                                            T initial, flagged<T> &total) {
    transform_shifted(in, heads, out, op, initial, [&](auto &elements) {
      scan_.exclusive(elements, elements, segmented<Op>{op}, element{initial, false}, total);
    });
  }

  // After the callback's result. In an exclusive scan this result includes initial: start a running_total from it.
  template <int kItems, class Op, class Prefix>
  __device__ __forceinline__ void inclusive_after(const T (&in)[kItems], const bool (&heads)[kItems], T (&out)[kItems], Op op,
                                                  Prefix &&prefix) {
    transform(in, heads, out, [&](auto &elements) { scan_.inclusive_after(elements, elements, segmented<Op>{op}, prefix); });
  }
  template <int kItems, class Op, class Prefix>
  __device__ __forceinline__ void exclusive_after(const T (&in)[kItems], const bool (&heads)[kItems], T (&out)[kItems], Op op,
                                                  T initial, Prefix &&prefix) {
    transform_shifted(in, heads, out, op, initial,
                      [&](auto &elements) { scan_.exclusive_after(elements, elements, segmented<Op>{op}, prefix); });
  }

  // A single value for each thread.
  template <class Op = plus>
  __device__ __forceinline__ T inclusive(T value, bool head, Op op = {}) {
    const T in[1] = {value};
    const bool heads[1] = {head};
    T out[1] = {value};
    inclusive(in, heads, out, op);
    return out[0];
  }
  template <class Op>
  __device__ __forceinline__ T exclusive(T value, bool head, Op op, T initial) {
    const T in[1] = {value};
    const bool heads[1] = {head};
    T out[1] = {value};
    exclusive(in, heads, out, op, initial);
    return out[0];
  }

private:
  template <int kItems, class Scan>
  __device__ __forceinline__ void transform(const T (&in)[kItems], const bool (&heads)[kItems], T (&out)[kItems], Scan scan) {
    apply(in, heads, scan, [&](int i, const element &result) { out[i] = result.value; }, [](const T &value) { return value; });
  }

  // An exclusive result is the inclusive result of the value before. Where a segment starts, it is `initial`, which the
  // segment's first value includes for the rest of the segment.
  template <int kItems, class Op, class Scan>
  __device__ __forceinline__ void transform_shifted(const T (&in)[kItems], const bool (&heads)[kItems], T (&out)[kItems], Op op,
                                                    const T &initial, Scan scan) {
    apply(
        in, heads, scan, [&](int i, const element &result) { out[i] = heads[i] ? initial : result.value; },
        [&](const T &value) { return op(initial, value); });
  }

  // Elements have no default constructor if T has none, hence the array from an index sequence.
  template <int kItems, class Scan, class Write, class Head>
  __device__ __forceinline__ void apply(const T (&in)[kItems], const bool (&heads)[kItems], Scan scan, Write write,
                                        Head at_head) {
    auto pairs = make_pairs(in, heads, at_head, std::make_integer_sequence<int, kItems>{});
    scan(pairs.elements);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      write(i, pairs.elements[i]);
    }
  }

  template <int kItems>
  struct pair_array {
    element elements[kItems];
  };
  template <int kItems, class Head, int... kIndex>
  __device__ __forceinline__ static pair_array<kItems> make_pairs(const T (&in)[kItems], const bool (&heads)[kItems],
                                                                  Head at_head, std::integer_sequence<int, kIndex...>) {
    return {{element{heads[kIndex] ? at_head(in[kIndex]) : in[kIndex], heads[kIndex]}...}};
  }

  block_scan<element, kThreads> scan_;
};

}  // namespace upsweep::cuda
#endif
