// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Like calls.h, with the calls that the CPU library lacks.
#ifndef UPSWEEP_BENCH_OPENCL_LIBRARY_ROW_CALLS_H
#define UPSWEEP_BENCH_OPENCL_LIBRARY_ROW_CALLS_H

#include "calls.h"

namespace upsweep::bench {
namespace {

template <class... On>
void add_top_k_of_rows(Calls &to, const Arrays &a, const On &...on) {
  const std::size_t rows = a.n / kRow;
  to.add("top 16 of rows", "u32", 4 * double(a.n) * (1 + double(kFirst) / kRow), [=] {
    return up::top_k_keys_of_rows(a.words.as<std::uint32_t>(), a.out.as<std::uint32_t>(), rows, kRow, kFirst, on...);
  });
}

}  // namespace
}  // namespace upsweep::bench

#endif
