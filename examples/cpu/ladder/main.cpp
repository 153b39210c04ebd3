// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rung of the ladder beside the standard library; with arguments their times.
//
//     ladder [LOG2_N [THREADS [ROUNDS]]]   rows of JSON
#include "ladder.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/scan.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>

using upsweep::cpu::thread_pool;

namespace {

struct Rung {
  std::string name;
  std::size_t chunk;  // 0: all
  std::function<void(thread_pool &, const float *, float *, std::size_t)> run;
};

template <class ScanChunk>
Rung of_chunks(const char *name, ScanChunk scan) {
  return {name, ladder::kChunk, [scan](thread_pool &pool, const float *in, float *out, std::size_t n) {
            ladder::each_chunk(pool, in, out, n, scan);
          }};
}

std::vector<Rung> rungs() {
  namespace cpu = upsweep::cpu;
  return {
      {"sequential, one thread", 0, [](thread_pool &, auto *in, auto *out, std::size_t n) { ladder::sequential(in, out, n); }},
      of_chunks("sequential", [](auto *in, auto *out, std::size_t n) { ladder::sequential(in, out, n); }),
      of_chunks("Hillis-Steele, in place", ladder::hillis_steele_in_place<float>),
      of_chunks("Hillis-Steele, two buffers", ladder::hillis_steele<float>),
      of_chunks("Blelloch", ladder::blelloch<float>),
      of_chunks("hybrid, 1 reduce step", ladder::hybrid<1, float>),
      of_chunks("hybrid, 3 reduce steps", ladder::hybrid<3, float>),
      of_chunks("hybrid, 5 reduce steps", ladder::hybrid<5, float>),
      {"exclusive_sum_of_axis", ladder::kChunk,
       [](thread_pool &pool, auto *in, auto *out, std::size_t n) {
         cpu::exclusive_sum_of_axis(in, out, cpu::axis{n / ladder::kChunk, ladder::kChunk, 1, {}, {}}, pool);
       }},
      {"block sums, uniform add", 0,
       [](thread_pool &pool, auto *in, auto *out, std::size_t n) { ladder::uniform_add(pool, in, out, n); }},
      {"reduce, then scan", 0,
       [](thread_pool &pool, auto *in, auto *out, std::size_t n) { ladder::reduce_then_scan(pool, in, out, n); }},
      {"exclusive_sum", 0, [](thread_pool &pool, auto *in, auto *out, std::size_t n) { cpu::exclusive_sum(in, out, n, pool); }},
  };
}

// Sums of these are exact.
std::vector<float> small_numbers(std::size_t n) {
  std::vector<float> in(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i * 2654435761U >> 7 & 3);
  }
  return in;
}

bool is_right(const Rung &rung, thread_pool &pool, std::size_t n) {
  const auto in = small_numbers(n);
  std::vector<float> out(n, -1), wanted(n);
  const std::size_t chunk = rung.chunk == 0 ? n : rung.chunk;
  for (std::size_t i = 0; i < n; i += chunk) {
    const auto begin = in.begin() + static_cast<std::ptrdiff_t>(i);
    std::exclusive_scan(begin, begin + static_cast<std::ptrdiff_t>(chunk), wanted.begin() + static_cast<std::ptrdiff_t>(i),
                        0.F);
  }
  rung.run(pool, in.data(), out.data(), n);
  return out == wanted;
}

double least_seconds(const Rung &rung, thread_pool &pool, const float *in, float *out, std::size_t n, int rounds) {
  double least = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    rung.run(pool, in, out, n);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

}  // namespace

int main(int argc, char **argv) {
  thread_pool pool(argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 4);
  for (const Rung &rung : rungs()) {
    for (const std::size_t n : {ladder::kChunk, 100 * ladder::kChunk, 1001 * ladder::kChunk}) {
      if (!is_right(rung, pool, n)) {
        std::printf("%s: wrong\n", rung.name.c_str());
        return 1;
      }
    }
  }
  if (argc > 1) {
    const std::size_t n = std::size_t(1) << std::atoi(argv[1]);
    const auto in = small_numbers(n);
    std::vector<float> out(n);
    for (const Rung &rung : rungs()) {
      std::printf(R"(  {"rung": "%s", "chunk": %zu, "n": %zu, "threads": %u, "us": %.4g},)", rung.name.c_str(), rung.chunk, n,
                  pool.concurrency(),
                  1e6 * least_seconds(rung, pool, in.data(), out.data(), n, argc > 3 ? std::atoi(argv[3]) : 5));
      std::printf("\n");
    }
  }
}
