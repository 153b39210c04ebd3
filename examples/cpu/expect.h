// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares results of the examples with the expected values.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

// The array must begin with these elements.
template <class Array, class T>
void expect(const Array &array, std::initializer_list<T> wanted) {
  if (!std::equal(wanted.begin(), wanted.end(), array.begin())) {
    std::puts("not as expected");
    std::exit(1);
  }
}
