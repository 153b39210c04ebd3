// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of SYCL programs whose kernels libsycl-jit compiles at run time: a program is a function that compares a kernel's
// results with a reference of the host, and throws where they differ.
#ifndef UPSWEEP_TESTS_PYPI_SYCL_PROGRAMS_H
#define UPSWEEP_TESTS_PYPI_SYCL_PROGRAMS_H

#include <sycl/sycl.hpp>

#include <cstdint>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace programs {

namespace experimental = sycl::ext::oneapi::experimental;
using Bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

struct Program {
  const char *name;
  void (*run)(sycl::queue &queue);
  bool is_alone = false;  ///< runs only if named
};

std::vector<Program> &all();

struct Registration {
  Registration(const char *name, void (*run)(sycl::queue &), bool is_alone) { all().push_back({name, run, is_alone}); }
};

#define SYCL_PROGRAM_REGISTERED(name, is_alone)                                                                                \
  void name(sycl::queue &queue);                                                                                               \
  const ::programs::Registration name##_registration(#name, name, is_alone);                                                   \
  void name([[maybe_unused]] sycl::queue &queue)
#define SYCL_PROGRAM(name) SYCL_PROGRAM_REGISTERED(name, false)
#define SYCL_PROGRAM_ALONE(name) SYCL_PROGRAM_REGISTERED(name, true)

/// The text of kernels/NAME.cpp.
std::string source_of(const std::string &name);
/// Compiles a source. A failed build throws sycl::exception; `log`, if not null, receives the compiler's messages.
Bundle build_text(sycl::queue &queue, const std::string &text, const std::vector<std::string> &options = {},
                  std::string *log = nullptr);
inline Bundle build(sycl::queue &queue, const std::string &name, const std::vector<std::string> &options = {}) {
  return build_text(queue, source_of(name), options);
}

template <int D, typename... Arguments>
void launch(sycl::queue &queue, const sycl::kernel &kernel, sycl::nd_range<D> range, Arguments... arguments) {
  queue.submit([&](sycl::handler &handler) {
    handler.set_args(arguments...);
    handler.parallel_for(range, kernel);
  });
  queue.wait_and_throw();
}

inline std::mt19937_64 &draw() {
  static std::mt19937_64 generator(1);
  return generator;
}

/// Random numbers in [low, high]; integers for integer types.
template <typename T>
std::vector<T> random_numbers(size_t count, double low, double high) {
  std::vector<T> numbers(count);
  std::uniform_real_distribution<double> any(low, high);
  for (T &number : numbers) number = static_cast<T>(any(draw()));
  return numbers;
}

/// An allocation that is freed at the end of its scope.
template <typename T>
class Array {
public:
  Array(sycl::queue &queue, size_t count, sycl::usm::alloc kind = sycl::usm::alloc::shared)
      : queue_(queue), count_(count), pointer_(sycl::malloc<T>(count, queue, kind)) {
    if (!pointer_) throw std::runtime_error("an allocation failed");
    queue_.fill(pointer_, T(), count).wait();
  }
  Array(sycl::queue &queue, const std::vector<T> &values, sycl::usm::alloc kind = sycl::usm::alloc::shared)
      : Array(queue, values.size(), kind) {
    queue_.copy(values.data(), pointer_, values.size()).wait();
  }
  Array(const Array &) = delete;
  ~Array() { sycl::free(pointer_, queue_); }

  T *get() const { return pointer_; }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    queue_.copy(pointer_, values.data(), count_).wait();
    return values;
  }

private:
  sycl::queue &queue_;
  size_t count_;
  T *pointer_;
};

inline void require(bool holds, const std::string &claim) {
  if (!holds) throw std::runtime_error("not so: " + claim);
}

/// Throws at the first difference above `relative` times the expected value plus `absolute`.
template <typename T>
void compare(const std::vector<T> &seen, const std::vector<T> &expected, double relative = 0, double absolute = 0) {
  require(seen.size() == expected.size(), "the sizes agree");
  for (size_t i = 0; i < seen.size(); ++i) {
    const double difference = std::abs(static_cast<double>(seen[i]) - static_cast<double>(expected[i]));
    if (seen[i] == expected[i] || difference <= relative * std::abs(static_cast<double>(expected[i])) + absolute) continue;
    std::ostringstream message;
    message << "element " << i << " of " << seen.size() << " is " << +seen[i] << " instead of " << +expected[i];
    throw std::runtime_error(message.str());
  }
}

}  // namespace programs
#endif
