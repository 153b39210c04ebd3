// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU part's functions for one type of elements. Each type is a translation unit.
#pragma once

#include "calls.h"

#include <upsweep/cpu/thread_pool.h>

namespace upsweep::python {

using cpu::thread_pool;

// Null where the type lacks the operator; signed integers use the wrapping operators of the unsigned ones.
struct Calls {
  void (*scan[kOperators])(const Scan &, thread_pool &);
  void (*reduce[kOperators])(const Scan &, thread_pool &);
  void (*scan_wide)(const Scan &, thread_pool &);
  void (*reduce_wide)(const Scan &, thread_pool &);
  void (*scan_by)(const Scan &, const Expression &, thread_pool &);
  void (*reduce_by)(const Scan &, const Expression &, thread_pool &);
  void (*select)(const Array &, thread_pool &);
  void (*unique)(const Array &, thread_pool &);
  void (*sort)(const Array &, thread_pool &);
  void (*ranks)(const Ranks &, thread_pool &);
  void (*merge)(const Merge &, thread_pool &);
  void (*histogram)(const Histogram &, thread_pool &);
  void (*summed_area)(const Image &, thread_pool &);
  void (*box_filter)(const Image &, thread_pool &);
};

// Defined in the translation unit of the type.
template <Type kType>
const Calls &calls_of();

}  // namespace upsweep::python
