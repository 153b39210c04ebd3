// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans, compactions and reductions by CPU threads, with oneTBB, the C++ standard library and a copy past the caches.
//
//     bench_cpu_scan [THREADS [ROUNDS [LOG2_N...]]]   rows of JSON; LOG2_N below 26, or as in sum28, for sums only
#include "turns.h"

#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/run_length.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/select.h>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/task_arena.h>

#include <execution>
#include <numeric>
#include <string_view>

namespace upsweep::bench {

struct Complex {
  float re, im;
};
struct ComplexProduct {
  Complex operator()(const Complex &a, const Complex &b) const {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};
struct Affine {
  std::uint32_t factor, offset;
};
struct Compose {
  Affine operator()(const Affine &a, const Affine &b) const { return {a.factor * b.factor, a.offset * b.factor + b.offset}; }
};

struct Setting {
  unsigned threads;
  int rounds;
  cpu::thread_pool pool;
  tbb::task_arena arena;
  Setting(unsigned t, int r) : threads(t), rounds(r), pool(t), arena(static_cast<int>(t)) {}
};

// The scan of oneTBB's documentation.
template <class T, class In, class Op>
void tbb_scan(const In *in, T *out, std::size_t n, const T &unit, const Op &op) {
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, n), unit,
      [&](const tbb::blocked_range<std::size_t> &range, T total, bool is_final) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          total = op(total, static_cast<T>(in[i]));
          if (is_final) {
            out[i] = total;
          }
        }
        return total;
      },
      op);
}

template <class T, class In, class Op>
void scan_case(Setting &setting, const char *operation, const char *type, std::size_t n, Op op, T unit, const In &seed) {
  auto &pool = setting.pool;
  Array<In> in(n, pool);
  Array<T> out(n, pool);
  in.fill(pool, [&](std::size_t i) {
    In x = seed;
    if constexpr (std::is_arithmetic_v<In>) {
      x = static_cast<In>(i * 2654435761U >> 13 & 63);
    }
    return x;
  });
  const std::size_t bytes = n * (sizeof(In) + sizeof(T));
  // A copy of as many bytes, between the same arrays.
  Array<std::byte> more(sizeof(In) == sizeof(T) ? 0 : bytes, pool);
  const void *from = sizeof(In) == sizeof(T) ? static_cast<const void *>(in.data()) : more.data();
  void *to = sizeof(In) == sizeof(T) ? static_cast<void *>(out.data()) : more.data() + bytes / 2;
  std::vector<Call> calls = {
      {"copy", [&] { copy(pool, to, from, bytes / 2); }},
      {"upsweep", [&] { cpu::inclusive_scan(in.data(), out.data(), n, op, pool, cpu::accumulator<T>); }},
      {"tbb", [&] { setting.arena.execute([&] { tbb_scan(in.data(), out.data(), n, unit, op); }); }},
  };
  if constexpr (std::is_same_v<In, T>) {
    calls.push_back({"par_unseq", [&] {
                       setting.arena.execute([&] {
                         std::inclusive_scan(std::execution::par_unseq, in.begin(), in.end(), out.begin(), op, unit);
                       });
                     }});
    calls.push_back({"std", [&] { std::inclusive_scan(in.begin(), in.end(), out.begin(), op, unit); }});
  }
  take_turns(calls, setting.rounds);
  print_row(operation, type, n, setting.threads, static_cast<double>(bytes), calls);
}

void compact_cases(Setting &setting, std::size_t n) {
  auto &pool = setting.pool;
  // A copy moves half of the bytes each way, which may exceed an array.
  Array<std::uint32_t> in(n + n / 8, pool), out(n + n / 8, pool), more(n, pool);
  in.fill(pool, [](std::size_t i) { return static_cast<std::uint32_t>((i * 0x9e3779b97f4a7c15U) >> 32); });
  const auto is_small = [](std::uint32_t x) { return x < 0x80000000U; };
  std::uint64_t kept = 0;
  std::vector<Call> calls = {
      {"copy", [&] { copy(pool, out.data(), in.data(), n * 3); }},
      {"upsweep", [&] { cpu::select_if(in.data(), out.data(), &kept, n, is_small, pool); }},
      {"par_unseq",
       [&] {
         setting.arena.execute(
             [&] { std::copy_if(std::execution::par_unseq, in.begin(), in.begin() + n, out.begin(), is_small); });
       }},
      {"std", [&] { std::copy_if(in.begin(), in.begin() + n, out.begin(), is_small); }},
  };
  take_turns(calls, setting.rounds);
  print_row("select 50 %", "u32", n, setting.threads, static_cast<double>(n) * 6, calls);

  in.fill(pool, [](std::size_t i) { return static_cast<std::uint32_t>(i / 32); });
  calls = {
      {"copy", [&] { copy(pool, out.data(), in.data(), n / 32 * 68); }},
      {"upsweep", [&] { cpu::run_length_encode(in.data(), out.data(), more.data(), &kept, n, cpu::equal_to{}, pool); }},
  };
  take_turns(calls, setting.rounds);
  print_row("run lengths, runs of 32", "u32", n, setting.threads, static_cast<double>(n) / 32 * 136, calls);

  Array<std::uint32_t> totals(n, pool);
  calls = {
      {"copy", [&] { copy(pool, out.data(), in.data(), n / 32 * 132); }},
      {"upsweep",
       [&] {
         cpu::reduce_by_key(in.data(), more.data(), out.data(), totals.data(), &kept, n, cpu::plus{}, cpu::equal_to{}, pool);
       }},
  };
  take_turns(calls, setting.rounds);
  print_row("reduce by key, runs of 32", "u32", n, setting.threads, static_cast<double>(n) / 32 * 264, calls);

  float sum = 0;
  Array<float> x(n, pool);
  calls = {
      {"copy", [&] { copy(pool, out.data(), x.data(), n * 2); }},
      {"upsweep", [&] { cpu::sum(x.data(), &sum, n, pool); }},
      {"par_unseq", [&] { setting.arena.execute([&] { sum = std::reduce(std::execution::par_unseq, x.begin(), x.end()); }); }},
  };
  take_turns(calls, setting.rounds);
  print_row("total", "f32", n, setting.threads, static_cast<double>(n) * 4, calls);
}

void all_cases(Setting &setting, std::size_t n) {
  scan_case<std::int32_t, std::int32_t>(setting, "sum", "i32", n, cpu::plus{}, 0, 0);
  scan_case<float, float>(setting, "sum", "f32", n, cpu::plus{}, 0, 0);
  scan_case<double, double>(setting, "sum", "f64", n, cpu::plus{}, 0, 0);
  scan_case<std::uint32_t, std::uint8_t>(setting, "sum", "u8 to u32", n, cpu::plus{}, 0, 0);
  scan_case<std::int32_t, std::int32_t>(setting, "max", "i32", n, cpu::maximum{}, 0, 0);
  scan_case<Complex, Complex>(setting, "product", "complex f32", n, ComplexProduct(), Complex{1, 0}, Complex{0.6F, 0.8F});
  scan_case<Affine, Affine>(setting, "composition", "affine u32", n, Compose(), Affine{1, 0}, Affine{3, 5});
  compact_cases(setting, n);
}

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  using namespace upsweep::bench;
  Setting setting(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : upsweep::cpu::default_pool().concurrency(),
                  argc > 2 ? std::atoi(argv[2]) : 7);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, setting.threads);
  if (argc <= 3) {
    all_cases(setting, std::size_t(1) << 28);
  }
  for (int i = 3; i < argc; ++i) {
    const std::string_view size = argv[i];
    const bool is_sum = size.starts_with("sum");
    const std::size_t n = std::size_t(1) << std::atoi(argv[i] + (is_sum ? 3 : 0));
    if (n >= (1U << 26) && !is_sum) {
      all_cases(setting, n);
    } else {
      scan_case<std::int32_t, std::int32_t>(setting, "sum", "i32", n, upsweep::cpu::plus{}, 0, 0);
      scan_case<float, float>(setting, "sum", "f32", n, upsweep::cpu::plus{}, 0, 0);
    }
  }
}
