// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a failing program smaller while it still fails.
#ifndef UPSWEEP_TESTS_FUZZ_KERNEL_SHRINKER_H
#define UPSWEEP_TESTS_FUZZ_KERNEL_SHRINKER_H

#include "kernel_program.h"

#include <cstddef>
#include <functional>

namespace upsweep::fuzz {

[[nodiscard]] Program shrunk(Program program, const std::function<bool(const Program &)> &still_fails);

}  // namespace upsweep::fuzz
#endif
