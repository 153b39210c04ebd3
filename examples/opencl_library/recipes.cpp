// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every call of the library for OpenCL queues, on the plain C API; the results that say most are checked.
#include <upsweep/opencl/partition.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace up = upsweep::opencl;

namespace {

void require(cl_int code, int line) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "line %d: error %d: %s\n", line, code, up::last_message());
  std::exit(1);
}
#define REQUIRE(call) require(call, __LINE__)

constexpr std::size_t n = 10000;

template <class T>
struct Memory {
  cl_command_queue queue;
  cl_mem memory;

  Memory(cl_context context, cl_command_queue on, std::size_t count)
      : queue(on), memory(clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(T), nullptr, nullptr)) {}
  ~Memory() { clReleaseMemObject(memory); }
  operator up::array() const { return up::buffer<T>(memory); }
  T at(std::size_t i) const {
    T x{};
    REQUIRE(clEnqueueReadBuffer(queue, memory, CL_TRUE, i * sizeof(T), sizeof(T), &x, 0, nullptr, nullptr));
    return x;
  }
};

void expect(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

void calls(cl_context context, cl_command_queue queue) {
  Memory<int> x(context, queue, n), out(context, queue, n), keys(context, queue, n), second(context, queue, n);
  Memory<cl_long> offsets(context, queue, n + 1), total(context, queue, 1);
  Memory<cl_uint> count(context, queue, 1);
  std::vector<int> ones(n, 1), numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<int>(i / 10);
  REQUIRE(clEnqueueWriteBuffer(queue, x.memory, CL_TRUE, 0, n * 4, ones.data(), 0, nullptr, nullptr));
  REQUIRE(clEnqueueWriteBuffer(queue, keys.memory, CL_TRUE, 0, n * 4, numbers.data(), 0, nullptr, nullptr));
  const up::function is_even("is_even", "bool is_even(int a) { return a % 2 == 0; }");

  // recipe(scans)
  REQUIRE(up::inclusive_sum(x, out, n, queue));
  expect(out.at(n - 1) == n, "the sum");
  REQUIRE(up::exclusive_scan(x, out, n, up::maximum{}, -1, queue));
  REQUIRE(up::exclusive_sum(x, offsets, n, queue, up::total_to(up::buffer<cl_long>(offsets.memory, n))));  // n + 1 offsets
  REQUIRE(up::inclusive_sum(x, out, n, queue, up::backward));              // from the last element on
  REQUIRE(up::inclusive_scan_by_key(keys, x, out, n, up::plus{}, queue));  // anew at each other key
  expect(out.at(n - 1) == 10, "a sum by key");
  REQUIRE(up::inclusive_scan_of_rows(x, out, n, 100, up::plus{}, queue));  // anew after each 100
  // end

  // recipe(compactions)
  REQUIRE(up::select_if(keys, out, count, n, is_even, queue));  // *count of them, on the device
  expect(count.at(0) == n / 2, "half are even");
  REQUIRE(up::select_by_flag(x, keys, out, count, n, queue));
  REQUIRE(up::stable_partition_if(keys, out, second, count, n, is_even, queue));  // the others to `second`
  REQUIRE(up::unique(keys, out, count, n, queue));
  REQUIRE(up::run_length_encode(keys, out, second, count, n, queue));             // values and lengths
  REQUIRE(up::reduce_by_key(keys, x, out, second, count, n, up::plus{}, queue));  // keys and totals
  expect(count.at(0) == n / 10 && second.at(0) == 10, "runs of ten");
  // end

  // recipe(others)
  REQUIRE(up::sum(x, total, n, queue));  // in 64 bits, as `total` has
  expect(total.at(0) == n, "the total");
  REQUIRE(up::reduce(keys, out, 1, up::minimum{}, 7, queue));
  REQUIRE(up::sort_keys(keys, out, n, queue, up::descending));
  expect(out.at(0) == n / 10 - 1, "the greatest first");
  REQUIRE(up::sort_pairs(keys, out, x, second, n, queue));
  // end

  // recipe(text)
  const up::element_type affine("affine", "typedef struct { float a, b; } affine;", 8, 4);
  const up::operation compose("compose", "affine compose(affine f, affine g) { return (affine){f.a * g.a, f.b * g.a + g.b}; }");
  REQUIRE(up::inclusive_scan(up::array(affine, x.memory), up::array(affine, out.memory), n / 2, compose, queue));
  // end

  // recipe(events)
  cl_event ready = nullptr, done = nullptr;
  REQUIRE(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &ready));
  REQUIRE(up::inclusive_sum(x, out, n, queue, up::wait_for{&ready, 1}, up::signal(&done)));
  // end
  REQUIRE(clWaitForEvents(1, &done));
  clReleaseEvent(ready);
  clReleaseEvent(done);
}

}  // namespace

int main() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) {
    return 77;
  }
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  calls(context, queue);
  up::release_programs(context);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
