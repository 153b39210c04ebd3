// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums of exponentials of float32 and float64, which upsweep.torch calls.
#pragma once

#include "calls.h"

#include <upsweep/cpu/thread_pool.h>

namespace upsweep::python {

void scan_logarithmic(const Scan &of, cpu::thread_pool &pool);

}  // namespace upsweep::python
