// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions: the total of all elements of an array, at the speed of reading them.
//
//   reduce            *out = initial op x[0] op ... op x[n - 1]
//   sum               the same with plus, from 0
//   transform_reduce  the same with transform(x[i]), or transform(x[i], i)
//   arg_min, arg_max  *out = the least (largest) element and its index, the first of equal ones. NaNs are ignored, as in
//                     minimum and maximum (operators.h); if all elements are NaNs, the result is the first
//
// `in`        random-access iterator.
// `out`       iterator, to which a T is assigned.
// `n`         number of elements, or count_at(pointer, at_most). With none, arg_min and arg_max leave *out unchanged.
// `op`        associative; it need not commute.
// `initial`   a value or initial_at(pointer). T, the type of totals, is that of the initial value; sums and products of
//             integers use the type of `out` if it is a wider integer (accumulator in options.h).
// `executor`  see executor.h.
// `options`   accumulator (options.h); reproducible: sums and products of floating-point numbers, and compensated sums, have
//             the bits of the CUDA library's reductions of arrays that begin at a multiple of 16 bytes
//             (docs/cpu-reproducible.md).
//
// The order of the operands depends on n and the types alone, so that results have the same bits for every number of threads,
// all instructions and every address. Errors: see scan.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/indexed.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/kernels.h>
#include <upsweep/cpu/detail/reproducible_reduce.h>
#include <upsweep/cpu/detail/tiles.h>
#include <upsweep/cpu/find.h>
#include <upsweep/cpu/thread_pool.h>

#include <vector>

namespace upsweep::cpu {

using common::indexed;

namespace detail {

using common::Better, common::WithIndex;

template <class T, class In, class Op, class Transform>
struct ReduceJob {
  using Kernel = KernelFor<T, Op>;
  using Total = typename Kernel::Carry;
  static constexpr bool kIsIndexed = std::is_invocable_v<const Transform &, ValueOf<In>, std::uint64_t>;
  static constexpr bool kIsDirect =
      is_contiguous<In> && std::is_same_v<Transform, Unchanged> && Kernel::template kReads<std::remove_cv_t<ValueOf<In>>>;

  In in;
  Transform transform;
  Kernel kernel;

  Total reduce(std::uint64_t begin, std::uint64_t end) const {
    if constexpr (kIsDirect) {
      return kernel.reduce(address(in) + begin, end - begin);
    } else {
      TileBuffer<T> buffer;
      Total total = kernel.nothing();
      for (std::uint64_t i = begin; i < end; i += kTileItems<T>) {
        const std::size_t count = std::min<std::uint64_t>(kTileItems<T>, end - i);
        for (std::size_t k = 0; k < count; ++k) {
          const auto &element = in[static_cast<std::ptrdiff_t>(i + k)];
          if constexpr (kIsIndexed) {
            buffer.items()[k] = static_cast<T>(transform(element, i + k));
          } else {
            buffer.items()[k] = static_cast<T>(transform(element));
          }
        }
        total = kernel.combine(total, kernel.reduce(static_cast<const T *>(buffer.items()), count));
      }
      return total;
    }
  }
};

template <class T, class In, class Op, class Transform>
struct OperandOf {
  In in;
  Transform transform;
  T operator()(std::uint64_t i) const {
    const auto &element = in[static_cast<std::ptrdiff_t>(i)];
    if constexpr (std::is_invocable_v<const Transform &, ValueOf<In>, std::uint64_t>) {
      return static_cast<T>(transform(element, i));
    } else {
      return static_cast<T>(transform(element));
    }
  }
};

template <class T, class In, class Out, class Op, class Transform, class Executor, class... Options>
void reduce(In in, Out out, std::uint64_t n, Op op, const T *initial, Transform transform, Executor &executor,
            const Options &...) {
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  using Job = ReduceJob<T, In, Op, Transform>;
  require_array(in, n, "the input");
  require_array(out, 1, "the result");
  if constexpr (has_option<reproducible_t, Options...> && is_commutative<Op, T> && !is_exact<Op, T>) {
    if (n > 0) {
      const OperandOf<T, In, Op, Transform> operand{in, transform};
      const T total = reproducible_total<T, In>(n, op, operand, executor);
      *out = initial != nullptr ? op(*initial, total) : total;
      return;
    }
  }
  const Job job{in, transform, {op}};
  auto total = initial != nullptr ? job.kernel.of(*initial) : job.kernel.nothing();
  const Chunks chunks(n, std::max(sizeof(T), sizeof(ValueOf<In>)));
  if (chunks.count() <= 1) {
    total = n > 0 ? job.kernel.combine(total, job.reduce(0, n)) : total;
  } else {
    std::vector<typename Job::Total> totals(chunks.count());
    for_each_piece(executor, chunks.count(),
                   [&](std::uint64_t chunk) { totals[chunk] = job.reduce(chunks.begin(chunk), chunks.end(chunk)); });
    for (const auto &part : totals) {
      total = job.kernel.combine(total, part);
    }
  }
  if (n > 0 || initial != nullptr) {
    *out = job.kernel.value(total);
  }
}

// Numbers are compared as vectors, and then the best one is searched for: some of them are read twice.
template <bool kLeast, class In, class Out, class Executor>
void arg_best(In in, Out out, std::uint64_t n, Executor &executor) {
  using T = std::remove_cv_t<ValueOf<In>>;
  if constexpr (std::is_pointer_v<In> && std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    require_array(in, n, "the input");
    require_array(out, 1, "the result");
    if (n == 0) {
      return;
    }
    T best{};
    std::uint64_t place = 0;
    reduce(in, &best, n, std::conditional_t<kLeast, minimum, maximum>(), static_cast<const T *>(nullptr), Unchanged(),
           executor);
    cpu::find_if(in, &place, n, [best](const T &x) { return x == best; }, executor);
    place = place < n ? place : 0;
    *out = indexed<T>{in[place], place};
  } else {
    reduce(in, out, n, Better<kLeast>(), static_cast<const indexed<T> *>(nullptr), WithIndex(), executor);
  }
}

}  // namespace detail

template <class In, class Out, class N, class Op, class Transform, class Initial, class... More>
void transform_reduce(In in, Out out, N n, Op op, Transform transform, Initial initial, More &&...more) {
  const auto first = detail::initial_for<Out, Op, More...>(initial);
  detail::reduce(in, out, detail::count_of(n), op, &first, transform, detail::executor_of(more...), more...);
}

template <class In, class Out, class N, class Op, class Initial, class... More>
void reduce(In in, Out out, N n, Op op, Initial initial, More &&...more) {
  cpu::transform_reduce(in, out, n, op, detail::Unchanged(), initial, more...);
}

template <class In, class Out, class N, class... More>
void sum(In in, Out out, N n, More &&...more) {
  using T = std::remove_cv_t<detail::ValueOf<In>>;
  cpu::reduce(in, out, n, plus{}, identity<plus, T>::value(), more...);
}

template <class In, class Out, class N, class... More>
void arg_min(In in, Out out, N n, More &&...more) {
  detail::arg_best<true>(in, out, detail::count_of(n), detail::executor_of(more...));
}

template <class In, class Out, class N, class... More>
void arg_max(In in, Out out, N n, More &&...more) {
  detail::arg_best<false>(in, out, detail::count_of(n), detail::executor_of(more...));
}

}  // namespace upsweep::cpu
#endif
