// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear recurrences of the CPU part, for all types of states.
#pragma once

#include "calls.h"

#include <upsweep/cpu/thread_pool.h>

namespace upsweep::python {

void linear_recurrence(const Recurrence &of, cpu::thread_pool &pool);

}  // namespace upsweep::python
