// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of an array of which each rank has a part. Each rank gets the result.
//
//   reduce            *out = initial op x[0] op ... op x[n - 1], where x is the whole array
//   sum               the same with plus, from 0
//   transform_reduce  the same with transform(x[i]), or transform(x[i], i) with the index in the whole array
//   arg_min, arg_max  *out = the least (largest) element and its index in the whole array, the first of equal ones. NaNs are
//                     ignored; if all elements are NaNs, the result is the first. Without elements *out is unchanged
//
// `ranks`      communicator (communicator.h). `in`, `n`, `op`, `initial`: see cpu/reduce.h.
// `out`        iterator, to which a T is assigned.
// `options`    an executor; accumulator; reproducible.
//
// Each element is read once, and totals of one rank each are gathered. Determinism: the bits depend on the lengths of the
// parts, where op rounds. With `reproducible` the operands are bracketed as in the tiles of a reproducible scan (scan.h). The
// bits are then the same for all numbers of ranks and lengths of parts. cpu::reduce has other bits.
//
// Errors: on all ranks (communicator.h).
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/distributed/detail/scan_parts.h>

namespace upsweep::distributed {

using cpu::indexed;

namespace detail {

// A transform with the index in the whole array.
template <class Transform>
struct FromIndex {
  Transform transform;
  std::uint64_t begin;
  template <class T>
  auto operator()(const T &value, std::uint64_t i) const {
    return transform(value, begin + i);
  }
};

// The number of elements before this rank's part.
template <class C>
std::uint64_t begin_of_part(Call<C> &call, std::uint64_t n) {
  const auto counts = call.gather([&] { return n; });
  std::uint64_t begin = 0;
  for (unsigned r = 0; r < call.rank(); ++r) {
    begin += counts[r];
  }
  return begin;
}

template <class T, class C, class In, class Out, class Op, class Transform, class... More>
void reduce(C &ranks, const char *name, In in, Out out, std::uint64_t n, Op op, const T *initial, const Transform &transform,
            More &...more) {
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  constexpr bool kReproducible = has_option<reproducible_t, More...> && !cpu::detail::is_exact<Op, T>;
  constexpr bool kIsIndexed = std::is_invocable_v<const Transform &, ValueOf<In>, std::uint64_t>;
  auto &executor = executor_of(more...);
  Call<C> call(ranks, name, scan_hash<T, true, Op, More...>());
  const auto check = [&] {
    cpu::detail::require_array(in, n, "the input");
    cpu::detail::require_array(out, 1, "the result");
  };
  const PartTotal<T> first = initial != nullptr ? PartTotal<T>{*initial, true} : PartTotal<T>{};
  PartTotal<T> total;
  if constexpr (kReproducible) {
    static_assert(!kIsIndexed, "reproducible reductions take no transform with an index");
    using Option = transform_input<Transform>;
    total = ReproducibleScan<T, true, false, C, In, std::remove_cv_t<ValueOf<In>> *, Op, Option>(call, in, nullptr, n, op)
                .reduce(check, initial, executor, Option(transform));
  } else {
    std::uint64_t begin = 0;
    if constexpr (kIsIndexed) {
      begin = begin_of_part(call, n);
    }
    const auto parts = call.gather([&] {
      check();
      PartTotal<T> own;
      if constexpr (kIsIndexed) {
        cpu::detail::reduce(in, &own.value, n, op, static_cast<const T *>(nullptr), FromIndex<Transform>{transform, begin},
                            executor);
      } else {
        cpu::detail::reduce(in, &own.value, n, op, static_cast<const T *>(nullptr), transform, executor);
      }
      own.is_known = n > 0;
      return own;
    });
    const auto add_up = [&] { total = total_before<false>(parts, call.size(), first, op); };
    if constexpr (cpu::is_commutative<Op, T>) {
      add_up();  // these operators throw nothing
    } else {
      call.agree(add_up);
    }
  }
  if (total.is_known) {
    *out = total.value;
  }
}

template <bool kLeast, class C, class In, class Out, class... More>
void arg_best(C &ranks, const char *name, In in, Out out, std::uint64_t n, More &...more) {
  using Best = indexed<std::remove_cv_t<ValueOf<In>>>;
  auto &executor = executor_of(more...);
  Call<C> call(ranks, name, types_hash<Best>());
  struct Part {
    Best best;
    std::uint64_t n;
  };
  const auto parts = call.gather([&] {
    cpu::detail::require_array(out, 1, "the result");
    Part own{{}, n};
    cpu::detail::arg_best<kLeast>(in, &own.best, n, executor);
    return own;
  });
  const cpu::detail::Better<kLeast> better;
  PartTotal<Best> best;
  std::uint64_t begin = 0;
  for (const Part &part : parts) {
    if (part.n > 0) {
      best = join(best, PartTotal<Best>{{part.best.value, begin + part.best.index}, true}, better);
    }
    begin += part.n;
  }
  if (best.is_known) {
    *out = best.value;
  }
}

}  // namespace detail

template <class C, class In, class Out, class N, class Op, class Transform, class Initial, class... More>
void transform_reduce(C &ranks, In in, Out out, N n, Op op, Transform transform, Initial initial, More &&...more) {
  const auto first = cpu::detail::initial_for<Out, Op, More...>(initial);
  detail::reduce(ranks, "transform_reduce", in, out, detail::count_of(n), op, &first, transform, more...);
}

template <class C, class In, class Out, class N, class Op, class Initial, class... More>
void reduce(C &ranks, In in, Out out, N n, Op op, Initial initial, More &&...more) {
  const auto first = cpu::detail::initial_for<Out, Op, More...>(initial);
  detail::reduce(ranks, "reduce", in, out, detail::count_of(n), op, &first, detail::Unchanged(), more...);
}

template <class C, class In, class Out, class N, class... More>
void sum(C &ranks, In in, Out out, N n, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  distributed::reduce(ranks, in, out, n, plus{}, identity<plus, T>::value(), more...);
}

template <class C, class In, class Out, class N, class... More>
void arg_min(C &ranks, In in, Out out, N n, More &&...more) {
  detail::arg_best<true>(ranks, "arg_min", in, out, detail::count_of(n), more...);
}

template <class C, class In, class Out, class N, class... More>
void arg_max(C &ranks, In in, Out out, N n, More &&...more) {
  detail::arg_best<false>(ranks, "arg_max", in, out, detail::count_of(n), more...);
}

}  // namespace upsweep::distributed
#endif
