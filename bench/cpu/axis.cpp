// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans along axes, segmented scans, summed-area tables and histograms by CPU threads, with a copy.
//
//     bench_cpu_axis [THREADS [ROUNDS]]     rows of JSON
#include "turns.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/histogram.h>
#include <upsweep/cpu/summed_area.h>

namespace upsweep::bench {

struct Setting {
  unsigned threads;
  int rounds;
  cpu::thread_pool pool{threads};

  void measure(const char *operation, const char *type, std::size_t n, double bytes, std::vector<Call> calls) {
    take_turns(calls, rounds);
    print_row(operation, type, n, threads, bytes, calls);
  }
};

void matrix_cases(Setting &setting) {
  constexpr std::size_t kSide = 16384, kElements = kSide * kSide;
  auto &pool = setting.pool;
  Array<float> in(kElements, pool), out(kElements, pool);
  const auto copied = Call{"copy", [&] { copy(pool, out.data(), in.data(), kElements * 4); }};
  const auto sum = [&](const char *name, const cpu::axis &axis) {
    setting.measure(name, "f32", kElements, kElements * 8.0,
                    {copied, {"upsweep", [&] { cpu::inclusive_sum_of_axis(in.data(), out.data(), axis, pool); }}});
  };
  sum("sum along axis 0 of 16384 x 16384", {1, kSide, kSide, {}, {}});
  sum("sum along axis 1 of 16384 x 16384", {kSide, kSide, 1, {}, {}});
  sum("sum along axis 1 of 64 x 1024 x 4096", {64, 1024, 4096, {}, {}});
  sum("sum along axis of 32", {kElements / 32, 32, 1, {}, {}});
}

void segment_cases(Setting &setting) {
  constexpr std::size_t kElements = std::size_t(1) << 28;
  auto &pool = setting.pool;
  Array<std::uint32_t> keys(kElements, pool), in(kElements, pool), out(kElements + kElements / 2, pool);
  keys.fill(pool, [](std::size_t i) { return static_cast<std::uint32_t>(i / 32); });
  const auto three = Call{"copy", [&] {
                            copy(pool, out.data() + kElements / 2, in.data(), kElements * 4),
                                copy(pool, out.data(), keys.data(), kElements * 2);
                          }};
  setting.measure("sum by key, runs of 32", "u32", kElements, kElements * 12.0,
                  {three, {"upsweep", [&] {
                             cpu::inclusive_scan_by_key(keys.data(), in.data(), out.data(), kElements, cpu::plus{},
                                                        cpu::equal_to{}, pool);
                           }}});
  std::vector<std::uint64_t> counts(256);
  setting.measure("histogram of 256 bins", "u32", kElements, kElements * 4.0,
                  {{"copy", [&] { copy(pool, out.data(), keys.data(), kElements * 2); }},
                   {"upsweep", [&] {
                      cpu::histogram(keys.data(), counts.data(), 256, kElements, [](std::uint32_t x) { return x & 255; }, pool);
                    }}});
}

template <class In, class T>
void table_case(Setting &setting, const char *type, std::uint64_t channels) {
  constexpr std::uint64_t kSide = 8192;
  auto &pool = setting.pool;
  const std::size_t n = kSide * kSide * channels;
  Array<In> in(n, pool);
  Array<T> out(n, pool);
  Array<std::byte> more(n * (sizeof(In) + sizeof(T)), pool);
  const std::size_t half = n * (sizeof(In) + sizeof(T)) / 2;
  setting.measure("summed-area table of 8192 x 8192", type, n, 2.0 * static_cast<double>(half),
                  {{"copy", [&] { copy(pool, more.data() + half, more.data(), half); }},
                   {"upsweep", [&] { cpu::summed_area_table(in.data(), out.data(), {kSide, kSide, channels, 0, 0}, pool); }},
                   {"loop", [&] {
                      const std::size_t row = kSide * channels;
                      for (std::size_t y = 0; y < kSide; ++y) {
                        T sums[4] = {};
                        for (std::size_t x = 0; x < row; x += channels) {
                          for (std::size_t k = 0; k < channels; ++k) {
                            sums[k] += static_cast<T>(in.data()[y * row + x + k]);
                            out.data()[y * row + x + k] = sums[k] + (y > 0 ? out.data()[(y - 1) * row + x + k] : T(0));
                          }
                        }
                      }
                    }}});
}

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  using namespace upsweep::bench;
  Setting setting{argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : upsweep::cpu::default_pool().concurrency(),
                  argc > 2 ? std::atoi(argv[2]) : 5};
  matrix_cases(setting);
  segment_cases(setting);
  table_case<float, float>(setting, "f32", 1);
  table_case<std::uint8_t, std::uint32_t>(setting, "RGB8 to u32", 3);
}
