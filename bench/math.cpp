// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions, one call per work-item, beside the C library called for one number after the other.
#include "bench/opencl/math.h"
#include "bench/cases.h"

#include <thread>
#include <type_traits>

namespace upsweep::bench {
namespace {

constexpr size_t kCount = size_t{1} << 18;  // the three arrays stay in the second-level cache's neighbourhood
constexpr size_t kWorkGroup = 256;

// x in 0 … 20 and y in -5 … 5: the arguments of most programs, so that no case is about rare ranges.
template <typename T>
struct Arguments {
  std::vector<T> x = std::vector<T>(kCount), y = std::vector<T>(kCount);

  Arguments() {
    const std::vector<float> numbers = make_floats(2 * kCount);
    for (size_t i = 0; i < kCount; ++i) {
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

// Each number goes through a call, as a loop over the C library's functions does.
template <typename T>
void run_on_host(HostFunction<T> function, std::vector<T> &results) {
  const auto &arguments = Arguments<T>::shared();
  const size_t threads = std::thread::hardware_concurrency(), share = kCount / threads;
  std::vector<std::jthread> workers;
  for (size_t t = 0; t < threads; ++t)
    workers.emplace_back([&, begin = t * share, end = t + 1 == threads ? kCount : (t + 1) * share] {
      for (size_t i = begin; i < end; ++i) results[i] = function(arguments.x[i], arguments.y[i]);
    });
}

template <typename T>
Result<Prepared> prepare(const Device &device, const Function<T> &function) {
  const auto &arguments = Arguments<T>::shared();
  const std::string type = std::is_same_v<T, float> ? "float" : "double";
  auto kernel = make_kernel(device, kMathSource, fmt::format("-DT={} -DCALL={}", type, function.call), "apply");
  if (!kernel) return Failure(kernel.error());
  const auto x = make_buffer(device, kCount * sizeof(T), arguments.x.data());
  const auto y = make_buffer(device, kCount * sizeof(T), arguments.y.data());
  const auto out = make_buffer(device, kCount * sizeof(T), nullptr);
  if (!x || !y || !out) return cli::fail("cannot make the buffers");
  kernel->setArg(0, *x);
  kernel->setArg(1, *y);
  kernel->setArg(2, *out);
  const auto verify = [device, function, out = *out] {
    return read_buffer<T>(device, out, kCount).and_then([&](const std::vector<T> &got) {
      const auto &inputs = Arguments<T>::shared();
      const auto expected = [&](size_t i) { return function.host(inputs.x[i], inputs.y[i]); };
      // A guard against nonsense; the tests measure the error.
      return compare(got, expected, std::is_same_v<T, float> ? 1e-4 : 1e-12);
    });
  };
  return Prepared{launch(device, *kernel, cl::NDRange(kCount), cl::NDRange(kWorkGroup)), verify, {*x, *y, *out}};
}

#define UPSWEEP_UNARY(f) {#f, #f "(x)", [](T x, T) -> T { return std::f(x); }}
#define UPSWEEP_BINARY(f) {#f, #f "(x,y)", [](T x, T y) -> T { return std::f(x, y); }}

template <typename T>
void add_functions(std::vector<Case> &cases) {
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
      UPSWEEP_UNARY(lgamma),
  };
  for (const Function<T> &function : functions)
    cases.push_back(
        {.name = function.name,
         .variant = std::is_same_v<T, float> ? "float" : "double",
         .elements = static_cast<double>(kCount),
         .prepare = [function](const Device &device) { return prepare<T>(device, function); },
         .group = "math",
         .host = [function, results = std::make_shared<std::vector<T>>(kCount)] { run_on_host<T>(function.host, *results); }});
}

}  // namespace
}  // namespace upsweep::bench

int main(int argc, char **argv) {
  const upsweep::bench::Suite suite = {
      "math", "Elementary functions: one call per work-item on arguments in 0 … 20 (and -5 … 5), arrays that stay in the "
              "cache. The host "
              "calls the C library for one number after the other, on all threads of the machine as well."};
  return upsweep::bench::run_main(argc, argv, suite, [](const upsweep::bench::Options &) {
    std::vector<upsweep::bench::Case> cases;
    upsweep::bench::add_functions<float>(cases);
    upsweep::bench::add_functions<double>(cases);
    return cases;
  });
}
