// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan of a whole array over ranks: each rank reduces its part, gathers the totals of all parts, and scans its part from the
// total of the parts before it.
#pragma once

#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/distributed/detail/call.h>
#include <upsweep/distributed/detail/reproducible_scan.h>

namespace upsweep::distributed::detail {

// The types and options of scans and reductions that must be the same on all ranks.
template <class T, class... Constants>
constexpr std::uint64_t options_hash() {
  return types_hash<T, Constants...>();
}
template <class Op>
constexpr std::uint64_t operator_hash() {
  if constexpr (requires { Op::kName; }) {
    return hash_of(Op::kName);
  } else {
    return 0;
  }
}
template <class T, bool kInclusive, class Op, class... More>
constexpr std::uint64_t scan_hash() {
  return mix(
      types_hash<T, std::bool_constant<kInclusive>>(),
      mix(operator_hash<Op>(), (has_option<backward_t, More...> ? 1U : 0U) + (has_option<reproducible_t, More...> ? 2U : 0U)));
}

// op with its operands exchanged; the order of operators that commute is free.
template <class Op>
struct Flipped {
  Op op;
  template <class T>
  T operator()(const T &a, const T &b) const {
    return op(b, a);
  }
};
template <class T, bool kBackward, class Op>
auto in_order(const Op &op) {
  if constexpr (kBackward && !cpu::is_commutative<Op, T>) {
    return Flipped<Op>{op};
  } else {
    return op;
  }
}

// The total of the ranks that come before `rank` in the order of the scan, from `first` on.
template <bool kBackward, class T, class Op>
PartTotal<T> total_before(const std::vector<PartTotal<T>> &parts, unsigned rank, PartTotal<T> first, const Op &op) {
  const auto size = static_cast<unsigned>(parts.size());
  for (unsigned i = 0; i < (kBackward ? size - 1 - rank : rank); ++i) {
    first = join(first, parts[kBackward ? size - 1 - i : i], op);
  }
  return first;
}

// The total of the ranks whose end comes last, for total_to.
template <bool kBackward, class T>
PartTotal<T> last_of(const std::vector<PartTotal<T>> &ends) {
  PartTotal<T> last;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const PartTotal<T> &next = ends[kBackward ? ends.size() - 1 - i : i];
    last = next.is_known ? next : last;
  }
  return last;
}

template <class T, bool kInclusive, class C, class In, class Out, class Op, class... More>
void scan(C &ranks, const char *name, In in, Out out, std::uint64_t n, Op op, const T *initial, More &...more) {
  static_assert(std::is_trivially_copyable_v<T>, "totals must be trivially copyable");
  constexpr bool kBackward = has_option<backward_t, More...>;
  constexpr bool kReproducible = has_option<reproducible_t, More...> && !cpu::detail::is_exact<Op, T>;
  const auto transform = find_option<transform_input>(transform_input<Unchanged>(Unchanged{}), more...).function;
  const auto total = find_option<total_to>(0, more...);
  constexpr bool kHasTotal = !std::is_same_v<std::decay_t<decltype(total)>, int>;
  auto &executor = executor_of(more...);
  Call<C> call(ranks, name, scan_hash<T, kInclusive, Op, More...>());
  const auto check = [&] {
    using namespace cpu::detail;
    require_arrays({reads("the input", in, n, kTogether), writes("the output", out, n, kTogether), total_array(more...)});
  };
  std::vector<PartTotal<T>> ends;
  if constexpr (kReproducible) {
    ends = ReproducibleScan<T, kInclusive, kBackward, C, In, Out, Op, More...>(call, in, out, n, op)
               .scan(check, initial, executor, more...);
  } else {
    const auto parts = call.gather([&] {
      check();
      PartTotal<T> own;
      if (n > 0) {
        cpu::detail::reduce(in, &own.value, n, in_order<T, kBackward>(op), static_cast<const T *>(nullptr), transform,
                            executor);
        own.is_known = true;
      }
      return own;
    });
    ends = call.gather([&] {
      const PartTotal<T> first = initial != nullptr ? PartTotal<T>{*initial, true} : PartTotal<T>{};
      const PartTotal<T> before = total_before<kBackward>(parts, call.rank(), first, op);
      PartTotal<T> last;
      last.is_known = n > 0;
      cpu::detail::scan<T, kInclusive>(in, out, n, op, before.is_known ? &before.value : nullptr, executor,
                                       total_to<T>(&last.value), more...);
      return last;
    });
  }
  if constexpr (kHasTotal) {
    const PartTotal<T> last = last_of<kBackward>(ends);
    if (last.is_known || initial != nullptr) {
      *total.to = last.is_known ? last.value : *initial;
    }
  }
}

}  // namespace upsweep::distributed::detail
