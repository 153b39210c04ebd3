// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the CPU library, on its pool of threads.
#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/histogram.h>
#include <upsweep/cpu/merge.h>
#include <upsweep/cpu/partition.h>
#include <upsweep/cpu/recurrence.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/run_length.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/segmented_reduce.h>
#include <upsweep/cpu/segmented_sort.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/cpu/summed_area.h>
#include <upsweep/cpu/top_k.h>

#include "../cpu/array.h"

#include <cstring>

namespace up = upsweep::cpu;

namespace upsweep::bench {
namespace {

struct Memory {
  std::shared_ptr<Array<unsigned char>> bytes;
  template <class T>
  T *as(std::size_t first = 0) const {
    return reinterpret_cast<T *>(bytes->data()) + first;
  }
};

struct IsOdd {
  bool operator()(int x) const { return (x & 1) != 0; }
};

}  // namespace
}  // namespace upsweep::bench

#include "calls.h"

namespace upsweep::bench {

std::vector<Call> cpu_calls(const Contents &contents) {
  const Arrays a = arrays_of(contents, [](std::size_t bytes, const void *from) {
    Memory memory{std::make_shared<Array<unsigned char>>(bytes, cpu::default_pool())};
    if (from != nullptr) std::memcpy(memory.bytes->data(), from, bytes);
    return memory;
  });
  Calls calls{"CPU library", [a] {}, {}};  // the arrays live as long as the calls
  add_scans(calls, a);
  add_compactions(calls, a);
  add_reductions(calls, a);
  add_sorts(calls, a);
  add_images(calls, a);
  return calls.all;
}

}  // namespace upsweep::bench
