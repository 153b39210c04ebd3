// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functors of the standard library, of libcu++ and of Thrust that operators.cuh has as well: calls use those, whose
// identity and commutativity are known, and which take the GPU's own instructions.
#pragma once

#include <upsweep/cuda/detail/type_name.cuh>
#include <upsweep/cuda/operators.cuh>

namespace upsweep::cuda::detail {

template <class Functor>
constexpr bool is_functor(const char *name) {
  return is_named<Functor>("cuda", name) || is_named<Functor>("std", name) || is_named<Functor>("thrust", name);
}

template <class Found>
struct Chosen {
  using type = Found;
};

template <class Op>
constexpr auto find_operator() {
  if constexpr (is_functor<Op>("plus")) {
    return Chosen<plus>{};
  } else if constexpr (is_functor<Op>("multiplies")) {
    return Chosen<multiplies>{};
  } else if constexpr (is_functor<Op>("minimum")) {
    return Chosen<minimum>{};
  } else if constexpr (is_functor<Op>("maximum")) {
    return Chosen<maximum>{};
  } else if constexpr (is_functor<Op>("bit_and")) {
    return Chosen<bit_and>{};
  } else if constexpr (is_functor<Op>("bit_or")) {
    return Chosen<bit_or>{};
  } else if constexpr (is_functor<Op>("bit_xor")) {
    return Chosen<bit_xor>{};
  } else if constexpr (is_functor<Op>("equal_to")) {
    return Chosen<equal_to>{};
  } else if constexpr (is_functor<Op>("minus")) {
    return Chosen<minus>{};
  } else {
    return Chosen<Op>{};
  }
}

// For operands of type T. A functor for another type converts its operands, and stays what it is.
template <class Op, class T>
struct KnownOperator {
  using type = Op;
};
template <template <class> class Functor, class T>
struct KnownOperator<Functor<void>, T> : decltype(find_operator<Functor<void>>()) {};
template <template <class> class Functor, class T>
struct KnownOperator<Functor<T>, T> : decltype(find_operator<Functor<T>>()) {};

template <class T, class Op>
auto known_operator(Op op) {
  using Known = typename KnownOperator<Op, T>::type;
  if constexpr (std::is_same_v<Known, Op>) {
    return op;
  } else {
    return Known{};
  }
}

}  // namespace upsweep::cuda::detail
