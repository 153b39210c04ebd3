// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functors of the standard library, libcu++ and Thrust with an equivalent in operators.cuh. Calls use the equivalent, whose
// identity and commutativity are known, and which takes the GPU's own instructions.
#pragma once

#include <upsweep/cuda/detail/type_name.cuh>
#include <upsweep/cuda/operators.cuh>

namespace upsweep::cuda::detail {

template <class Functor>
constexpr bool is_functor(const char *name) {
  return is_named<Functor>("cuda", name) || is_named<Functor>("std", name) || is_named<Functor>("thrust", name);
}

// The operator among `First` and `Rest` that has the functor's name, or the functor.
template <class Functor, class... Ours>
struct Known {
  using type = Functor;
};
template <class Functor, class First, class... Rest>
struct Known<Functor, First, Rest...>
    : std::conditional_t<is_functor<Functor>(First::kName), Known<First>, Known<Functor, Rest...>> {};
template <class Functor>
using OursOf = Known<Functor, plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor, equal_to, minus>;

// For operands of type T. A functor for another type converts its operands, and is not replaced.
template <class Op, class T>
struct KnownOperator {
  using type = Op;
};
template <template <class> class Functor, class T>
struct KnownOperator<Functor<void>, T> : OursOf<Functor<void>> {};
template <template <class> class Functor, class T>
struct KnownOperator<Functor<T>, T> : OursOf<Functor<T>> {};

template <class T, class Op>
auto known_operator(Op op) {
  using Ours = typename KnownOperator<Op, T>::type;
  if constexpr (std::is_same_v<Ours, Op>) {
    return op;
  } else {
    return Ours{};
  }
}

}  // namespace upsweep::cuda::detail
