// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts by CPU threads, with oneTBB, the C++ standard library and Highway's vqsort, which has one thread.
//
//     bench_cpu_sort [THREADS [ROUNDS [LOG2_N...]]]   rows of JSON
#include "turns.h"

#include <upsweep/cpu/sort.h>

#include <tbb/global_control.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <execution>

#ifdef UPSWEEP_BENCH_VQSORT
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace upsweep::bench {

template <class Key>
Key random_key(std::size_t i) {
  const std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15U ^ ((i + 7) * 0xc2b2ae3d27d4eb4fU >> 29);
  if constexpr (std::is_floating_point_v<Key>) {
    return static_cast<Key>(static_cast<std::int64_t>(bits));
  } else {
    return static_cast<Key>(bits ^ bits >> 32);
  }
}

// Every call sorts fresh keys: each time includes a copy through the caches, ours too.
template <class Key>
void sort_case(unsigned threads, int rounds, const char *type, std::size_t n) {
  cpu::thread_pool pool(threads);
  tbb::task_arena arena(static_cast<int>(threads));
  Array<Key> in(n, pool), out(n, pool);
  in.fill(pool, random_key<Key>);
  const auto refill = [&] { copy(pool, out.data(), in.data(), n * sizeof(Key)); };
  std::vector<Call> calls = {
      {"copy", [&] { copy(pool, out.data(), in.data(), n * sizeof(Key)); }},
      {"upsweep", [&] { cpu::sort_keys(in.data(), out.data(), n, pool); }},
      {"tbb", [&] { refill(), arena.execute([&] { tbb::parallel_sort(out.begin(), out.end()); }); }},
      {"par_unseq", [&] { refill(), arena.execute([&] { std::sort(std::execution::par_unseq, out.begin(), out.end()); }); }},
  };
#ifdef UPSWEEP_BENCH_VQSORT
  static hwy::Sorter sorter;
  calls.push_back({"vqsort", [&] { refill(), sorter(out.data(), n, hwy::SortAscending()); }});
#endif
  take_turns(calls, rounds);
  print_row("sort", type, n, threads, 2.0 * static_cast<double>(n) * sizeof(Key), calls);
}

void sort_pairs_case(unsigned threads, int rounds, std::size_t n) {
  struct Pair {
    std::uint32_t key, value;
    bool operator<(const Pair &other) const { return key < other.key; }
  };
  cpu::thread_pool pool(threads);
  tbb::task_arena arena(static_cast<int>(threads));
  Array<std::uint32_t> keys(n, pool), values(n, pool), out(n, pool), out_values(n, pool);
  Array<Pair> pairs(n, pool), sorted(n, pool);
  keys.fill(pool, random_key<std::uint32_t>);
  pairs.fill(pool, [](std::size_t i) { return Pair{random_key<std::uint32_t>(i), 0}; });
  std::vector<Call> calls = {
      {"copy", [&] { copy(pool, sorted.data(), pairs.data(), n * 8); }},
      {"upsweep", [&] { cpu::sort_pairs(keys.data(), out.data(), values.data(), out_values.data(), n, pool); }},
      {"tbb",
       [&] {
         copy(pool, sorted.data(), pairs.data(), n * 8);
         arena.execute([&] { tbb::parallel_sort(sorted.begin(), sorted.end()); });
       }},
  };
  take_turns(calls, rounds);
  print_row("sort pairs", "u32", n, threads, 16.0 * static_cast<double>(n), calls);
}

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  using namespace upsweep::bench;
  const unsigned threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : upsweep::cpu::default_pool().concurrency();
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  for (int i = 3; i < std::max(argc, 4); ++i) {
    const std::size_t n = std::size_t(1) << (i < argc ? std::atoi(argv[i]) : 26);
    sort_case<std::uint32_t>(threads, rounds, "u32", n);
    sort_case<std::uint64_t>(threads, rounds, "u64", n);
    sort_case<double>(threads, rounds, "f64", n);
    sort_pairs_case(threads, rounds, n);
  }
}
