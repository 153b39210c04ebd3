// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions, one call for each work-item, compared with sequential calls of the C library.
#include "bench/opencl/math.h"
#include "bench/cases.h"

#include <thread>
#include <type_traits>

namespace upsweep::bench {
namespace {

constexpr size_t kWorkGroup = 256;
constexpr size_t kRounds = 16;                     // calls per work-item
constexpr size_t kNumbers = kRounds * kWorkGroup;  // 16 or 32 KiB, which each work-group takes: a first-level cache
constexpr size_t kWorkItems = size_t{1} << 20;     // 0.7 ms at 24 Gelem/s, so that a launch is a small part on 16 cores, too
constexpr size_t kCount = kRounds * kWorkItems;

// x in 0 … 20 and y in -5 … 5: common arguments, so that no case measures rare ranges.
template <typename T>
struct Arguments {
  std::vector<T> x = std::vector<T>(kNumbers), y = std::vector<T>(kNumbers);

  Arguments() {
    const std::vector<float> numbers = make_floats(2 * kNumbers);
    for (size_t i = 0; i < kNumbers; ++i) {
      x[i] = static_cast<T>(numbers[2 * i]) * 20 + static_cast<T>(0x1p-20);
      y[i] = static_cast<T>(numbers[2 * i + 1]) * 10 - 5;
    }
  }
  static const Arguments &shared() {
    static const Arguments arguments;
    return arguments;
  }
};

template <typename T>
using HostFunction = T (*)(T x, T y);

template <typename T>
struct Function {
  const char *name;
  const char *call;
  HostFunction<T> host;
};

template <typename T>
T sum_on_host(HostFunction<T> function, size_t local_id) {
  const auto &arguments = Arguments<T>::shared();
  T sum = 0;
  for (size_t i = local_id; i < kNumbers; i += kWorkGroup) sum += function(arguments.x[i], arguments.y[i]);
  return sum;
}

// A call for each number, as in a loop over the C library's functions.
template <typename T>
void run_on_host(HostFunction<T> function, std::vector<T> &results) {
  const size_t threads = std::thread::hardware_concurrency(), share = kWorkItems / threads;
  std::vector<std::jthread> workers;
  for (size_t t = 0; t < threads; ++t)
    workers.emplace_back([&, begin = t * share, end = t + 1 == threads ? kWorkItems : (t + 1) * share] {
      for (size_t i = begin; i < end; ++i) results[i] = sum_on_host(function, i % kWorkGroup);
    });
}

template <typename T>
Result<Prepared> prepare(const Device &device, const Function<T> &function) {
  const auto &arguments = Arguments<T>::shared();
  const std::string type = std::is_same_v<T, float> ? "float" : "double";
  auto kernel =
      make_kernel(device, kMathSource, fmt::format("-DT={} -DROUNDS={} -DCALL={}", type, kRounds, function.call), "apply");
  if (!kernel) return Failure(kernel.error());
  const auto x = make_buffer(device, kNumbers * sizeof(T), arguments.x.data());
  const auto y = make_buffer(device, kNumbers * sizeof(T), arguments.y.data());
  const auto out = make_buffer(device, kWorkItems * sizeof(T), nullptr);
  if (!x || !y || !out) return cli::fail("cannot make the buffers");
  kernel->setArg(0, *x);
  kernel->setArg(1, *y);
  kernel->setArg(2, *out);
  const auto verify = [device, function, out = *out] {
    return read_buffer<T>(device, out, kWorkItems).and_then([&](const std::vector<T> &got) {
      std::vector<T> sums(kWorkGroup);
      for (size_t i = 0; i < kWorkGroup; ++i) sums[i] = sum_on_host(function.host, i);
      const auto expected = [&](size_t i) { return sums[i % kWorkGroup]; };
      // Detects nonsense; the tests measure the error.
      return compare(got, expected, std::is_same_v<T, float> ? 1e-4 : 1e-12);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(kWorkItems), cl::NDRange(kWorkGroup)), verify, {*x, *y, *out}};
}

#define UPSWEEP_UNARY(f) {#f, #f "(x)", [](T x, T) -> T { return std::f(x); }}
#define UPSWEEP_BINARY(f) {#f, #f "(x,y)", [](T x, T y) -> T { return std::f(x, y); }}

template <typename T>
void add_functions(std::vector<Case> &cases) {
  // Without a function, loads and sums are left: the bound of the other rows.
  static const Function<T> functions[] = {
      UPSWEEP_UNARY(sin),    UPSWEEP_UNARY(cos),
      UPSWEEP_UNARY(tan),    UPSWEEP_UNARY(atan),
      UPSWEEP_BINARY(atan2), UPSWEEP_UNARY(exp),
      UPSWEEP_UNARY(exp2),   UPSWEEP_UNARY(expm1),
      UPSWEEP_UNARY(log),    UPSWEEP_UNARY(log2),
      UPSWEEP_UNARY(log1p),  UPSWEEP_BINARY(pow),
      UPSWEEP_UNARY(sqrt),   {"rsqrt", "rsqrt(x)", [](T x, T) -> T { return 1 / std::sqrt(x); }},
      UPSWEEP_UNARY(cbrt),   UPSWEEP_BINARY(hypot),
      UPSWEEP_UNARY(tanh),   UPSWEEP_UNARY(erf),
      UPSWEEP_UNARY(erfc),   UPSWEEP_UNARY(tgamma),
      UPSWEEP_UNARY(lgamma), {"none", "x", [](T x, T) -> T { return x; }},
  };
  for (const Function<T> &function : functions)
    cases.push_back({.name = function.name,
                     .variant = std::is_same_v<T, float> ? "float" : "double",
                     .elements = static_cast<double>(kCount),
                     .prepare = [function](const Device &device) { return prepare<T>(device, function); },
                     .group = "math",
                     .host = [function, results = std::make_shared<std::vector<T>>(
                                            kWorkItems)] { run_on_host<T>(function.host, *results); }});
}

}  // namespace
}  // namespace upsweep::bench

int main(int argc, char **argv) {
  const upsweep::bench::Suite suite = {
      "math",
      "Elementary functions: 16 calls per work-item on arguments in 0 … 20 (and -5 … 5), which stay in the first-level cache; "
      "the row without a function is the bound of the others. The host calls the C library for one number after the other, "
      "on all threads of the machine as well."};
  return upsweep::bench::run_main(argc, argv, suite, [](const upsweep::bench::Options &) {
    std::vector<upsweep::bench::Case> cases;
    upsweep::bench::add_functions<float>(cases);
    upsweep::bench::add_functions<double>(cases);
    return cases;
  });
}
