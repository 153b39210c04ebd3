// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares scans, compactions and sorts with std::sort(par) and the libraries of headers that are installed: parlaylib, ips4o
// and Eigen.
//
//     bench_cpu_peers [THREADS [ROUNDS [LOG2_N]]]   rows of JSON
//
// PARLAY_NUM_THREADS sets the threads of parlaylib, which it starts once.
#include "turns.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <execution>

#if __has_include(<parlay/primitives.h>)
#define UPSWEEP_BENCH_PARLAY
#include <parlay/primitives.h>
#endif
#if __has_include(<ips4o.hpp>)
#define UPSWEEP_BENCH_IPS4O
#include <ips4o.hpp>
#endif
#if __has_include(<unsupported/Eigen/CXX11/Tensor>)
#define UPSWEEP_BENCH_EIGEN
#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/Tensor>
#include <unsupported/Eigen/CXX11/ThreadPool>
#endif

namespace upsweep::bench {

struct Setting {
  unsigned threads;
  int rounds;
  cpu::thread_pool pool{threads};
  tbb::task_arena arena{static_cast<int>(threads)};

  void measure(const char *operation, const char *type, std::size_t n, double bytes, std::vector<Call> calls) {
    take_turns(calls, rounds);
    print_row(operation, type, n, threads, bytes, calls);
  }
};

template <class T>
void scan_case(Setting &setting, const char *type, std::size_t n) {
  Array<T> in(n, setting.pool), out(n, setting.pool);
  in.fill(setting.pool, [](std::size_t i) { return static_cast<T>(i * 2654435761U >> 13 & 63); });
  std::vector<Call> calls = {
      {"copy", [&] { copy(setting.pool, out.data(), in.data(), n * sizeof(T)); }},
      {"upsweep", [&] { cpu::exclusive_sum(in.data(), out.data(), n, setting.pool); }},
      {"reproducible", [&] { cpu::exclusive_sum(in.data(), out.data(), n, setting.pool, cpu::reproducible); }},
  };
#ifdef UPSWEEP_BENCH_PARLAY
  // In place, since its scan to a new array would include the array's first touch.
  calls.push_back({"parlay", [&] { parlay::scan_inplace(parlay::make_slice(out.begin(), out.end())); }});
#endif
  setting.measure("sum", type, n, 2.0 * static_cast<double>(n * sizeof(T)), calls);
  T total = 0;
  calls = {
      {"copy", [&] { copy(setting.pool, out.data(), in.data(), n * sizeof(T) / 2); }},
      {"upsweep", [&] { cpu::sum(in.data(), &total, n, setting.pool); }},
      {"reproducible", [&] { cpu::sum(in.data(), &total, n, setting.pool, cpu::reproducible); }},
  };
#ifdef UPSWEEP_BENCH_PARLAY
  calls.push_back({"parlay", [&] { total = parlay::reduce(parlay::make_slice(in.begin(), in.end())); }});
#endif
  setting.measure("total", type, n, static_cast<double>(n * sizeof(T)), calls);
}

void select_case(Setting &setting, std::size_t n) {
  Array<std::uint32_t> in(n, setting.pool), out(n, setting.pool);
  in.fill(setting.pool, [](std::size_t i) { return static_cast<std::uint32_t>((i * 0x9e3779b97f4a7c15U) >> 32); });
  const auto is_small = [](std::uint32_t x) { return x < 0x80000000U; };
  std::uint64_t kept = 0;
  std::vector<Call> calls = {
      {"copy", [&] { copy(setting.pool, out.data(), in.data(), n * 3); }},
      {"upsweep", [&] { cpu::select_if(in.data(), out.data(), &kept, n, is_small, setting.pool); }},
  };
#ifdef UPSWEEP_BENCH_PARLAY
  calls.push_back({"parlay", [&] {
                     kept = parlay::filter_into_uninitialized(parlay::make_slice(in.begin(), in.end()),
                                                              parlay::make_slice(out.begin(), out.end()), is_small);
                   }});
#endif
  setting.measure("select 50 %", "u32", n, static_cast<double>(n) * 6, calls);
}

template <class Key>
void sort_case(Setting &setting, const char *type, std::size_t n) {
  Array<Key> in(n, setting.pool), out(n, setting.pool);
  in.fill(setting.pool, [](std::size_t i) {
    const std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15U ^ ((i + 7) * 0xc2b2ae3d27d4eb4fU >> 29);
    return static_cast<Key>(static_cast<std::int64_t>(bits ^ bits >> 32));
  });
  const auto refill = [&] { copy(setting.pool, out.data(), in.data(), n * sizeof(Key)); };
  std::vector<Call> calls = {
      {"copy", refill},
      {"upsweep", [&] { cpu::sort_keys(in.data(), out.data(), n, setting.pool); }},
      {"par", [&] { refill(), setting.arena.execute([&] { std::sort(std::execution::par, out.begin(), out.end()); }); }},
  };
#ifdef UPSWEEP_BENCH_IPS4O
  calls.push_back({"ips4o", [&] { refill(), ips4o::parallel::sort(out.begin(), out.end(), std::less<>{}); }});
#endif
#ifdef UPSWEEP_BENCH_PARLAY
  calls.push_back({"parlay", [&] { refill(), parlay::sort_inplace(parlay::make_slice(out.begin(), out.end())); }});
  if constexpr (std::is_unsigned_v<Key>) {
    calls.push_back(
        {"parlay_radix", [&] { refill(), parlay::integer_sort_inplace(parlay::make_slice(out.begin(), out.end())); }});
  }
#endif
  setting.measure("sort", type, n, 2.0 * static_cast<double>(n) * sizeof(Key), calls);
}

void axis_case(Setting &setting, int axis) {
  constexpr std::size_t kSide = 8192, kElements = kSide * kSide;
  Array<float> in(kElements, setting.pool), out(kElements, setting.pool);
  const cpu::axis of = axis == 0 ? cpu::axis{1, kSide, kSide, {}, {}} : cpu::axis{kSide, kSide, 1, {}, {}};
  std::vector<Call> calls = {
      {"copy", [&] { copy(setting.pool, out.data(), in.data(), kElements * 4); }},
      {"upsweep", [&] { cpu::inclusive_sum_of_axis(in.data(), out.data(), of, setting.pool); }},
  };
#ifdef UPSWEEP_BENCH_EIGEN
  Eigen::ThreadPool eigen_pool(static_cast<int>(setting.threads));
  Eigen::ThreadPoolDevice device(&eigen_pool, static_cast<int>(setting.threads));
  using Matrix = Eigen::TensorMap<Eigen::Tensor<float, 2, Eigen::RowMajor>>;
  Matrix from(in.data(), kSide, kSide), to(out.data(), kSide, kSide);
  calls.push_back({"eigen", [&] { to.device(device) = from.cumsum(axis); }});
#endif
  setting.measure(axis == 0 ? "sum along axis 0 of 8192 x 8192" : "sum along axis 1 of 8192 x 8192", "f32", kElements,
                  kElements * 8.0, calls);
}

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  using namespace upsweep::bench;
  Setting setting{argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : upsweep::cpu::default_pool().concurrency(),
                  argc > 2 ? std::atoi(argv[2]) : 5};
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, setting.threads);
  const std::size_t n = std::size_t(1) << (argc > 3 ? std::atoi(argv[3]) : 27);
  scan_case<float>(setting, "f32", n);
  scan_case<double>(setting, "f64", n);
  select_case(setting, n);
  sort_case<std::uint32_t>(setting, "u32", n / 4);
  sort_case<std::uint64_t>(setting, "u64", n / 4);
  sort_case<double>(setting, "f64", n / 4);
  axis_case(setting, 0);
  axis_case(setting, 1);
}
