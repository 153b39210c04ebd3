// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The total of a rank's part in its record, and the total of the parts before it as a scan's initial value in device memory.
#pragma once

#include <upsweep/distributed/cuda/detail/call.cuh>

namespace upsweep::distributed::detail {

// op with its operands exchanged.
template <class Op>
struct FlippedOnDevice {
  Op op;
  template <class T>
  __host__ __device__ T operator()(const T &a, const T &b) const {
    return op(b, a);
  }
};
template <class T, bool kBackward, class Op>
auto in_order_on_device(const Op &op) {
  if constexpr (kBackward && !upsweep::cuda::is_commutative<Op, T>) {
    return FlippedOnDevice<Op>{op};
  } else {
    return op;
  }
}

// Writes the total of the part to this rank's record. It is unknown if there is no element, or if no rank needs it.
template <class T, class In, class Op, class Transform>
cudaError_t write_total(device_rank &ranks, RecordHeader header, In in, gpu::Count count, const Op &op,
                        const Transform &transform, bool is_needed = true) {
  const bool has_any = is_needed && count.most > 0;
  if (!has_any || count.pointer != nullptr) {
    const cudaError_t error = gpu::launch(write_header_kernel<>, 1, 1, 0, ranks.stream(), ranks.own_record(), header);
    if (error != cudaSuccess || !has_any) {
      return error;
    }
  }
  upsweep::cuda::workspace space;
  const cudaError_t error = ranks.workspace_of(upsweep::cuda::reduce_workspace_bytes<T>(), space);
  if (error != cudaSuccess) {
    return error;
  }
  header.has_any = 1;
  return gpu::reduce<T, false>(space, in, RecordPlace{ranks.own_record(), header}, count, op, T(), nullptr, false, transform,
                               ranks.stream());
}

// The room of a rank: the total before it, and how many elements the scans with and without it have.
struct SeedPlaces {
  unsigned char *room;

  template <class T>
  __host__ __device__ T *seed() const {
    return reinterpret_cast<T *>(room);
  }
  // With a total before them, and without.
  __host__ __device__ std::uint64_t *counts() const { return reinterpret_cast<std::uint64_t *>(room + kValueBytes); }
};

// Whether a scan that begins with a value of the operator has the bits of a scan without an initial value, and that value. For
// sums of floats it is -0, which leaves 0 and -0 as they are.
template <class Op, class T>
inline constexpr bool has_exact_identity = (upsweep::cuda::has_identity<Op, T> && std::is_integral_v<T>) ||
                                           (std::is_same_v<Op, upsweep::cuda::plus> && std::is_floating_point_v<T>);
template <class Op, class T>
__device__ T exact_identity() {
  if constexpr (std::is_floating_point_v<T>) {
    return -T(0);
  } else {
    return upsweep::cuda::identity<Op, T>::value();
  }
}

// Adds up the totals of the ranks before this one, and of all ranks if `total` is given.
template <class T, class Op, bool kBackward>
struct FinishTotals {
  RecordCheck check;
  Op op;
  gpu::Later<T> initial;
  bool has_initial;
  gpu::Later<std::uint64_t> count;
  SeedPlaces places;
  T *total;

  __device__ void operator()(const Record *all) const {
    if (!check(all)) {
      places.counts()[0] = places.counts()[1] = 0;
      return;
    }
    bool is_known = has_initial;
    T before{};
    if (is_known) {
      before = initial.get();
    }
    for (unsigned i = 0; i < check.size; ++i) {
      const unsigned r = kBackward ? check.size - 1 - i : i;
      if (r == check.rank) {
        if (is_known) {
          *places.seed<T>() = before;
        } else if constexpr (has_exact_identity<Op, T>) {
          *places.seed<T>() = exact_identity<Op, T>();
        }
        const std::uint64_t n = count.get();
        places.counts()[0] = is_known ? n : 0;
        places.counts()[1] = is_known ? 0 : n;
        if (total == nullptr) {
          return;
        }
      }
      if (all[r].header.has_any != 0) {
        const T more = Record::read<T>(all[r].value);
        before = is_known ? static_cast<T>(op(before, more)) : more;
        is_known = true;
      }
    }
    if (is_known) {
      *total = before;
    }
  }
};

}  // namespace upsweep::distributed::detail
