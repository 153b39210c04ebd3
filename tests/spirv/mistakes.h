// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules with one mistake each.
#ifndef UPSWEEP_TESTS_SPIRV_MISTAKES_H
#define UPSWEEP_TESTS_SPIRV_MISTAKES_H

#include "module_builder.h"

#include <algorithm>
#include <functional>
#include <span>

namespace upsweep::tests {

/// A mistake in the kernel k(int *a, int *b), or in front of it.
struct Mistake {
  const char *instruction;  ///< the name in the log; empty if the test does not check it
  const char *reason;       ///< a part of the log's text
  std::function<void(KernelModule &m, const std::vector<Id> &arguments)> make;
};

std::span<const Mistake> mistakes();
Words module_of(const Mistake &mistake);

}  // namespace upsweep::tests
#endif
