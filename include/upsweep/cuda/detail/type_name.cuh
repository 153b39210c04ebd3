// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a type has a given name, without its declaration. Thrust and libcu++ change their inline namespaces between versions,
// so a forward declaration would declare another type. Including them takes longer than all of this library.
#pragma once

#include <upsweep/cuda/version.cuh>

namespace upsweep::cuda::detail {

// With nvcc, GCC and Clang the text ends in "T = space::name<...>]", or has this part before a semicolon.
template <class T>
__host__ __device__ constexpr const char *signature_of() {
  return __PRETTY_FUNCTION__;
}

constexpr bool is_same_text(const char *text, int length, const char *other) {
  for (int i = 0; i < length; ++i) {
    if (text[i] != other[i] || other[i] == '\0') {
      return false;
    }
  }
  return other[length] == '\0';
}
constexpr bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// True if the T of a signature is a class `name` in namespace `space`, or in a namespace inside it.
constexpr bool is_name_in(const char *signature, const char *space, const char *name) {
  int begin = 0;
  while (!(signature[begin] == 'T' && signature[begin + 1] == ' ' && signature[begin + 2] == '=')) {
    if (signature[++begin] == '\0') {
      return false;
    }
  }
  begin += 4;
  int first_end = begin, last = begin, end = begin;
  while (is_of_name(signature[first_end])) {
    ++first_end;
  }
  for (; is_of_name(signature[end]) || signature[end] == ':'; ++end) {
    if (signature[end] == ':') {
      last = end + 1;
    }
  }
  return is_same_text(signature + begin, first_end - begin, space) && is_same_text(signature + last, end - last, name);
}

template <class T>
constexpr bool is_named(const char *space, const char *name) {
  return is_name_in(signature_of<T>(), space, name);
}

}  // namespace upsweep::cuda::detail
