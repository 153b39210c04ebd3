// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a call: iterators that stand for contiguous memory become pointers, so that vectors and the copy engine can be
// used. Nothing of Thrust or libcu++ is included: their types are known by their names and members.
#pragma once

#include <upsweep/cuda/detail/type_name.cuh>

#include <iterator>
#include <memory>
#include <type_traits>

namespace upsweep::cuda::detail {

// The type of the elements: remove_cv of a pointer's, or a class's own element type. Iterators of libcu++ may lack what
// std::iterator_traits needs.
template <class Iterator, class = void>
struct ElementTraits {
  using type = std::decay_t<decltype(std::declval<Iterator &>()[0])>;
};
template <class T>
struct ElementTraits<T *, void> {
  using type = std::remove_cv_t<T>;
};
template <class Iterator>
struct ElementTraits<Iterator, std::void_t<typename Iterator::value_type>> {
  using type = std::remove_cv_t<typename Iterator::value_type>;
};
template <class Iterator>
using ElementOf = typename ElementTraits<Iterator>::type;

// The type of the results that an output takes: the elements of memory, and else, as with iterators that transform or discard
// what is assigned to them, `Made`.
template <class Output, class Made, class = void>
struct ResultTraits {
  using type = Made;
};
template <class Output, class Made>
struct ResultTraits<Output, Made, std::enable_if_t<std::is_lvalue_reference_v<decltype(std::declval<Output &>()[0])>>> {
  using Place = std::decay_t<decltype(std::declval<Output &>()[0])>;
  using type = std::conditional_t<std::is_same_v<Place, ElementOf<Output>>, Place, Made>;
};
template <class Output, class Made>
using ResultOf = typename ResultTraits<Output, Made>::type;

// thrust::device_ptr and other pointers of Thrust: get() returns a raw_pointer.
template <class P, class = void>
inline constexpr bool is_wrapped_pointer = false;
template <class P>
inline constexpr bool is_wrapped_pointer<P, std::void_t<typename P::raw_pointer, decltype(std::declval<const P &>().get())>> =
    std::is_pointer_v<typename P::raw_pointer>;

// A view of contiguous memory, as std::span: data() returns a pointer, and there is an element_type. Not a container, such as
// std::array, which would be copied.
template <class View, class = void>
inline constexpr bool is_view = false;
template <class View>
inline constexpr bool is_view<View, std::void_t<typename View::element_type, decltype(std::declval<const View &>().data())>> =
    std::is_pointer_v<decltype(std::declval<const View &>().data())> && std::is_trivially_copyable_v<View>;

// An iterator that says of itself that it is contiguous: of libcu++, or of the standard library from C++20 on.
template <class Iterator, class = void>
inline constexpr bool is_tagged_contiguous = false;
template <class Iterator>
inline constexpr bool is_tagged_contiguous<Iterator, std::void_t<typename Iterator::iterator_concept>> =
    is_named<typename Iterator::iterator_concept>("std", "contiguous_iterator_tag") ||
    is_named<typename Iterator::iterator_concept>("cuda", "contiguous_iterator_tag") ||
    is_named<typename Iterator::iterator_concept>("cuda", "__contiguous_iterator_tag_backfill");

template <class Iterator>
auto unwrapped(Iterator iterator) {
  if constexpr (std::is_pointer_v<Iterator>) {
    return iterator;
  } else if constexpr (std::is_array_v<Iterator>) {
    return &iterator[0];
  } else if constexpr (is_wrapped_pointer<Iterator>) {
    return static_cast<typename Iterator::raw_pointer>(iterator.get());
  } else if constexpr (is_named<Iterator>("thrust", "normal_iterator") ||       // of thrust::device_vector
                       is_named<Iterator>("__gnu_cxx", "__normal_iterator") ||  // of std::vector with an allocator of the GPU's
                       is_named<Iterator>("std", "__wrap_iter")) {
    return unwrapped(iterator.base());
  } else if constexpr (is_tagged_contiguous<Iterator>) {
    return iterator.operator->();
  } else if constexpr (is_view<Iterator>) {
    return iterator.data();
  } else {
    return iterator;
  }
}
template <class Iterator>
using Unwrapped = decltype(unwrapped(std::declval<Iterator>()));

// A pointer, or a class with elements at iterator[i].
template <class Iterator, class = void>
inline constexpr bool is_iterator = false;
template <class T>
inline constexpr bool is_iterator<T *, void> = !std::is_function_v<T> && !std::is_void_v<T>;
template <class Iterator>
inline constexpr bool is_iterator<
    Iterator, std::enable_if_t<std::is_class_v<Iterator>, std::void_t<decltype(std::declval<Iterator &>()[0]),
                                                                      decltype(std::declval<const Iterator &>() + 1)>>> = true;

}  // namespace upsweep::cuda::detail
