// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random scans and reductions over ranks.
#ifndef UPSWEEP_TESTS_DISTRIBUTED_SCAN_CALLS_H
#define UPSWEEP_TESTS_DISTRIBUTED_SCAN_CALLS_H

#include "random_calls.h"

#include <upsweep/distributed/compensated.h>
#include <upsweep/distributed/reduce.h>
#include <upsweep/distributed/scan.h>

namespace upsweep::distributed::test {

// The plain loop. starts[i]: the scan starts again at element i.
template <class T, class Op>
std::vector<T> scanned(const std::vector<T> &x, const Op &op, bool is_inclusive, T initial,
                       const std::vector<char> &starts = {}, T *total = nullptr) {
  std::vector<T> results(x.size());
  T running = initial;
  bool has_any = !is_inclusive;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!starts.empty() && starts[i] != 0) {
      running = initial;
      has_any = !is_inclusive;
    }
    if (!is_inclusive) {
      results[i] = running;
    }
    running = has_any ? op(running, x[i]) : x[i];
    has_any = true;
    if (is_inclusive) {
      results[i] = running;
    }
  }
  if (total != nullptr) {
    *total = running;
  }
  return results;
}
template <class T>
std::vector<T> reversed(std::vector<T> x) {
  std::reverse(x.begin(), x.end());
  return x;
}

template <class T, class C, class Op, class Executor>
void compare_scan(Drawn<C> &drawn, const std::vector<T> &x, const Op &op, T initial, Executor &executor) {
  const bool is_inclusive = drawn.random() % 2 == 0, is_backward = drawn.random() % 2 == 0,
             is_in_place = drawn.random() % 3 == 0;
  T wanted_total{}, total{};
  auto wanted = is_backward ? reversed(scanned(reversed(x), op, is_inclusive, initial, {}, &wanted_total))
                            : scanned(x, op, is_inclusive, initial, {}, &wanted_total);
  auto in = drawn.part(x);
  std::vector<T> other(in.size());
  T *out = is_in_place ? in.data() : other.data();
  const auto scan = [&](auto... options) {
    if (is_inclusive) {
      inclusive_scan(drawn.ranks, in.data(), out, in.size(), op, executor, total_to(&total), options...);
    } else {
      exclusive_scan(drawn.ranks, in.data(), out, in.size(), op, initial, options..., total_to(&total), executor);
    }
  };
  is_backward ? scan(backward) : scan();
  require_same(std::vector<T>(out, out + in.size()), drawn.part(wanted), "scan");
  if (drawn.n > 0 || !is_inclusive) {
    require_same<T>({total}, {wanted_total}, "total of a scan");
  }
}

template <class C>
void call_scan(Drawn<C> &drawn) {
  thread_pool pool(2);
  if (drawn.random() % 2 == 0) {
    compare_scan<Affine>(drawn, drawn.maps(), Compose{}, Affine{3, 4}, pool);
  } else if (drawn.random() % 2 == 0) {
    compare_scan<std::int64_t>(drawn, drawn.numbers(), plus{}, 5, pool);
  } else {
    compare_scan<std::int64_t>(drawn, drawn.numbers(), maximum{}, -3, pool);
  }
  // Bytes into words, with transformations.
  const auto bytes = drawn.template elements<std::uint8_t>([](std::mt19937_64 &r) { return static_cast<std::uint8_t>(r()); });
  const auto in = drawn.part(bytes);
  std::vector<std::uint64_t> sums(in.size()), wanted;
  exclusive_sum(drawn.ranks, in.data(), sums.data(), in.size(), transform_output([](std::uint64_t s) { return s + 1; }),
                transform_input([](std::uint8_t x) { return std::uint64_t(2) * x; }));
  std::uint64_t running = 0;
  for (const std::uint8_t byte : bytes) {
    wanted.push_back(running + 1);
    running += std::uint64_t(2) * byte;
  }
  require_same(sums, drawn.part(wanted), "transformed sums");
}

template <class T, class C, class Op>
void compare_segments(Drawn<C> &drawn, const std::vector<T> &x, const Op &op, T initial) {
  const bool is_inclusive = drawn.random() % 2 == 0, has_keys = drawn.random() % 2 == 0;
  const auto keys = drawn.keys();
  std::vector<char> starts(x.size());
  std::vector<std::uint8_t> flags(x.size());
  const std::uint64_t rare = drawn.run_length();
  for (std::size_t i = 0; i < x.size(); ++i) {
    flags[i] = drawn.random() % rare == 0 ? 3 : 0;
    starts[i] = has_keys ? i > 0 && keys[i] / 2 != keys[i - 1] / 2 : flags[i] != 0;
  }
  const auto in = drawn.part(x);
  const auto own_keys = drawn.part(keys);
  const auto own_flags = drawn.part(flags);
  std::vector<T> out(in.size());
  const auto equal = [](std::uint32_t a, std::uint32_t b) { return a / 2 == b / 2; };
  if (has_keys && is_inclusive) {
    inclusive_scan_by_key(drawn.ranks, own_keys.data(), in.data(), out.data(), in.size(), op, equal);
  } else if (has_keys) {
    exclusive_scan_by_key(drawn.ranks, own_keys.data(), in.data(), out.data(), in.size(), op, initial, equal);
  } else if (is_inclusive) {
    inclusive_scan_by_flag(drawn.ranks, own_flags.data(), in.data(), out.data(), in.size(), op);
  } else {
    exclusive_scan_by_flag(drawn.ranks, own_flags.data(), in.data(), out.data(), in.size(), op, initial);
  }
  require_same(out, drawn.part(scanned(x, op, is_inclusive, initial, starts)), has_keys ? "scan by key" : "scan by flag");
}

template <class C>
void call_segmented_scan(Drawn<C> &drawn) {
  if (drawn.random() % 2 == 0) {
    compare_segments<Affine>(drawn, drawn.maps(), Compose{}, Affine{3, 4});
  } else {
    compare_segments<std::int64_t>(drawn, drawn.numbers(), plus{}, 5);
  }
}

// Sums of numbers of very different size, with a reference of twice the precision.
template <class C>
void call_compensated_sum(Drawn<C> &drawn) {
  const auto x = drawn.template elements<float>(
      [](std::mt19937_64 &r) { return std::ldexp(static_cast<float>(r() % 1000), static_cast<int>(r() % 40)); });
  const auto in = drawn.part(x);
  std::vector<float> sums(in.size());
  float total = 0;
  const bool is_backward = drawn.random() % 2 == 0;
  is_backward ? inclusive_compensated_sum(drawn.ranks, in.data(), sums.data(), in.size(), backward)
              : inclusive_compensated_sum(drawn.ranks, in.data(), sums.data(), in.size());
  compensated_sum(drawn.ranks, in.data(), &total, in.size());
  std::vector<double> exact(x.begin(), x.end());
  double all = 0;
  exact = is_backward ? reversed(scanned(reversed(exact), plus{}, true, 0.0, {}, &all))
                      : scanned(exact, plus{}, true, 0.0, {}, &all);
  const auto is_near = [](float sum, double wanted) { return std::fabs(sum - wanted) <= std::fabs(wanted) * 0x1p-23; };
  require(is_near(total, all), "compensated total");
  for (std::size_t i = 0; i < in.size(); ++i) {
    require(is_near(sums[i], exact[drawn.begin + i]), "compensated sum at " + std::to_string(i));
  }
}

// Elements of 64 bytes have tiles of a few hundred elements, so that groups of 128 tiles cross ranks in short arrays.
struct Wide {
  double of[8];
};
struct AddWide {
  Wide operator()(const Wide &a, const Wide &b) const {
    Wide sum;
    for (int i = 0; i < 8; ++i) {
      sum.of[i] = a.of[i] + b.of[i] * (1 + i);
    }
    return sum;
  }
};

template <class T, class C, class Op>
void compare_reproducible(Drawn<C> &drawn, const std::vector<T> &x, const Op &op, T initial) {
  const bool is_inclusive = drawn.random() % 2 == 0, is_backward = drawn.random() % 2 == 0,
             is_in_place = drawn.random() % 3 == 0;
  thread_pool pool(2);
  const auto twice = [&](auto... options) {
    auto in = drawn.part(x);
    std::vector<T> wanted(x.size()), other(in.size());
    T *out = is_in_place ? in.data() : other.data();
    T total{}, wanted_total{};
    if (is_inclusive) {
      cpu::inclusive_scan(x.data(), wanted.data(), x.size(), op, reproducible, total_to(&wanted_total), options...);
      inclusive_scan(drawn.ranks, in.data(), out, in.size(), op, pool, reproducible, total_to(&total), options...);
    } else {
      cpu::exclusive_scan(x.data(), wanted.data(), x.size(), op, initial, reproducible, total_to(&wanted_total), options...);
      exclusive_scan(drawn.ranks, in.data(), out, in.size(), op, initial, pool, reproducible, total_to(&total), options...);
    }
    require_same(std::vector<T>(out, out + in.size()), drawn.part(wanted), "reproducible scan");
    require_same<T>({total}, {wanted_total}, "reproducible total");
  };
  is_backward ? twice(backward) : twice();
}

template <class C>
void call_reproducible_scan(Drawn<C> &drawn) {
  const std::uint64_t kind = drawn.random() % 4;
  const auto make = [](std::mt19937_64 &r) { return static_cast<double>(r()) / static_cast<double>(1 + r() % 1000); };
  drawn.n = drawn.random() % 2 == 0 ? drawn.n : drawn.random() % 40000;
  if (kind == 0 && drawn.random() % 3 == 0 && drawn.ranks.size() <= 8) {
    drawn.n = 50000 + drawn.random() % 60000;  // more than 128 tiles
  }
  drawn.divide();
  if (kind == 0) {
    compare_reproducible<Wide>(drawn, drawn.template elements<Wide>([&](std::mt19937_64 &r) {
      const double x = make(r);
      return Wide{{x, x / 3, x, x, x, x, x, x}};
    }),
                               AddWide{}, Wide{{1, 2, 3, 4, 5, 6, 7, 8}});
  } else if (kind == 1) {
    compare_reproducible<double>(drawn, drawn.template elements<double>(make), plus{}, 0.1);
  } else if (kind == 2) {
    compare_reproducible<float>(
        drawn, drawn.template elements<float>([&](std::mt19937_64 &r) { return static_cast<float>(make(r)); }), plus{}, 0.1F);
  } else {
    // Reductions have the bits of one rank.
    const auto x = drawn.template elements<double>(make);
    double total = 0, wanted = 0;
    run_ranks(1, [&](thread_communicator &one) { sum(one, x.data(), &wanted, x.size(), reproducible); });
    sum(drawn.ranks, drawn.part(x).data(), &total, drawn.length(), reproducible);
    require_same<double>({total}, {wanted}, "reproducible reduction");
  }
}

template <class C>
void call_reduction(Drawn<C> &drawn) {
  const auto maps = drawn.maps();
  Affine total{}, wanted_map{3, 4};
  reduce(drawn.ranks, drawn.part(maps).data(), &total, drawn.length(), Compose{}, Affine{3, 4});
  for (const Affine &map : maps) {
    wanted_map = Compose{}(wanted_map, map);
  }
  require_same<Affine>({total}, {wanted_map}, "reduction");

  const auto x = drawn.numbers();
  std::uint64_t weighted = 0, wanted = 0;
  transform_reduce(
      drawn.ranks, drawn.part(x).data(), &weighted, drawn.length(), plus{},
      [](std::int64_t element, std::uint64_t i) { return static_cast<std::uint64_t>(element) * (i + 1); }, std::uint64_t(0));
  for (std::size_t i = 0; i < x.size(); ++i) {
    wanted += static_cast<std::uint64_t>(x[i]) * (i + 1);
  }
  require(weighted == wanted, "reduction with the index");

  const auto floats = drawn.floats();
  indexed<float> least{-1, 77}, largest{-1, 77}, wanted_least{-1, 77}, wanted_largest{-1, 77};
  arg_min(drawn.ranks, drawn.part(floats).data(), &least, drawn.length());
  arg_max(drawn.ranks, drawn.part(floats).data(), &largest, drawn.length());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const auto better = [&](const indexed<float> &best, bool is_less) {
      return i == 0 || (std::isnan(best.value) && !std::isnan(floats[i])) ||
             (is_less ? floats[i] < best.value : best.value < floats[i]);
    };
    wanted_least = better(wanted_least, true) ? indexed<float>{floats[i], i} : wanted_least;
    wanted_largest = better(wanted_largest, false) ? indexed<float>{floats[i], i} : wanted_largest;
  }
  require(least.index == wanted_least.index && largest.index == wanted_largest.index, "place of the extremes");
  require_same<float>({least.value, largest.value}, {wanted_least.value, wanted_largest.value}, "extremes");
}

}  // namespace upsweep::distributed::test

#endif
