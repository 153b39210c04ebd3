// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of an array of which each GPU has a part. Each rank gets the result.
//
//   reduce            *out = initial op x[0] op ... op x[n - 1], where x is the whole array
//   sum               the same with plus, from 0
//   transform_reduce  the same with transform(x[i])
//   arg_min, arg_max  *out = the least (largest) element and its index in the whole array, the first of equal ones. NaNs are
//                     ignored; if all elements are NaNs, the result is the first. Without elements *out is unchanged
//
// `ranks`  communicator of GPUs (communicator.cuh). `in`, `n`, `op`, `initial`: see cuda/reduce.cuh.
// `out`    device pointer or iterator, to which a T is assigned.
//
// Each element is read once, and one message of 256 bytes goes to each rank. Nothing comes to the host. Errors: at the next
// wait (communicator.cuh). Determinism: floating-point results depend on the lengths of the parts.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/cuda/detail/part_total.cuh>

namespace upsweep::distributed {

namespace detail {

template <class T, class Out, class Op>
struct FinishReduction {
  RecordCheck check;
  Op op;
  gpu::Later<T> initial;
  Out out;

  __device__ void operator()(const Record *all) const {
    if (!check(all)) {
      return;
    }
    T total = initial.get();
    for (unsigned r = 0; r < check.size; ++r) {
      if (all[r].header.has_any != 0) {
        total = op(total, Record::read<T>(all[r].value));
      }
    }
    *out = total;
  }
};

template <class T, class C, class In, class Out, class Op, class Transform, class Initial>
void reduce_on_devices(C &ranks, const char *name, In in, Out out, gpu::Count count, Op op, const Initial &initial,
                       const Transform &transform) {
  DeviceCall<C> call(ranks, name, mix(types_hash<T>(), types_hash<Op>()));
  call.gather(
      count.most,
      [&] {
        if (gpu::is_null(out) || initial.is_null || count.is_null) {
          return cudaErrorInvalidValue;
        }
        return write_total<T>(ranks, call.header(count.most), in, count, op, transform);
      },
      FinishReduction<T, Out, Op>{call.check(), op, {initial.value, initial.pointer}, out});
}

template <class C, class In, class Out, class N, class Op, class Transform, class Initial>
void call_reduce_on_devices(C &ranks, const char *name, In in, Out out, N n, Op op, const Transform &transform,
                            Initial initial) {
  if constexpr (gpu::are_of_reduction<In, Out, N>()) {
    const auto first = gpu::total_initial<Op, Out>(initial);
    using T = std::decay_t<decltype(first.value)>;
    static_assert(std::is_invocable_v<Transform, gpu::ElementOf<gpu::Unwrapped<In>>>,
                  "upsweep: over ranks, a transformation is called with an element alone");
    if constexpr (gpu::is_operator_of<Op, T>()) {
      reduce_on_devices<T>(ranks, name, gpu::unwrapped(in), gpu::unwrapped(out), gpu::count_of(n), gpu::known_operator<T>(op),
                           first, transform);
    }
  }
}

// The best element of all parts, with its index in the whole array.
template <bool kLeast, class T, class Out>
struct FinishArg {
  RecordCheck check;
  Out out;

  __device__ void operator()(const Record *all) const {
    if (!check(all)) {
      return;
    }
    const gpu::Better<kLeast> better;
    bool is_known = false;
    T best{};
    std::uint64_t begin = 0;
    for (unsigned r = 0; r < check.size; ++r) {
      if (all[r].header.has_any != 0) {
        T own = Record::read<T>(all[r].value);
        own.index += begin;
        best = is_known ? better(best, own) : own;
        is_known = true;
      }
      begin += all[r].header.n;
    }
    if (is_known) {
      *out = best;
    }
  }
};

template <bool kLeast, class C, class In, class Out>
void arg_on_devices(C &ranks, const char *name, In in, Out out, std::uint64_t n) {
  if constexpr (gpu::are_of_reduction<In, Out, std::uint64_t>()) {
    using T = upsweep::cuda::indexed<gpu::ElementOf<gpu::Unwrapped<In>>>;
    DeviceCall<C> call(ranks, name, types_hash<T>());
    const auto to = gpu::unwrapped(out);
    call.gather(
        n,
        [&] {
          return gpu::is_null(to) ? cudaErrorInvalidValue
                                  : write_total<T>(ranks, call.header(n), gpu::unwrapped(in), gpu::count_of(n),
                                                   gpu::Better<kLeast>(), gpu::WithIndex());
        },
        FinishArg<kLeast, T, std::decay_t<decltype(to)>>{call.check(), to});
  }
}

}  // namespace detail

template <device_communicator C, class In, class Out, class N, class Op, class Transform, class Initial>
void transform_reduce(C &ranks, In in, Out out, N n, Op op, Transform transform, Initial initial) {
  detail::call_reduce_on_devices(ranks, "transform_reduce", in, out, n, op, transform, initial);
}

template <device_communicator C, class In, class Out, class N, class Op, class Initial>
void reduce(C &ranks, In in, Out out, N n, Op op, Initial initial) {
  detail::call_reduce_on_devices(ranks, "reduce", in, out, n, op, detail::gpu::Unchanged(), initial);
}

template <device_communicator C, class In, class Out, class N>
void sum(C &ranks, In in, Out out, N n) {
  using T = detail::gpu::ElementOf<detail::gpu::Unwrapped<In>>;
  distributed::reduce(ranks, in, out, n, upsweep::cuda::plus{}, upsweep::cuda::identity<upsweep::cuda::plus, T>::value());
}

template <device_communicator C, class In, class Out>
void arg_min(C &ranks, In in, Out out, std::uint64_t n) {
  detail::arg_on_devices<true>(ranks, "arg_min", in, out, n);
}

template <device_communicator C, class In, class Out>
void arg_max(C &ranks, In in, Out out, std::uint64_t n) {
  detail::arg_on_devices<false>(ranks, "arg_max", in, out, n);
}

}  // namespace upsweep::distributed
#endif
