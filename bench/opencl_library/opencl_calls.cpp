// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the library for OpenCL queues, copies by the driver, and the buffers of both.
#include <upsweep/opencl/axis.h>
#include <upsweep/opencl/histogram.h>
#include <upsweep/opencl/merge.h>
#include <upsweep/opencl/partition.h>
#include <upsweep/opencl/recurrence.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segmented_reduce.h>
#include <upsweep/opencl/segmented_sort.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>
#include <upsweep/opencl/summed_area.h>
#include <upsweep/opencl/top_k.h>
#include <upsweep/opencl/top_k_of_rows.h>

#include "opencl_memory.h"

namespace up = upsweep::opencl;

namespace upsweep::bench {
namespace {

struct Memory {
  cl_mem memory;
  template <class T>
  up::array as(std::size_t first = 0) const {
    return up::buffer<T>(memory, first);
  }
};

struct IsOdd : up::function {
  IsOdd() : up::function("is_odd", "bool is_odd(int x) { return (x & 1) != 0; }") {}
};

void require(cl_int code) { require_success(code, up::last_message()); }

}  // namespace
}  // namespace upsweep::bench

#include "row_calls.h"

namespace upsweep::bench {
namespace {

Arrays buffers(cl_command_queue queue, const Contents &contents) {
  return arrays_of(contents, [&](std::size_t bytes, const void *from) { return Memory{memory_of(queue, bytes, from)}; });
}

Calls calls_on(cl_command_queue queue, std::string by) {
  return {std::move(by), [queue] { require_success(clFinish(queue), "clFinish"); }, {}};
}

void append(std::vector<Call> &to, const Calls &more) { to.insert(to.end(), more.all.begin(), more.all.end()); }

}  // namespace

std::vector<Call> copies(cl_command_queue queue, const Contents &contents) {
  cl_mem from = memory_of(queue, 8 * contents.n, contents.words.data()), to = memory_of(queue, 8 * contents.n, nullptr);
  Calls calls = calls_on(queue, "driver");
  for (const std::size_t size : {4, 8}) {
    const std::size_t bytes = size * contents.n;
    calls.add("copy", size == 4 ? "4 bytes" : "8 bytes", 2 * double(bytes),
              [=] { return clEnqueueCopyBuffer(queue, from, to, 0, 0, bytes, 0, nullptr, nullptr); });
  }
  return calls.all;
}

std::vector<Call> opencl_calls(cl_command_queue queue, const Contents &contents) {
  const Arrays a = buffers(queue, contents);
  std::vector<Call> all;
  for (const int launches : {1, 3}) {
    const up::plan how{launches, 0, -1, 0, 0};
    const auto x = a.words.as<int>(), out = a.out.as<int>();
    if (up::inclusive_sum(x, out, 1, queue, how) == CL_INVALID_OPERATION) continue;
    Calls calls = calls_on(queue, launches == 1 ? "one launch" : "three launches");
    add_scans(calls, a, queue, how);
    add_compactions(calls, a, queue, how);
    append(all, calls);
  }
  Calls others = calls_on(queue, "library");
  add_reductions(others, a, queue);
  add_sorts(others, a, queue);
  add_top_k_of_rows(others, a, queue);
  add_images(others, a, queue);
  append(all, others);
  return all;
}

std::vector<Call> opencl_shapes(cl_command_queue queue, const Contents &contents) {
  const Arrays a = buffers(queue, contents);
  const double bytes = 8 * double(a.n);
  const auto x = a.words.as<int>(), out = a.out.as<int>();
  const auto f = a.numbers.as<float>(), f_out = a.out.as<float>();
  std::vector<Call> all;
  for (const int functions : {0, 1, 2}) {
    const up::plan how{0, 0, functions, 0, 0};
    Calls calls = calls_on(queue, "functions " + std::to_string(functions));
    calls.add("sum", "i32", bytes, [=] { return up::inclusive_sum(x, out, a.n, queue, how); });
    calls.add("sum", "f32", bytes, [=] { return up::inclusive_sum(f, f_out, a.n, queue, how); });
    append(all, calls);
  }
  for (const unsigned group : {64U, 128U, 256U, 512U}) {
    for (const unsigned items : {3U, 7U, 11U, 15U, 23U}) {
      const up::plan how{0, 0, -1, group, items};
      if (std::size_t(group) * items * 4 > 40000) continue;
      Calls calls = calls_on(queue, std::to_string(group) + " x " + std::to_string(items));
      calls.add("sum", "i32", bytes, [=] { return up::inclusive_sum(x, out, a.n, queue, how); });
      append(all, calls);
    }
  }
  return all;
}

}  // namespace upsweep::bench
