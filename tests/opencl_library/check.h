// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of the library for OpenCL queues: a device's queue, arrays with guards, lengths at edges, and the
// plans by which a call can run.
#ifndef UPSWEEP_TESTS_OPENCL_LIBRARY_CHECK_H
#define UPSWEEP_TESTS_OPENCL_LIBRARY_CHECK_H

#include "../tested_device.h"

#include <upsweep/opencl/detail/progress.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace upsweep::opencl {

inline std::ostream &operator<<(std::ostream &to, const plan &p) {
  return to << p.launches << " launches, OpenCL C " << p.language << ", functions " << p.functions << ", shape " << p.group
            << " x " << p.items;
}

}  // namespace upsweep::opencl

namespace upsweep::opencl::test {

#define EXPECT_CL(call)                                                                                                        \
  do {                                                                                                                         \
    const cl_int code_of_call = (call);                                                                                        \
    ASSERT_EQ(code_of_call, CL_SUCCESS) << last_message();                                                                     \
  } while (false)

inline std::uint64_t test_seed() {
  const char *seed = std::getenv("UPSWEEP_TEST_SEED");
  return seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1;
}

// The tests of a program share one context and queue, so that kernels are built once. A warning in a kernel is an error.
struct Fixture {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  static Fixture &of_process() {
    static Fixture fixture;
    return fixture;
  }

private:
  Fixture() {
    detail::more_build_options() = " -Werror";
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return;
    if (clGetDeviceIDs(platform, tests::tested_device_type(), 1, &device, nullptr) != CL_SUCCESS) return;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    queue = clCreateCommandQueue(context, device, 0, nullptr);
#pragma GCC diagnostic pop
  }
};

class OpenclLibrary : public testing::Test {
protected:
  void SetUp() override {
    const Fixture &all = Fixture::of_process();
    if (all.queue == nullptr) GTEST_SKIP() << "no device";
    device_ = all.device;
    context_ = all.context;
    queue_ = all.queue;
    known_ = detail::known_entry(context_, device_)->device;
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  detail::Device known_;
};

// A buffer of n elements from an offset on, all poisoned, with poison around them.
template <class T>
class Guarded {
public:
  explicit Guarded(std::size_t n, std::size_t offset = 0)
      : n_(n), offset_(offset), bytes_((n + offset + kGuard) * sizeof(T), kPoison) {
    memory_.reset(clCreateBuffer(Fixture::of_process().context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes_.size(),
                                 bytes_.data(), nullptr));
  }
  explicit Guarded(const std::vector<T> &values, std::size_t offset = 0) : Guarded(values.size(), offset) {
    if (n_ == 0) return;
    std::memcpy(bytes_.data() + offset_ * sizeof(T), values.data(), n_ * sizeof(T));
    clEnqueueWriteBuffer(Fixture::of_process().queue, memory_.get(), CL_TRUE, 0, bytes_.size(), bytes_.data(), 0, nullptr,
                         nullptr);
  }
  array view() const { return buffer<T>(memory_.get(), offset_); }
  array view_as(const element_type &type) const { return array(type, memory_.get(), offset_); }
  cl_mem memory() const { return memory_.get(); }

  // The first `written` elements; all other bytes must be unchanged.
  std::vector<T> read(std::size_t written) {
    std::vector<unsigned char> now(bytes_.size());
    EXPECT_EQ(clEnqueueReadBuffer(Fixture::of_process().queue, memory_.get(), CL_TRUE, 0, now.size(), now.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    const std::size_t begin = offset_ * sizeof(T), end = begin + written * sizeof(T);
    EXPECT_TRUE(std::equal(now.begin(), now.begin() + begin, bytes_.begin())) << "written before the array";
    EXPECT_TRUE(std::equal(now.begin() + end, now.end(), bytes_.begin() + end)) << "written behind the results";
    std::vector<T> values(written);
    if (written != 0) std::memcpy(static_cast<void *>(values.data()), now.data() + begin, written * sizeof(T));
    return values;
  }
  std::vector<T> read() { return read(n_); }

private:
  static constexpr std::size_t kGuard = 67;
  static constexpr unsigned char kPoison = 0xa5;
  std::size_t n_, offset_;
  std::vector<unsigned char> bytes_;
  unique_handle<cl_mem> memory_;
};

// Sums of a few floating-point elements are exact.
template <class T>
std::vector<T> random_elements(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> elements(n);
  for (T &element : elements) {
    if constexpr (std::is_floating_point_v<T>) {
      element = static_cast<T>(static_cast<std::int64_t>(random() % 17) - 8);
    } else {
      element = static_cast<T>(random());
    }
  }
  return elements;
}

// The indices 0 to n - 1, sorted by less(a, b), which compares the elements at two indices. Equal elements keep the order of
// their indices.
template <class Less>
std::vector<std::uint32_t> stable_order(std::size_t n, const Less &less) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return less(a, b) || (!less(b, a) && a < b); });
  return order;
}

template <class T>
std::vector<T> elements_at(const std::vector<T> &elements, const std::vector<std::uint32_t> &places) {
  std::vector<T> all;
  for (const std::uint32_t place : places) all.push_back(elements[place]);
  return all;
}

// The plans that the device permits: launches, language, functions and shapes. On CPUs they include work-groups of several
// work-items, and tiles of some vectors and a partial one.
inline std::vector<plan> plans(const detail::Device &device) {
  std::vector<plan> all;
  for (const int launches : {1, 3}) {
    if (launches == 1 && !device.has_one_launch()) continue;
    for (const int language : {120, 200, 300}) {
      if (device.has_language(language)) all.push_back({launches, language, -1, 0, 0});
    }
    // Functions of sub-groups with chunks of 16 bytes (kernels/chunks.cl).
    const auto group = static_cast<unsigned>(device.max_group < 64 ? 1 : 64);
    for (const int functions : {0, 1, 2}) all.push_back({launches, 0, functions, group, functions == 1 ? 16U : 3U});
    if (device.is_cpu) all.push_back({launches, 0, -1, 1, 85});
  }
  return all;
}

// CPUs bypass their caches with stores of at least this many 32-bit results (kernels/types.cl).
constexpr std::size_t kStreamedItems = std::size_t(1) << 23;

// Lengths around the edges of work-groups and tiles of `tile` elements, of blocks of tiles in the look-back, and of parts.
inline std::vector<std::size_t> lengths(std::size_t tile) {
  std::vector<std::size_t> all = {0, 1, 2, 31, 64, 65};
  for (const std::size_t tiles : {1, 2, 15, 16, 17, 64, 65}) {
    for (const std::size_t n : {tiles * tile - 1, tiles * tile, tiles * tile + 1}) all.push_back(n);
  }
  return all;
}

}  // namespace upsweep::opencl::test

#endif
