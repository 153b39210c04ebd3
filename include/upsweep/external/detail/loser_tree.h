// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The merge of k sorted ranges: a tree of the losers of a tournament, log2(k) comparisons for each element.
// Source: Knuth, The Art of Computer Programming, volume 3, section 5.4.1.
#pragma once

#include <upsweep/cpu/sort.h>
#include <upsweep/external/detail/ranges.h>

#include <cstring>

namespace upsweep::external::detail {

// The first element of a range, as comparisons need it: where the order is that of unsigned numbers, the number itself.
template <class T, class Less>
struct head {
  const T *element;
  std::uint32_t range;
  static head of(const T *element, std::uint32_t range) { return {element, range}; }
  static bool is_before(const head &x, const head &y, const Less &less) {
    return x.range < y.range ? !less(*y.element, *x.element) : less(*x.element, *y.element);
  }
};

template <class Less>
concept ordered_by_bits = requires { typename Less::OfKeys::Bits; };

template <class T, class Less>
  requires ordered_by_bits<Less>
struct head<T, Less> {
  typename Less::OfKeys::Bits bits;
  std::uint32_t range;
  static head of(const T *element, std::uint32_t range) { return {Less::OfKeys::bits(*element), range}; }
  // Without branches: random keys would mispredict every second one.
  static bool is_before(const head &x, const head &y, const Less &) {
    return static_cast<bool>(static_cast<int>(x.bits < y.bits) |
                             (static_cast<int>(x.bits == y.bits) & static_cast<int>(x.range < y.range)));
  }
};

template <class T, class Less>
class loser_tree {
public:
  loser_tree(const std::vector<range<T>> &ranges, const Less &less) : less_(less) {
    for (const range<T> &each : ranges) {
      if (each.begin != each.end) {
        live_.push_back(each);
      }
    }
  }

  // Writes all elements in order.
  void merge(T *out) {
    while (live_.size() > 1) {
      const std::uint32_t emptied = merge_until_one_is_empty(out);
      live_.erase(live_.begin() + emptied);
    }
    for (const range<T> &last : live_) {
      std::memcpy(static_cast<void *>(out), last.begin, last.size() * sizeof(T));
    }
  }

private:
  using Head = head<T, Less>;

  // Plays all matches; losers_[i] is the loser of match i, whose players are the winners of matches 2 i and 2 i + 1.
  Head play() {
    const std::size_t k = live_.size();
    std::vector<Head> winners(2 * k);
    losers_.resize(k);
    for (std::size_t i = 0; i < k; ++i) {
      winners[k + i] = Head::of(live_[i].begin, static_cast<std::uint32_t>(i));
    }
    for (std::size_t match = k - 1; match > 0; --match) {
      const Head &a = winners[2 * match], &b = winners[2 * match + 1];
      const bool is_first = Head::is_before(a, b, less_);
      winners[match] = is_first ? a : b;
      losers_[match] = is_first ? b : a;
    }
    return winners[1];
  }

  std::uint32_t merge_until_one_is_empty(T *&out) {
    Head winner = play();
    const auto k = static_cast<std::uint32_t>(live_.size());
    Head *const losers = losers_.data();
    range<T> *const live = live_.data();
    for (;;) {
      range<T> &from = live[winner.range];
      *out++ = *from.begin++;
      if (from.begin == from.end) {
        return winner.range;
      }
      winner = Head::of(from.begin, winner.range);
      for (std::uint32_t match = (winner.range + k) / 2; match > 0; match /= 2) {
        const Head loser = losers[match];
        const bool is_changed = Head::is_before(loser, winner, less_);
        losers[match] = is_changed ? winner : loser;
        winner = is_changed ? loser : winner;
      }
    }
  }

  std::vector<range<T>> live_;
  std::vector<Head> losers_;
  Less less_;
};

}  // namespace upsweep::external::detail
