// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The brackets of `reproducible` calls against a model of the GPU. Loops over threads, shuffling lanes, warps, tiles and
// blocks compute it, as docs/cpu-reproducible.md describes.
#include "check.h"

#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>

#include <deque>
#include <optional>

namespace upsweep::cpu::test {

// A model of a scan on a GPU: a thread has `items` elements, a tile `warps` warps.
template <class T, class Op>
class ScanModel {
public:
  ScanModel(std::size_t items, std::size_t warps, Op op) : items_(items), warps_(warps), op_(op) {}

  // An exclusive result is the value to which the element is added. At the begin of a slice it is not the previous result.
  std::vector<T> scan(const std::vector<T> &in, std::optional<T> initial, bool is_inclusive = true) {
    const std::size_t tile_items = 32 * items_ * warps_, tiles = (in.size() + tile_items - 1) / tile_items;
    std::vector<T> out(in.size()), words;
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      // A thread adds its elements; without elements its total has any value.
      std::vector<T> threads(32 * warps_);
      for (std::size_t t = 0; t < threads.size(); ++t) {
        const auto element = [&](std::size_t i) { return in[std::min(tile * tile_items + t * items_ + i, in.size() - 1)]; };
        threads[t] = element(0);
        for (std::size_t i = 1; i < items_; ++i) {
          threads[t] = op_(threads[t], element(i));
        }
      }
      std::vector<T> warp_totals;
      for (std::size_t w = 0; w < warps_; ++w) {
        shuffled_scan(&threads[32 * w], 32);
        warp_totals.push_back(threads[32 * w + 31]);
      }
      shuffled_scan(warp_totals.data(), warps_);
      const std::optional<T> prefix = look_back(words, initial);
      for (std::size_t t = 0; t < threads.size(); ++t) {
        std::optional<T> before = prefix;
        if (t >= 32) {
          before = joined(before, warp_totals[t / 32 - 1]);
        }
        if (t % 32 > 0) {
          before = joined(before, threads[t - 1]);
        }
        for (std::size_t i = 0; i < items_; ++i) {
          const std::size_t at = tile * tile_items + t * items_ + i;
          if (at < in.size()) {
            const T next = joined(before, in[at]);
            out[at] = is_inclusive ? next : *before;
            before = next;
            last_ = next;
          }
        }
      }
      words.push_back(warp_totals.back());
    }
    return out;
  }

  T last() const { return *last_; }

private:
  T joined(const std::optional<T> &left, const T &right) { return left ? op_(*left, right) : right; }

  // Lane l gets the value that lane l - distance had before the step.
  void shuffled_scan(T *lanes, std::size_t count) {
    for (std::size_t distance = 1; distance < count; distance *= 2) {
      const std::vector<T> old(lanes, lanes + count);
      for (std::size_t lane = 0; lane < count; ++lane) {
        lanes[lane] = lane >= distance ? op_(old[lane - distance], old[lane]) : old[lane];
      }
    }
  }

  // Groups of 128 tiles are added in order. Within a group a lane has four tiles, and lanes with tiles are combined by
  // downward shuffles.
  std::optional<T> look_back(const std::vector<T> &words, std::optional<T> known) {
    for (std::size_t first = 0; first < words.size(); first += 128) {
      const std::size_t count = std::min<std::size_t>(128, words.size() - first);
      std::vector<std::optional<T>> lanes(64);
      for (std::size_t i = 0; i < count; ++i) {
        lanes[i / 4] = joined(lanes[i / 4], words[first + i]);
      }
      for (std::size_t distance = 1; distance < 32; distance *= 2) {
        const auto old = lanes;
        for (std::size_t lane = 0; lane < 32; ++lane) {
          lanes[lane] = old[lane] && old[lane + distance] ? op_(*old[lane], *old[lane + distance]) : old[lane];
        }
      }
      known = joined(known, *lanes[0]);
    }
    return known;
  }

  std::size_t items_, warps_;
  Op op_;
  std::optional<T> last_;
};

template <class T>
std::vector<T> inexact_numbers(std::size_t n) {
  std::mt19937_64 random(n + 1);
  std::vector<T> in(n);
  for (T &x : in) {
    x = static_cast<T>(static_cast<double>(random()) / 3e18 - 1.7);
  }
  return in;
}

template <class T>
bool are_same_bits(const T *a, const T *b, std::size_t n) {
  return std::memcmp(a, b, n * sizeof(T)) == 0;
}

const std::size_t kLengths[] = {1,    2,    27,    28,     29,     895,    896,    897,     6271,
                                6272, 6273, 18816, 100000, 802815, 802816, 802817, 1000003, 1700001};

// Items and warps: 28 and 7 for scans of floats, 14 and 6 for doubles.
template <class T>
void check_scan(std::size_t items, std::size_t warps) {
  ScanModel<T, plus> model(items, warps, plus{});
  for (const std::size_t n : kLengths) {
    const auto in = inexact_numbers<T>(n);
    const auto wanted = model.scan(in, std::nullopt);
    const T initial = static_cast<T>(0.3);
    const auto with_initial = model.scan(in, initial, false);
    const T total_wanted = model.last();
    const std::vector<T> reversed(in.rbegin(), in.rend());
    with_all_instructions([&] {
      for (const unsigned threads : {1, 2, 5, 64}) {
        SCOPED_TRACE(testing::Message() << n << " elements, " << threads << " threads");
        thread_pool pool(threads);
        Guarded<T> out(n, threads), exclusive(n, threads + 1), in_place(n);
        T total = 0;
        in_place.fill(in);
        inclusive_sum(in.data(), out.data(), n, pool, reproducible);
        inclusive_sum(in_place.data(), in_place.data(), n, reproducible, pool);
        exclusive_scan(in.data(), exclusive.data(), n, plus{}, initial, pool, reproducible, total_to(&total));
        EXPECT_TRUE(are_same_bits(out.data(), wanted.data(), n) && out.is_intact());
        EXPECT_TRUE(are_same_bits(in_place.data(), wanted.data(), n) && in_place.is_intact());
        EXPECT_TRUE(are_same_bits(exclusive.data(), with_initial.data(), n) && exclusive.is_intact());
        EXPECT_TRUE(are_same_bits(&total, &total_wanted, 1));
        std::vector<T> backwards(n);
        inclusive_sum(reversed.data(), backwards.data(), n, pool, reproducible, backward);
        std::reverse(backwards.begin(), backwards.end());
        EXPECT_TRUE(are_same_bits(backwards.data(), wanted.data(), n));
      }
    });
  }
}

TEST(CpuReproducible, GivenFloats_WhenScanned_ThenTheBracketsAreThoseOfAGpu) { check_scan<float>(28, 7); }
TEST(CpuReproducible, GivenDoubles_WhenScanned_ThenTheBracketsAreThoseOfAGpu) { check_scan<double>(14, 6); }

TEST(CpuReproducible, GivenOtherTotalsAndIterators_WhenScanned_ThenTheBracketsAreThoseOfAGpu) {
  thread_pool pool(3);
  const std::size_t n = 700001;
  const auto in = inexact_numbers<float>(n);
  // Floats summed in doubles: 20 elements for each thread, 6 warps.
  std::vector<double> wide(in.begin(), in.end()), out(n), of_queue(n);
  const auto wanted = ScanModel<double, plus>(20, 6, plus{}).scan(wide, std::nullopt);
  inclusive_scan(in.data(), out.data(), n, plus{}, pool, reproducible, accumulator<double>);
  EXPECT_TRUE(are_same_bits(out.data(), wanted.data(), n));
  const std::deque<float> queue(in.begin(), in.end());
  inclusive_scan(queue.begin(), of_queue.data(), n, plus{}, pool, reproducible, accumulator<double>);
  EXPECT_TRUE(are_same_bits(of_queue.data(), wanted.data(), n));
  // Compensated sums: 28 and 6 for floats, 18 and 4 for doubles.
  std::vector<compensated<float>> pairs(n);
  for (std::size_t i = 0; i < n; ++i) {
    pairs[i] = {in[i], 0};
  }
  const auto sums = ScanModel<compensated<float>, compensated_plus>(28, 6, {}).scan(pairs, std::nullopt);
  std::vector<float> rounded(n), floats(n);
  for (std::size_t i = 0; i < n; ++i) {
    rounded[i] = sums[i].high + sums[i].low;
  }
  inclusive_compensated_sum(in.data(), floats.data(), n, pool, reproducible);
  EXPECT_TRUE(are_same_bits(floats.data(), rounded.data(), n));
  // Exact results have the same bits in any order, and operators that do not commute keep their order.
  const auto affine = random_elements<Affine>(n, 1);
  std::vector<Affine> composed(n), plain(n);
  inclusive_scan(affine.data(), composed.data(), n, Compose(), pool, reproducible);
  inclusive_scan(affine.data(), plain.data(), n, Compose(), pool);
  EXPECT_EQ(composed, plain);
}

// A model of a reduction on a GPU: 396 blocks of 512 threads take tiles in a fixed cycle.
template <class T>
std::optional<T> warp_total(std::vector<std::optional<T>> lanes) {
  lanes.resize(64);
  for (std::size_t distance = 1; distance < 32; distance *= 2) {
    for (std::size_t lane = 0; lane < 32; lane += 2 * distance) {
      if (lanes[lane + distance]) {
        lanes[lane] = *lanes[lane] + *lanes[lane + distance];
      }
    }
  }
  return lanes[0];
}

template <class T>
std::optional<T> block_total(const std::vector<std::optional<T>> &threads) {
  std::vector<std::optional<T>> warps;
  for (std::size_t w = 0; w < 512; w += 32) {
    warps.push_back(warp_total(std::vector<std::optional<T>>(threads.begin() + static_cast<std::ptrdiff_t>(w),
                                                             threads.begin() + static_cast<std::ptrdiff_t>(w + 32))));
  }
  return warp_total(warps);
}

template <class T>
T reduction_model(const std::vector<T> &in) {
  constexpr std::size_t kVector = 16 / sizeof(T), kTile = 512 * 4 * kVector;
  const std::size_t blocks = std::clamp<std::size_t>((in.size() + kVector - 1 + kTile - 1) / kTile, 1, 396);
  std::vector<std::optional<T>> of_blocks(512);
  for (std::size_t block = 0; block < blocks; ++block) {
    std::vector<std::optional<T>> threads(512);
    for (std::size_t tile = block; tile * kTile < in.size(); tile += blocks) {
      const bool is_whole = (tile + 1) * kTile <= in.size();
      for (std::size_t t = 0; t < 512; ++t) {
        for (std::size_t u = 0; u < 4; ++u) {
          const std::size_t first = tile * kTile + (u * 512 + t) * kVector;
          const auto add = [&](const T &value) { threads[t] = threads[t] ? *threads[t] + value : value; };
          if (is_whole) {
            T sum = in[first];
            for (std::size_t i = 1; i < kVector; ++i) {
              sum += in[first + i];
            }
            add(sum);
          } else {
            for (std::size_t i = first; i < std::min(in.size(), first + kVector); ++i) {
              add(in[i]);
            }
          }
        }
      }
    }
    of_blocks[block] = block_total(threads);
  }
  return *block_total(of_blocks);
}

template <class T>
void check_reductions() {
  for (const std::size_t n : {1, 3, 4, 100, 8191, 8192, 8193, 100003, 3244032, 3300001}) {
    const auto in = inexact_numbers<T>(n);
    const T wanted = T(0) + reduction_model(in);
    with_all_instructions([&] {
      for (const unsigned threads : {1, 3, 64}) {
        thread_pool pool(threads);
        T total = 0;
        cpu::sum(in.data(), &total, n, pool, reproducible);
        EXPECT_TRUE(are_same_bits(&total, &wanted, 1)) << n << " " << threads;
      }
    });
  }
  T none = 1;
  cpu::sum(static_cast<const T *>(nullptr), &none, 0, reproducible);
  EXPECT_EQ(none, T(0));
}

TEST(CpuReproducible, GivenNumbers_WhenSummed_ThenTheBracketsAreThoseOfAGpu) {
  check_reductions<float>();
  check_reductions<double>();
}

}  // namespace upsweep::cpu::test
