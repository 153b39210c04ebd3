// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of calls that take turns, so that other work on the machine affects all of them, and the JSON of their minima.
#ifndef UPSWEEP_BENCH_CPU_TURNS_H
#define UPSWEEP_BENCH_CPU_TURNS_H

#include "array.h"

#include <upsweep/cpu/detail/stream.h>
#include <upsweep/cpu/for_each.h>
#include <upsweep/cpu/instructions.h>
#include <upsweep/cpu/thread_pool.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace upsweep::bench {

// Copies past the caches with all threads of the pool: the bound of a call that reads and writes as many bytes.
inline void copy(cpu::thread_pool &pool, void *to, const void *from, std::size_t bytes) {
  constexpr std::size_t kPiece = 1 << 18;
  cpu::for_each_piece(pool, (bytes + kPiece - 1) / kPiece, [&](std::uint64_t piece) {
    auto *out = static_cast<std::byte *>(to) + piece * kPiece;
    const auto *in = static_cast<const std::byte *>(from) + piece * kPiece;
    const std::size_t lines = std::min(kPiece, bytes - piece * kPiece) / 64;
    UPSWEEP_CPU_DISPATCH(stream_lines, out, in, lines);
    _mm_sfence();
  });
}

struct Call {
  std::string name;
  std::function<void()> run;
  double seconds = std::numeric_limits<double>::infinity();
};

// The least times of calls that take turns. There are at least `rounds` rounds; calls shorter than a millisecond are repeated
// for a millisecond.
inline void take_turns(std::vector<Call> &calls, int rounds) {
  using Clock = std::chrono::steady_clock;
  for (int round = 0; round < rounds; ++round) {
    for (Call &call : calls) {
      int times = 0;
      const auto first = Clock::now();
      do {
        const auto start = Clock::now();
        call.run();
        const auto end = Clock::now();
        call.seconds = std::min(call.seconds, std::chrono::duration<double>(end - start).count());
      } while (++times < 1000 && Clock::now() - first < std::chrono::microseconds(500));
    }
  }
}

// Prints a row: {"operation": ..., "type": ..., "n": ..., "threads": ..., "gb_per_s": of the copy, "NAME_us": ...}. The
// operation reads and writes `bytes`; the first call is a copy that moves as many.
inline void print_row(const std::string &operation, const std::string &type, std::size_t n, unsigned threads, double bytes,
                      const std::vector<Call> &calls) {
  std::printf(R"(  {"operation": "%s", "type": "%s", "n": %zu, "threads": %u, "gb_per_s": %.1f)", operation.c_str(),
              type.c_str(), n, threads, bytes / calls[0].seconds * 1e-9);
  for (const Call &call : calls) {
    std::printf(R"(, "%s_us": %.4g)", call.name.c_str(), call.seconds * 1e6);
  }
  std::printf("},\n");
  std::fflush(stdout);
}

}  // namespace upsweep::bench

#endif
