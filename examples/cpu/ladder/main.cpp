// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares each rung of the ladder with the standard library. With arguments it prints their times.
//
//     ladder [LOG2_N [THREADS [ROUNDS]]]   rows of JSON
#include "applications.h"
#include "more_rungs.h"

#include <upsweep/cpu/axis.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/cpu/summed_area.h>

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

// Chunks shorter than kChunk; many are scanned in a call.
Rung of_lanes(const char *name, void (*scan)(const float *, float *, std::size_t)) {
  return {name, ladder::kLanes, [scan](thread_pool &pool, const float *in, float *out, std::size_t n) {
            ladder::each_chunk(pool, in, out, n, scan);
          }};
}

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
      of_lanes("in registers", ladder::each_vector<float>),
      of_chunks("block from vectors", ladder::block_from_vectors<float>),
      {"exclusive_sum_of_axis", ladder::kChunk,
       [](thread_pool &pool, auto *in, auto *out, std::size_t n) {
         cpu::exclusive_sum_of_axis(in, out, cpu::axis{n / ladder::kChunk, ladder::kChunk, 1, {}, {}}, pool);
       }},
      {"block sums, uniform add", 0,
       [](thread_pool &pool, auto *in, auto *out, std::size_t n) { ladder::uniform_add(pool, in, out, n); }},
      {"reduce, then scan", 0,
       [](thread_pool &pool, auto *in, auto *out, std::size_t n) { ladder::reduce_then_scan(pool, in, out, n); }},
      {"decoupled look-back, textbook", 0,
       [](thread_pool &pool, auto *in, auto *out, std::size_t n) { ladder::decoupled_look_back(pool, in, out, n); }},
      {"exclusive_sum", 0, [](thread_pool &pool, auto *in, auto *out, std::size_t n) { cpu::exclusive_sum(in, out, n, pool); }},
  };
}

// Numbers whose sums are exact.
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

template <class Step, class T>
double least_seconds(const Step &rung, thread_pool &pool, const T *in, T *out, std::size_t n, int rounds) {
  double least = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    rung.run(pool, in, out, n);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

// An application of a scan from the documents, and the library's call for it. Both fill `out` from `in`, n words each.
struct Application {
  std::string name;
  std::function<void(thread_pool &, const std::uint32_t *, std::uint32_t *, std::size_t)> run;
  std::function<void(const std::vector<std::uint32_t> &, std::vector<std::uint32_t> &)> reference;
};

bool is_kept(std::uint32_t x) { return x % 3 == 0; }

constexpr std::size_t kImageWidth = 256;  // pixels; an image of n words has n / 256 / 3 rows
std::size_t image_rows(std::size_t n) { return n / kImageWidth / 3; }

void reference_compact(const std::vector<std::uint32_t> &in, std::vector<std::uint32_t> &out) {
  std::copy_if(in.begin(), in.end(), out.begin(), is_kept);
}
void reference_sort(const std::vector<std::uint32_t> &in, std::vector<std::uint32_t> &out) {
  out = in;
  std::sort(out.begin(), out.end());
}
// Scans of 16 words each, starting again at each element for which is_kept() is true.
void reference_segments(const std::vector<std::uint32_t> &in, std::vector<std::uint32_t> &out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = in[i] + (i % ladder::kLanes == 0 || is_kept(in[i]) ? 0 : out[i - 1]);
  }
}
// Three planes with sums of the bytes of `in`.
void reference_table(const std::vector<std::uint32_t> &in, std::vector<std::uint32_t> &out) {
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(in.data());
  const std::size_t rows = image_rows(in.size());
  for (std::size_t c = 0; c < 3; ++c) {
    std::uint32_t *plane = out.data() + c * rows * kImageWidth;
    for (std::size_t y = 0; y < rows; ++y) {
      std::uint32_t sum = 0;
      for (std::size_t x = 0; x < kImageWidth; ++x) {
        const std::size_t i = y * kImageWidth + x;
        sum += bytes[3 * i + c];
        plane[i] = sum + (y > 0 ? plane[i - kImageWidth] : 0);
      }
    }
  }
}

void segmented_vectors(thread_pool &pool, const std::uint32_t *in, std::uint32_t *out, std::size_t n) {
  ladder::for_all(pool, (n + ladder::kPiece - 1) / ladder::kPiece, [&](std::size_t piece) {
    for (std::size_t i = piece * ladder::kPiece; i < std::min(n, (piece + 1) * ladder::kPiece); i += ladder::kLanes) {
      std::uint8_t heads[ladder::kLanes];
      for (std::size_t lane = 0; lane < ladder::kLanes; ++lane) {
        heads[lane] = is_kept(in[i + lane]) ? 1 : 0;
      }
      ladder::segmented_lanes(in + i, heads, out + i);
    }
  });
}

void table_by_library(thread_pool &pool, const std::uint32_t *in, std::uint32_t *out, std::size_t n) {
  upsweep::cpu::summed_area_table(reinterpret_cast<const std::uint8_t *>(in), out, {image_rows(n), kImageWidth, 3}, pool);
}

std::vector<Application> applications() {
  namespace cpu = upsweep::cpu;
  return {
      {"compaction by a scan",
       [](auto &pool, auto *in, auto *out, std::size_t n) { ladder::compact(pool, in, out, n, is_kept); }, reference_compact},
      {"select_if",
       [](auto &pool, auto *in, auto *out, std::size_t n) {
         std::uint64_t kept = 0;
         cpu::select_if(in, out, &kept, n, is_kept, pool);
       },
       reference_compact},
      {"sort by splits of one bit",
       [](auto &pool, auto *in, auto *out, std::size_t n) { ladder::split_sort(pool, in, out, n); }, reference_sort},
      {"chunks by splits, merges",
       [](auto &pool, auto *in, auto *out, std::size_t n) { ladder::sort_chunks(pool, in, out, n); }, reference_sort},
      {"sort_keys", [](auto &pool, auto *in, auto *out, std::size_t n) { cpu::sort_keys(in, out, n, pool); }, reference_sort},
      {"segmented scan in registers", segmented_vectors, reference_segments},
      {"table of planes, by transposes",
       [](auto &pool, auto *in, auto *out, std::size_t n) {
         ladder::summed_area_of_planes(pool, reinterpret_cast<const std::uint8_t *>(in), out, image_rows(n), kImageWidth);
       },
       reference_table},
      {"summed_area_table", table_by_library, nullptr},  // with interleaved channels
  };
}

std::vector<std::uint32_t> random_words(std::size_t n) {
  std::vector<std::uint32_t> in(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = static_cast<std::uint32_t>((i * 0x9e3779b97f4a7c15U) >> 32);
  }
  return in;
}

bool is_right(const Application &application, thread_pool &pool, std::size_t n) {
  if (!application.reference) {
    return true;  // tests/cpu has its test
  }
  const auto in = random_words(n);
  std::vector<std::uint32_t> out(n, 7), wanted(n, 7);
  application.run(pool, in.data(), out.data(), n);
  application.reference(in, wanted);
  return out == wanted;
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
  for (const Application &application : applications()) {
    for (const std::size_t n : {ladder::kChunk, 100 * ladder::kChunk, 1001 * ladder::kChunk}) {
      if (!is_right(application, pool, n)) {
        std::printf("%s: wrong\n", application.name.c_str());
        return 1;
      }
    }
  }
  if (argc > 1) {
    const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
    const std::size_t n = std::size_t(1) << std::atoi(argv[1]);
    const auto in = small_numbers(n);
    std::vector<float> out(n);
    for (const Rung &rung : rungs()) {
      std::printf(R"(  {"rung": "%s", "chunk": %zu, "n": %zu, "threads": %u, "us": %.4g},)", rung.name.c_str(), rung.chunk, n,
                  pool.concurrency(), 1e6 * least_seconds(rung, pool, in.data(), out.data(), n, rounds));
      std::printf("\n");
    }
    const auto words = random_words(n);
    std::vector<std::uint32_t> results(n);
    for (const Application &application : applications()) {
      std::printf(R"(  {"rung": "%s", "chunk": 0, "n": %zu, "threads": %u, "us": %.4g},)", application.name.c_str(), n,
                  pool.concurrency(), 1e6 * least_seconds(application, pool, words.data(), results.data(), n, rounds));
      std::printf("\n");
    }
  }
}
