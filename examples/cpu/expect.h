// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the examples expect is what they say.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

// The first elements of an array must be these.
template <class Array, class T>
void expect(const Array &array, std::initializer_list<T> wanted) {
  if (!std::equal(wanted.begin(), wanted.end(), array.begin())) {
    std::puts("not as expected");
    std::exit(1);
  }
}
