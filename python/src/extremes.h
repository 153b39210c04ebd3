// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running minima and maxima with the indices of their elements, which upsweep.torch calls.
#pragma once

#include "calls.h"

#include <upsweep/cpu/thread_pool.h>

namespace upsweep::python {

void scan_extremes(const Extremes &of, cpu::thread_pool &pool);

}  // namespace upsweep::python
