// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test program in one header, since machines with a GPU may lack GoogleTest: cases, checks, and main. The exit status is 1
// if a check failed, and 77, which ctest shows as skipped, without a CUDA device.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace upsweep::test {

inline constexpr int kNotRun = 77;

struct Case {
  const char *name;
  void (*run)();
};
inline std::vector<Case> &cases() {
  static std::vector<Case> all;
  return all;
}
inline int failures = 0;

inline void report(const char *file, int line, const char *what) {
  ++failures;
  // Wrong elements usually come in large numbers.
  if (failures <= 20) {
    std::printf("%s:%d: failed: %s\n", file, line, what);
  }
}

}  // namespace upsweep::test

#define UPSWEEP_TEST(name)                                                                                                     \
  static void name();                                                                                                          \
  static const bool name##_is_listed = (upsweep::test::cases().push_back({#name, name}), true);                                \
  static void name()

#define UPSWEEP_CHECK(...) ((__VA_ARGS__) ? void(0) : upsweep::test::report(__FILE__, __LINE__, #__VA_ARGS__))
#define UPSWEEP_CUDA(call) UPSWEEP_CHECK((call) == cudaSuccess)

namespace upsweep::test {

// A value that shows unwritten bytes.
inline constexpr int kPoison = 0xa5;

// Device memory with poison, or with a copy of the host's data.
template <class T>
class DeviceArray {
public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    UPSWEEP_CUDA(cudaMalloc(&data_, (count + 1) * sizeof(T)));
    poison();
  }
  explicit DeviceArray(const std::vector<T> &values) : DeviceArray(values.size()) { upload(values); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T *data() { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  // Both are done when they return. cudaMemset() and cudaMemcpy() from pageable memory may return earlier, and streams that do
  // not block do not wait for them.
  void poison() {
    UPSWEEP_CUDA(cudaMemset(data_, kPoison, (count_ + 1) * sizeof(T)));
    UPSWEEP_CUDA(cudaStreamSynchronize(nullptr));
  }
  void upload(const std::vector<T> &values) {
    UPSWEEP_CUDA(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    UPSWEEP_CUDA(cudaStreamSynchronize(nullptr));
  }
  // Whether the element behind the last one is still poison.
  bool end_is_intact() const {
    unsigned char behind[sizeof(T)];
    UPSWEEP_CUDA(cudaMemcpy(behind, data_ + count_, sizeof(T), cudaMemcpyDeviceToHost));
    return std::all_of(std::begin(behind), std::end(behind), [](unsigned char byte) { return byte == kPoison; });
  }
  // Waits for the device. It copies bytes, since T may have no default constructor.
  std::vector<T> download() const {
    std::vector<unsigned char> copied(bytes());
    UPSWEEP_CUDA(cudaMemcpy(copied.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    const T *const values = reinterpret_cast<const T *>(copied.data());
    return std::vector<T>(values, values + count_);
  }

private:
  std::size_t count_;
  T *data_ = nullptr;
};

template <class T>
bool same(const T &a, const T &b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

inline std::mt19937 &generator() {
  static std::mt19937 engine(20071);
  return engine;
}

}  // namespace upsweep::test

// An argument runs the cases whose names contain it.
int main(int argc, char **argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("not run: no CUDA device\n");
    return upsweep::test::kNotRun;
  }
  for (const upsweep::test::Case &test : upsweep::test::cases()) {
    if (argc > 1 && std::strstr(test.name, argv[1]) == nullptr) {
      continue;
    }
    const int before = upsweep::test::failures;
    test.run();
    UPSWEEP_CUDA(cudaDeviceSynchronize());
    std::printf("%s %s\n", upsweep::test::failures == before ? "passed" : "FAILED", test.name);
  }
  std::printf("%d failed checks\n", upsweep::test::failures);
  return upsweep::test::failures == 0 ? 0 : 1;
}
