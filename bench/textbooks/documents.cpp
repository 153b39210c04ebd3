// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The claims of the documents, and the same figures as measured here. Figures 39-7, 39-8 and 39-11 have no numbers, and the
// cells of table 39-1 are lost, so only the claims of the text are here.
#include "bench/textbooks/bench.h"

#include <ranges>

namespace upsweep::cli::textbooks {
namespace {

constexpr const char *kChapter = "GeForce 8800 GTX, GPU Gems 3";
constexpr const char *kArticle = "A100-80GB, article";

// How many times as long the first of two rungs takes.
struct Ratio {
  Figure figure;
  const char *slow, *fast;
  size_t n;  // or kMost or kBest
  const char *claim, *theirs, *hardware;
};

constexpr size_t kBest = 0;         // the length with the greatest ratio
constexpr size_t kMost = SIZE_MAX;  // the greatest length

constexpr Ratio kRatios[] = {
    {Figure::kScan, "sequential, one thread of the host", "work-efficient, 8 elements an item", kBest,
     "the chapter's best scan beside a loop on a CPU (figure 39-7)", "up to 20 x", kChapter},
    {Figure::kScan, "sequential, one thread of the host", "library", kBest, "the same, of the library's scan", "up to 20 x",
     kChapter},
    {Figure::kScan, "sequential, one thread", "block sums, uniform add", kBest,
     "scans of blocks on all threads beside one loop (figure 39-7)", "up to 20 x", kChapter},
    {Figure::kScan, "sequential, one thread", "library", kBest, "the same, of the library's scan", "up to 20 x", kChapter},
    {Figure::kScan, "naive", "work-efficient, padded, unrolled", kMost, "naive beside work-efficient blocks (section 39.2.5)",
     "a factor of O(log2 B); log2 256 is 8", kChapter},
    {Figure::kScan, "work-efficient", "work-efficient, padded", kMost, "without padding against bank conflicts (figure 39-8)",
     "slower, no number", kChapter},
    {Figure::kScan, "work-efficient, padded", "work-efficient, padded, unrolled", kMost, "without unrolled loops (figure 39-8)",
     "slower, no number", kChapter},
    {Figure::kScan, "work-efficient, padded, unrolled", "work-efficient, 8 elements an item", kMost,
     "two elements a thread beside eight (section 39.2.5)", "more than 2 x", kChapter},
    {Figure::kBlock, "naive", "work-efficient", kChunk, "one block of 1024: Hillis-Steele beside Blelloch",
     "1.30 x (1850 and 1420 ns)", kArticle},
    {Figure::kBlock, "naive, two buffers", "work-efficient", kChunk, "one block of 1024: Hillis-Steele beside Blelloch",
     "1.30 x (1850 and 1420 ns)", kArticle},
    {Figure::kBlock, "naive", "work-efficient, padded", kChunk, "one block of 1024: Hillis-Steele beside Blelloch, padded",
     "1.71 x (1850 and 1080 ns)", kArticle},
    {Figure::kScan, "sequential, one work-item", "library", size_t{1} << 20, "a million elements: one work-item beside all",
     "100 x", kArticle},
    {Figure::kScan, "sequential, one thread", "library", size_t{1} << 20, "a million elements: one thread beside all", "100 x",
     kArticle},
    {Figure::kScan, "library, three launches", "library", kMost, "three passes beside one", "1.80 x (820 and 1480 GB/s)",
     kArticle},
    {Figure::kScan, "block sums, uniform add", "library", kMost, "three passes beside one", "1.80 x (820 and 1480 GB/s)",
     kArticle},
};

// Speeds of the article's last table, at the greatest length.
struct Rate {
  const char *rung, *claim, *theirs;
};

constexpr Rate kRates[] = {
    {"sequential, one work-item", "the article's table, of 64M floats: one thread", "10 GB/s, 0.5 % of the peak"},
    {"library, three launches", "the article's table, of 64M floats: three passes", "820 GB/s, 42.4 % of the peak"},
    {"block sums, uniform add", "the article's table, of 64M floats: three passes", "820 GB/s, 42.4 % of the peak"},
    {"library", "the article's table, of 64M floats: decoupled look-back, or CUB",
     "1480 or 1620 GB/s, 76.5 or 83.7 % of the peak"},
};

std::optional<std::pair<double, size_t>> ratio_of(const Results &results, const Ratio &claim) {
  std::optional<std::pair<double, size_t>> best;
  for (const size_t n : results.lengths(claim.figure)) {
    const auto slow = results.seconds(claim.figure, claim.slow, n), fast = results.seconds(claim.figure, claim.fast, n);
    if (!slow || !fast || (claim.n != kBest && claim.n != kMost && claim.n != n)) continue;
    if (!best || claim.n == kMost || *slow / *fast > best->first) best = {*slow / *fast, n};
  }
  return best;
}

}  // namespace

std::vector<Comparison> compare(const Results &results) {
  std::vector<Comparison> rows;
  for (const Ratio &claim : kRatios)
    if (const auto ratio = ratio_of(results, claim))
      rows.push_back({claim.claim, fmt::format("{} ({})", claim.theirs, claim.hardware),
                      fmt::format("{:.2f} x at {} elements", ratio->first, ratio->second)});
  for (const Rate &claim : kRates) {
    for (const size_t n : results.lengths(Figure::kScan) | std::views::reverse) {
      const auto seconds = results.seconds(Figure::kScan, claim.rung, n);
      if (!seconds) continue;
      const double rate = least_bytes(Figure::kScan, n) / *seconds;
      rows.push_back(
          {claim.claim, fmt::format("{} ({})", claim.theirs, kArticle),
           fmt::format("{:.4g} GB/s, {:.2g} % of a copy, at {} elements", rate * 1e-9, 100 * rate / results.copy_rate, n)});
      break;
    }
  }
  return rows;
}

}  // namespace upsweep::cli::textbooks
