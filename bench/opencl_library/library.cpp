// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of the library for OpenCL queues on one device, with a copy and the same calls of its peers: Boost.Compute, on a
// CPU the CPU library, and on a GPU the CUDA library. Prints rows of JSON.
//
//     bench_opencl_library [LOG2_OF_ELEMENTS] [PLATFORM'S NAME] [PART OF "CALL TYPE"|all|shapes]
//
// "us" is the least time of a call in kSamples series of calls, by the host's clock; a copy and a call's libraries take turns.
// "gb_per_s" counts the bytes that the call must read and write, and "of_copy" is its share of the copy's. "of_peer" is the
// fastest peer's time divided by the library's.
//
// Segments and runs of equal keys have 1 to 63 elements; rows have 1024. Columns and images form a square of n elements, or
// two such squares; images of three channels have n / 4 pixels. Failed calls are reported on standard error.
#include "call.h"

#include <upsweep/opencl/detail/progress.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>

namespace upsweep::bench {
namespace {

constexpr int kSamples = 7;

struct Case {
  Call call;
  bool is_peer;
  int row = 1;             // calls in a row
  double seconds = 1e300;  // of one call
  bool has_failed = false;
};

[[noreturn]] void stop(const char *why, int status) {
  std::fprintf(stderr, "%s\n", why);
  std::exit(status);
}

double seconds_of(const Call &call, int row) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < row; ++i) call.run();
  call.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / row;
}

// Calls step(c) for all cases that have not failed.
template <class Step>
void take_turn(std::vector<Case> &cases, const Step &step) {
  for (Case &c : cases) {
    if (c.has_failed) continue;
    try {
      step(c);
    } catch (const std::exception &error) {
      std::fprintf(stderr, "%s %s by %s: %s\n", c.call.call.c_str(), c.call.type.c_str(), c.call.by.c_str(), error.what());
      c.has_failed = true;
    }
  }
}

void print(const Case &c, std::size_t n, double copied_per_second, double peer_seconds) {
  const double per_second = c.call.bytes / c.seconds;
  std::printf("{\"n\": %zu, \"call\": \"%s\", \"type\": \"%s\", \"by\": \"%s\", \"us\": %.1f, \"gb_per_s\": %.1f, "
              "\"of_copy\": %.3f",
              n, c.call.call.c_str(), c.call.type.c_str(), c.call.by.c_str(), 1e6 * c.seconds, 1e-9 * per_second,
              per_second / copied_per_second);
  if (!c.is_peer && peer_seconds < 1e300) std::printf(", \"of_peer\": %.3f", peer_seconds / c.seconds);
  std::printf("}\n");
  std::fflush(stdout);
}

// The libraries of a call, behind the copy.
void measure(std::vector<Case> cases, std::size_t n) {
  take_turn(cases, [](Case &c) {
    seconds_of(c.call, 1);
    c.row = std::max(1, std::min(20, int(0.005 / std::max(1e-6, seconds_of(c.call, 1)))));
  });
  for (int sample = 0; sample < kSamples; ++sample) {
    take_turn(cases, [](Case &c) { c.seconds = std::min(c.seconds, seconds_of(c.call, c.row)); });
  }
  double peer_seconds = 1e300;
  for (const Case &c : cases) {
    if (c.is_peer && !c.has_failed) peer_seconds = std::min(peer_seconds, c.seconds);
  }
  for (std::size_t i = 1; i < cases.size(); ++i) {
    if (!cases[i].has_failed) print(cases[i], n, cases[0].call.bytes / cases[0].seconds, peer_seconds);
  }
}

void measure_all(const std::vector<Case> &cases, const Call &copy, std::size_t n) {
  const auto name = [](const Case &c) { return c.call.call + " " + c.call.type; };
  std::vector<bool> is_done(cases.size());
  for (std::size_t first = 0; first < cases.size(); ++first) {
    if (is_done[first]) continue;
    std::vector<Case> group{{copy, false}};
    for (std::size_t i = first; i < cases.size(); ++i) {
      if (name(cases[i]) != name(cases[first])) continue;
      group.push_back(cases[i]);
      is_done[i] = true;
    }
    measure(group, n);
  }
}

Contents contents_of(int log2) {
  Contents c;
  c.n = std::size_t(1) << log2;
  c.height = std::size_t(1) << (log2 / 2);
  c.width = c.n / c.height;
  std::mt19937 random(1);
  c.words.resize(2 * c.n);
  c.numbers.resize(2 * c.n);
  for (std::size_t i = 0; i < 2 * c.n; ++i) {
    c.words[i] = random() & 0x3fffffff;
    c.numbers[i] = float(random()) * 0x1p-31F - 1;
  }
  std::uint32_t begin = 0;
  for (; begin < c.n; begin += 1 + random() % 63) c.offsets.push_back(begin);
  c.offsets.push_back(std::uint32_t(c.n));
  c.heads.resize(c.n);
  c.keys.resize(c.n);
  for (std::size_t k = 0; k < c.segments(); ++k) {
    c.heads[c.offsets[k]] = 1;
    std::fill(c.keys.begin() + c.offsets[k], c.keys.begin() + c.offsets[k + 1], std::uint32_t(k));
  }
  const std::uint32_t step = std::max<std::uint32_t>(1, std::uint32_t((std::size_t(1) << 31) / c.n));
  c.flags.resize(c.n);
  c.sorted.resize(c.n);
  for (std::size_t i = 0; i < c.n; ++i) {
    c.flags[i] = random() & 1;
    c.sorted[i] = std::uint32_t(i % (c.n / 2)) * step + random() % step;
  }
  return c;
}

cl_device_id find_device(const std::string &wanted) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  clGetPlatformIDs(16, platforms, &count);
  for (cl_uint i = 0; i < std::min(count, 16U); ++i) {
    char name[256] = {};
    cl_device_id device = nullptr;
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
    if (std::string(name).find(wanted) == std::string::npos) continue;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device, nullptr) == CL_SUCCESS) return device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS) return device;
  }
  stop("no device", 77);
}

void print_device(cl_context context, cl_device_id device) {
  namespace up = upsweep::opencl;
  const auto entry = up::detail::known_entry(context, device);
  std::printf("{\"device\": \"%s\", \"driver\": \"%s\", \"opencl_c\": %d, \"one_launch\": %s, \"local_bytes\": %llu}\n",
              up::detail::device_text(device, CL_DEVICE_NAME).c_str(),
              up::detail::device_text(device, CL_DRIVER_VERSION).c_str(), entry->device.language(),
              entry->device.has_one_launch() ? "true" : "false", static_cast<unsigned long long>(entry->device.local_bytes));
}

// Adds the calls of a library that have `part` in their names.
template <class Library>
void add(std::vector<Case> &to, const std::string &part, bool is_peer, const Library &calls_of_library) {
  try {
    for (const Call &call : calls_of_library()) {
      if ((call.call + " " + call.type).find(part) != std::string::npos) to.push_back({call, is_peer});
    }
  } catch (const std::exception &error) {
    std::fprintf(stderr, "no calls of a library: %s\n", error.what());
  }
}

int run(int log2, const std::string &platform, std::string part) {
  cl_device_id device = find_device(platform);
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) stop("no context", 1);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  if (code != CL_SUCCESS) stop("no queue", 1);
  cl_device_type type = 0;
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
  print_device(context, device);
  const Contents contents = contents_of(log2);
  const std::vector<Call> copied = copies(queue, contents);
  std::vector<Case> cases;
  if (part == "shapes") {
    add(cases, "", false, [&] { return opencl_shapes(queue, contents); });
    measure_all(cases, copied[0], contents.n);
    return 0;
  }
  part = part == "all" ? "" : part;
  add(cases, part, false, [&]() -> const std::vector<Call> & { return copied; });
  add(cases, part, false, [&] { return opencl_calls(queue, contents); });
#ifdef UPSWEEP_BENCH_BOOST_COMPUTE
  add(cases, part, true, [&] { return boost_calls(queue, contents); });
#endif
  if ((type & CL_DEVICE_TYPE_CPU) != 0) add(cases, part, true, [&] { return cpu_calls(contents); });
#ifdef UPSWEEP_BENCH_CUDA
  if ((type & CL_DEVICE_TYPE_GPU) != 0) add(cases, part, true, [&] { return cuda_calls(contents); });
#endif
  measure_all(cases, copied[0], contents.n);
  return 0;
}

}  // namespace
}  // namespace upsweep::bench

int main(int argc, char **argv) {
  const int log2 = argc > 1 ? std::atoi(argv[1]) : 24;
  if (log2 < 10 || log2 > 31) upsweep::bench::stop("LOG2_OF_ELEMENTS is 10 to 31", 1);
  try {
    return upsweep::bench::run(log2, argc > 2 ? argv[2] : "", argc > 3 ? argv[3] : "all");
  } catch (const std::exception &error) {
    upsweep::bench::stop(error.what(), 1);
  }
}
