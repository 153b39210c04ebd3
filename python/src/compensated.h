// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compensated sums of float64, which upsweep.dask and upsweep.distributed call for the parts of an array.
#pragma once

#include "calls.h"

#include <upsweep/cpu/thread_pool.h>

namespace upsweep::python {

void scan_compensated(const Scan &of, cpu::thread_pool &pool);
void reduce_compensated(const Scan &of, cpu::thread_pool &pool);

}  // namespace upsweep::python
