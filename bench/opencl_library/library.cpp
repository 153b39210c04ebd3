// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library for OpenCL queues beside a copy and Boost.Compute on one device, in turns: rows of JSON.
//
//     bench_opencl_library [LOG2_OF_ELEMENTS] [PLATFORM'S NAME] [all|shapes]
//
// A time is that of one of several calls in a row, by the host's clock, and the least of kSamples such rows.
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>

#ifdef UPSWEEP_BENCH_BOOST_COMPUTE
#include "boost_calls.h"
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

namespace up = upsweep::opencl;

namespace {

constexpr int kSamples = 7;

void require(cl_int code, const char *what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: error %d: %s\n", what, code, up::last_message());
  std::exit(1);
}

struct Case {
  std::string call, type, by;
  double bytes;
  std::function<void()> run;
  double seconds = 1e9;
};

struct Bench {
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  std::size_t n = 0;
  cl_mem in = nullptr, out = nullptr, keys = nullptr, second = nullptr, count = nullptr;
  std::vector<Case> cases;

  cl_mem memory(std::size_t bytes) {
    cl_int code = CL_SUCCESS;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    require(code, "clCreateBuffer");
    return made;
  }

  void add(const char *call, const char *type, const std::string &by, double bytes, std::function<void()> run) {
    cases.push_back({call, type, by, bytes, std::move(run)});
  }

  void copies() {
    for (const double size : {4.0, 8.0}) {
      add("copy", size == 4 ? "4 bytes" : "8 bytes", "driver", 2 * size * double(n), [this, size] {
        require(clEnqueueCopyBuffer(queue, in, out, 0, 0, std::size_t(size) * n, 0, nullptr, nullptr), "copy");
      });
    }
  }

  void calls() {
    const double bytes = 8.0 * double(n);
    const auto ints = up::buffer<int>(in), results = up::buffer<int>(out);
    const auto floats = up::buffer<float>(in), sums = up::buffer<float>(out);
    const auto number = up::buffer<cl_uint>(count);
    for (const int launches : {1, 3}) {
      const std::string by = launches == 1 ? "one launch" : "three launches";
      const up::plan how{launches, 0, -1, 0, 0};
      if (up::inclusive_sum(ints, results, 1, queue, how) == CL_INVALID_OPERATION) continue;
      add("sum", "i32", by, bytes, [=, this] { require(up::inclusive_sum(ints, results, n, queue, how), "sum"); });
      add("sum", "f32", by, bytes, [=, this] { require(up::inclusive_sum(floats, sums, n, queue, how), "sum"); });
      add("max", "i32", by, bytes,
          [=, this] { require(up::inclusive_scan(ints, results, n, up::maximum{}, queue, how), "max"); });
      add("sum", "i64", by, 2 * bytes, [=, this] {
        require(up::inclusive_sum(up::buffer<std::int64_t>(in), up::buffer<std::int64_t>(out), n, queue, how), "sum");
      });
      add("sum", "u8", by, 2.0 * double(n), [=, this] {
        require(up::inclusive_sum(up::buffer<std::uint8_t>(in), up::buffer<std::uint8_t>(out), n, queue, how), "sum");
      });
      add("select 50 %", "i32", by, bytes * 0.75, [=, this] {
        require(up::select_if(ints, results, number, n, up::function("is_odd", "bool is_odd(int x) { return (x & 1) != 0; }"),
                              queue, how),
                "select");
      });
      add("sum by key", "i32", by, bytes * 1.5, [=, this] {
        require(up::inclusive_scan_by_key(up::buffer<int>(keys), ints, results, n, up::plus{}, queue, how), "sum by key");
      });
      add("run lengths", "i32", by, bytes * 0.5, [=, this] {
        require(up::run_length_encode(up::buffer<int>(keys), results, up::buffer<int>(second), number, n, queue, how), "runs");
      });
    }
    add("total", "i32", "library", bytes / 2, [=, this] { require(up::sum(ints, number, n, queue), "total"); });
    add("total", "f32", "library", bytes / 2,
        [=, this] { require(up::sum(floats, up::buffer<float>(count), n, queue), "total"); });
    add("sort", "u32", "library", bytes,
        [=, this] { require(up::sort_keys(up::buffer<cl_uint>(in), up::buffer<cl_uint>(out), n, queue), "sort"); });
  }

  // Other shapes of work-groups for the sum of ints.
  void shapes() {
    for (const int functions : {0, 1, 2}) {
      const up::plan how{0, 0, functions, 0, 0};
      const std::string by = "functions " + std::to_string(functions);
      add("sum", "i32", by, 8.0 * double(n),
          [=, this] { require(up::inclusive_sum(up::buffer<int>(in), up::buffer<int>(out), n, queue, how), "sum"); });
      add("sum", "f32", by, 8.0 * double(n),
          [=, this] { require(up::inclusive_sum(up::buffer<float>(in), up::buffer<float>(out), n, queue, how), "sum"); });
    }
    for (const unsigned group : {64U, 128U, 256U, 512U}) {
      for (const unsigned items : {3U, 7U, 11U, 15U, 23U}) {
        const up::plan how{0, 0, -1, group, items};
        if (std::size_t(group) * items * 4 > 40000) continue;
        add("sum", "i32", std::to_string(group) + " x " + std::to_string(items), 8.0 * double(n),
            [=, this] { require(up::inclusive_sum(up::buffer<int>(in), up::buffer<int>(out), n, queue, how), "sum"); });
      }
    }
  }

  double seconds_of(const Case &c, int row) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < row; ++i) c.run();
    require(clFinish(queue), "clFinish");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / row;
  }

  void measure() {
    std::vector<int> rows;
    for (Case &c : cases) {
      seconds_of(c, 1);
      rows.push_back(std::max(1, std::min(20, int(0.005 / std::max(1e-6, seconds_of(c, 1))))));
    }
    for (int sample = 0; sample < kSamples; ++sample) {
      for (std::size_t i = 0; i < cases.size(); ++i)
        cases[i].seconds = std::min(cases[i].seconds, seconds_of(cases[i], rows[i]));
    }
    const double copy = cases[0].bytes / cases[0].seconds;
    for (const Case &c : cases) {
      std::printf("{\"n\": %zu, \"call\": \"%s\", \"type\": \"%s\", \"by\": \"%s\", \"us\": %.1f, \"gb_per_s\": %.1f, "
                  "\"of_copy\": %.3f}\n",
                  n, c.call.c_str(), c.type.c_str(), c.by.c_str(), 1e6 * c.seconds, 1e-9 * c.bytes / c.seconds,
                  c.bytes / c.seconds / copy);
    }
  }
};

cl_device_id find_device(const std::string &wanted) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  clGetPlatformIDs(16, platforms, &count);
  for (cl_uint i = 0; i < count; ++i) {
    char name[256] = {};
    cl_device_id device = nullptr;
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
    if (std::string(name).find(wanted) == std::string::npos) continue;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, nullptr) == CL_SUCCESS) return device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) return device;
  }
  std::fprintf(stderr, "no device\n");
  std::exit(77);
}

}  // namespace

int main(int argc, char **argv) {
  Bench bench;
  bench.n = std::size_t(1) << (argc > 1 ? std::atoi(argv[1]) : 24);
  cl_device_id device = find_device(argc > 2 ? argv[2] : "");
  const bool has_shapes = argc > 3 && std::string(argv[3]) == "shapes";
  cl_int code = CL_SUCCESS;
  bench.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  require(code, "clCreateContext");
  bench.queue = clCreateCommandQueueWithProperties(bench.context, device, nullptr, &code);
  require(code, "clCreateCommandQueueWithProperties");
  const auto entry = up::detail::known_entry(bench.context, device);
  std::printf("{\"device\": \"%s\", \"driver\": \"%s\", \"opencl_c\": %d, \"one_launch\": %s, \"local_bytes\": %llu}\n",
              up::detail::device_text(device, CL_DEVICE_NAME).c_str(),
              up::detail::device_text(device, CL_DRIVER_VERSION).c_str(), entry->device.language(),
              entry->device.has_one_launch() ? "true" : "false", static_cast<unsigned long long>(entry->device.local_bytes));
  bench.in = bench.memory(8 * bench.n);
  bench.out = bench.memory(8 * bench.n);
  bench.keys = bench.memory(4 * bench.n);
  bench.second = bench.memory(4 * bench.n);
  bench.count = bench.memory(64);
  std::mt19937 random(1);
  std::vector<cl_uint> words(2 * bench.n), keys(bench.n);
  for (cl_uint &word : words) word = random() & 0x3fffffff;
  for (std::size_t i = 0; i < bench.n; ++i) keys[i] = static_cast<cl_uint>(i / 32);
  clEnqueueWriteBuffer(bench.queue, bench.in, CL_TRUE, 0, 8 * bench.n, words.data(), 0, nullptr, nullptr);
  clEnqueueWriteBuffer(bench.queue, bench.keys, CL_TRUE, 0, 4 * bench.n, keys.data(), 0, nullptr, nullptr);
  bench.copies();
  if (has_shapes) {
    bench.shapes();
  } else {
    bench.calls();
#ifdef UPSWEEP_BENCH_BOOST_COMPUTE
    for (BoostCall &call : boost_calls(bench.context, device, bench.queue, bench.in, bench.out, bench.n)) {
      bench.add(call.call, call.type, "Boost.Compute", call.bytes, std::move(call.run));
    }
#endif
  }
  bench.measure();
  return 0;
}
