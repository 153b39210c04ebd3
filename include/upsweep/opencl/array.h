// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of a call's elements: a buffer or sub-buffer, from an element on, or an SVM pointer.
//
//     up::buffer<int> x(memory)         from the first element of a cl_mem or cl::Buffer on
//     up::buffer<float>(memory, 1000)   from element 1000 on
//     pointer                           an int * of clSVMAlloc, or of the host if the device shares its memory
//     up::array(affine, memory)         of a type that is defined by text
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/types.h>

#include <concepts>
#include <memory>

namespace upsweep::opencl {

namespace detail {

// OpenCL's handle, or an object of CL/opencl.hpp that has one.
template <class Handle, class T>
concept handle_or_owner = std::convertible_to<T, Handle> || requires(const T &object) {
  { object.get() } -> std::convertible_to<Handle>;
};

template <class Handle, class T>
Handle handle_of(const T &object) {
  if constexpr (std::convertible_to<T, Handle>) {
    return object;
  } else {
    return object.get();
  }
}

}  // namespace detail

// A command queue of the host, in order or out of order.
struct queue {
  cl_command_queue handle;
  template <class T>
    requires detail::handle_or_owner<cl_command_queue, T>
  queue(const T &object) : handle(detail::handle_of<cl_command_queue>(object)) {}
};

struct array {
  element_type type;
  cl_mem memory = nullptr;
  std::size_t offset = 0;  // in elements
  void *pointer = nullptr;
  bool is_pointer = false;
  std::shared_ptr<const array> indices;  // element i is at indices[i] (gather.h)
  bool is_scattered = false;

  array() = default;
  template <class Memory>
    requires detail::handle_or_owner<cl_mem, Memory>
  array(element_type element, const Memory &object, std::size_t first = 0)
      : type(std::move(element)), memory(detail::handle_of<cl_mem>(object)), offset(first) {}
  // SVM memory of a type that is defined by text.
  static array at(element_type element, const void *svm) {
    array a;
    a.type = std::move(element);
    a.pointer = const_cast<void *>(svm);
    a.is_pointer = true;
    return a;
  }
  template <class T, class = decltype(type_of<T>::value())>
  array(T *svm) : array(at(type_of<std::remove_const_t<T>>::value(), svm)) {}
  template <class T, class = decltype(type_of<T>::value())>
  array(const T *svm) : array(at(type_of<T>::value(), svm)) {}
};

// An array of Ts in a buffer, from element `first` on. Calls take it as an array; functions of your own can ask for its type.
template <class T>
struct buffer : array {
  using value_type = T;

  template <class Memory>
    requires detail::handle_or_owner<cl_mem, Memory>
  buffer(const Memory &object, std::size_t first = 0) : array(type_of<T>::value(), object, first) {}
};

}  // namespace upsweep::opencl
#endif
