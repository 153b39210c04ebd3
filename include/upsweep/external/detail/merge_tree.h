// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The merge of k sorted ranges whose order is that of unsigned numbers: a binary tree of merges of two, whose buffers stay in
// the cache. A step has no branch and waits for no earlier store, so each of an element's log2(k) comparisons takes a third
// to two thirds of the time of a match in a tree of losers. Elements are copied log2(k) times, so they must be small.
#pragma once

#include <upsweep/external/detail/loser_tree.h>

#include <memory>

namespace upsweep::external::detail {

template <class T, class Less>
  requires ordered_by_bits<Less>
class merge_tree {
public:
  merge_tree(const std::vector<range<T>> &ranges, const Less &) {
    std::vector<range<T>> some;
    for (const range<T> &each : ranges) {
      if (each.size() > 0) {
        some.push_back(each);
        count_ += each.size();
      }
    }
    if (!some.empty()) {
      length_ = std::clamp<std::uint64_t>(2 * count_ / some.size(), kLeastBuffer, kMostBuffer);
      buffers_.reset(new T[(some.size() - 1) * length_]);
      nodes_.reserve(2 * some.size());
      add(some, 0, some.size());
    }
  }

  // Writes all elements in order.
  void merge(T *out) {
    if (!nodes_.empty()) {
      take(nodes_.back(), out, count_);
    }
  }

private:
  // Elements of a buffer. 8 KiB for elements of 8 bytes: longer buffers save no time. The buffers of many ranges are shorter,
  // so that all of them have some twice the elements that are merged.
  static constexpr std::uint64_t kLeastBuffer = 32, kMostBuffer = 1024;

  // A range, or the merge of the nodes `left` and `right`, of which `ready` is the next piece.
  struct node {
    range<T> ready;
    std::uint32_t left = 0, right = 0;
    T *buffer = nullptr;
  };

  // Nodes come after their children, so that the last one is the root.
  std::uint32_t add(const std::vector<range<T>> &ranges, std::size_t begin, std::size_t end) {
    node added;
    if (end - begin == 1) {
      added.ready = ranges[begin];
    } else {
      const std::size_t middle = begin + (end - begin) / 2;
      added.left = add(ranges, begin, middle);
      added.right = add(ranges, middle, end);
      added.buffer = buffers_.get() + merges_++ * length_;
    }
    nodes_.push_back(added);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  bool has_more(node &of) {
    if (of.ready.size() == 0 && of.buffer != nullptr) {
      of.ready = {of.buffer, take(of, of.buffer, length_)};
    }
    return of.ready.size() > 0;
  }

  // Writes the next elements of a node, at most n, and returns their end.
  T *take(node &of, T *out, std::uint64_t n) {
    if (of.buffer == nullptr) {
      return copy(of.ready, out, n);
    }
    node &left = nodes_[of.left], &right = nodes_[of.right];
    for (T *const end = out + n; out != end;) {
      const bool has_left = has_more(left), has_right = has_more(right);
      const auto room = static_cast<std::uint64_t>(end - out);
      if (has_left && has_right) {
        out = merge_steps(left.ready, right.ready, out, std::min({room, left.ready.size(), right.ready.size()}));
      } else if (has_left || has_right) {
        out = copy(has_left ? left.ready : right.ready, out, room);
      } else {
        break;
      }
    }
    return out;
  }

  static T *copy(range<T> &from, T *out, std::uint64_t n) {
    n = std::min(n, from.size());
    std::memcpy(static_cast<void *>(out), from.begin, n * sizeof(T));
    from.begin += n;
    return out + n;
  }

  // Each step takes one element, so that n steps stay inside of two ranges of n. No branch depends on keys: random keys would
  // mispredict every second one.
  static T *merge_steps(range<T> &left, range<T> &right, T *out, std::uint64_t n) {
    const T *x = left.begin, *y = right.begin;
    for (std::uint64_t i = 0; i < n; ++i) {
      const bool takes_right = Less::OfKeys::bits(*y) < Less::OfKeys::bits(*x);
      out[i] = *(takes_right ? y : x);
      y += takes_right;
      x += !takes_right;
    }
    left.begin = x;
    right.begin = y;
    return out + n;
  }

  std::vector<node> nodes_;
  std::unique_ptr<T[]> buffers_;
  std::uint64_t count_ = 0, length_ = 0, merges_ = 0;
};

inline constexpr std::size_t kSmallElement = 16;  // bytes

template <class T, class Less>
struct merger_for {
  using type = loser_tree<T, Less>;
};
template <class T, class Less>
  requires(ordered_by_bits<Less> && sizeof(T) <= kSmallElement)
struct merger_for<T, Less> {
  using type = merge_tree<T, Less>;
};

}  // namespace upsweep::external::detail
