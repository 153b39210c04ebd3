// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and reductions by a Program, which is associative and need not commute. Decoding instructions is slow for a single
// pair of elements and fast for a row of pairs, so all work is in rows of lanes:
//
//   across   the lanes are rows or columns of the array, and steps go along them
//   a line   is divided into lanes of kSteps elements. The same function scans their totals. Then each lane is scanned from
//            the total of the lanes before it. Brackets depend only on the length, so all numbers of threads give the same
//            bits.
#pragma once

#include "expression.h"

#include <upsweep/common/numbers.h>
#include <upsweep/cpu/for_each.h>
#include <upsweep/cpu/thread_pool.h>

namespace upsweep::python {

inline constexpr std::uint64_t kSteps = 32;
// Calls of at most this length run on the calling thread alone: they take some 100 us, and waking another thread takes up to 50
// us.
inline constexpr std::uint64_t kLeastForThreads = 16384;
// Rows of at least this length are scanned as lines. Shorter rows would give few lanes; they become the lanes.
inline constexpr std::uint64_t kLeastLine = 512;

// Elements at a constant step. A head is an element that starts a new scan; without `flags` only element 0 is one.
template <class T>
struct Line {
  const T *in;
  std::int64_t step;
  std::uint64_t n;
  const std::uint8_t *flags;

  bool is_head(std::uint64_t i) const { return i == 0 || (flags != nullptr && flags[i] != 0); }
};

// The totals of lanes, and the elements of the next step.
template <class T>
class Walk {
public:
  explicit Walk(const Program<T> &program) : program_(program) {}

  T totals[kLanes];
  T next[kLanes];
  std::uint8_t heads[kLanes];

  // Combines the totals with the next elements. Where `replaced` (which may be null) is not 0, elements replace the totals.
  void step(unsigned lanes, const std::uint8_t *replaced) {
    const T *made = program_(totals, next, lanes, replaced, slots_);
    if (replaced == nullptr) {
      std::copy_n(made, lanes, totals);
      return;
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
      totals[lane] = replaced[lane] != 0 ? next[lane] : made[lane];
    }
  }

  void begin_heads(unsigned lanes, const T &initial) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      totals[lane] = heads[lane] != 0 ? initial : totals[lane];
    }
  }

private:
  const Program<T> &program_;
  std::array<typename Program<T>::Row, Program<T>::kSlots> slots_;
};

// Up to kLanes lanes of a line.
struct Block {
  std::uint64_t first;
  unsigned lanes;

  Block(std::uint64_t number, std::uint64_t all)
      : first(number * kLanes), lanes(static_cast<unsigned>(std::min<std::uint64_t>(kLanes, all - first))) {}

  // The line's last lane may be short.
  unsigned lanes_at(std::uint64_t step, std::uint64_t n) const {
    return (first + lanes - 1) * kSteps + step < n ? lanes : lanes - 1;
  }
};

inline std::uint64_t lanes_of(std::uint64_t n) { return (n + kSteps - 1) / kSteps; }

// Calls work(block) for all blocks of a line of n elements.
template <class Work>
void for_each_block(std::uint64_t n, thread_pool &pool, const Work &work) {
  const std::uint64_t lanes = lanes_of(n), blocks = (lanes + kLanes - 1) / kLanes;
  const auto one = [&](std::uint64_t number) { work(Block(number, lanes)); };
  if (n < kLeastForThreads) {
    cpu::calling_thread alone;
    cpu::for_each_piece(alone, blocks, one);
  } else {
    cpu::for_each_piece(pool, blocks, one);
  }
}

// Loads the elements of a step, and its heads if there are any.
template <class T>
bool load(const Line<T> &line, const Block &block, std::uint64_t step, unsigned lanes, Walk<T> &walk) {
  const std::uint64_t begin = block.first * kSteps + step;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    walk.next[lane] = line.in[static_cast<std::int64_t>(begin + lane * kSteps) * line.step];
  }
  if (line.flags == nullptr && begin != 0) {
    return false;
  }
  for (unsigned lane = 0; lane < lanes; ++lane) {
    walk.heads[lane] = line.is_head(begin + lane * kSteps) ? 1 : 0;
  }
  return true;
}

// The total of each lane from its last head on. `seen`, if not null, becomes 1 for lanes with a head.
template <class T>
void reduce_lanes(const Program<T> &program, const Line<T> &line, const T *initial, T *totals, std::uint8_t *seen,
                  thread_pool &pool) {
  for_each_block(line.n, pool, [&](const Block &block) {
    Walk<T> walk(program);
    std::uint8_t any[kLanes] = {};
    for (std::uint64_t step = 0; step < std::min(kSteps, line.n); ++step) {
      const unsigned lanes = block.lanes_at(step, line.n);
      const bool has_heads = load(line, block, step, lanes, walk);
      for (unsigned lane = 0; has_heads && lane < lanes; ++lane) {
        any[lane] |= walk.heads[lane];
      }
      if (step == 0 && has_heads && initial != nullptr) {
        std::fill_n(walk.totals, lanes, *initial);
        std::uint8_t continued[kLanes];
        std::transform(walk.heads, walk.heads + lanes, continued, [](std::uint8_t head) { return head == 0 ? 1 : 0; });
        walk.step(lanes, continued);
      } else if (step == 0) {
        std::copy_n(walk.next, lanes, walk.totals);
      } else if (has_heads && initial != nullptr) {
        walk.begin_heads(lanes, *initial);
        walk.step(lanes, nullptr);
      } else {
        walk.step(lanes, has_heads ? walk.heads : nullptr);
      }
    }
    std::copy_n(walk.totals, block.lanes, totals + block.first);
    if (seen != nullptr) {
      std::copy_n(any, block.lanes, seen + block.first);
    }
  });
}

// Stores the results of each lane's elements, for lane k from totals[k - 1] on.
template <class T>
void scan_lanes(const Program<T> &program, const Line<T> &line, const T *initial, bool is_exclusive, const T *totals, T *out,
                std::int64_t out_step, thread_pool &pool) {
  for_each_block(line.n, pool, [&](const Block &block) {
    Walk<T> walk(program);
    for (unsigned lane = 0; lane < block.lanes; ++lane) {
      walk.totals[lane] = block.first + lane == 0 ? T(0) : totals[block.first + lane - 1];
    }
    for (std::uint64_t step = 0; step < std::min(kSteps, line.n); ++step) {
      const unsigned lanes = block.lanes_at(step, line.n);
      const bool has_heads = load(line, block, step, lanes, walk);
      if (has_heads && initial != nullptr) {
        walk.begin_heads(lanes, *initial);
      }
      const auto write = [&] {
        for (unsigned lane = 0; lane < lanes; ++lane) {
          out[static_cast<std::int64_t>((block.first + lane) * kSteps + step) * out_step] = walk.totals[lane];
        }
      };
      if (is_exclusive) {
        write();
      }
      walk.step(lanes, has_heads && initial == nullptr ? walk.heads : nullptr);
      if (!is_exclusive) {
        write();
      }
    }
  });
}

// `out` may be the line itself.
template <class T>
void scan_line(const Program<T> &program, const Line<T> &line, const T *initial, bool is_exclusive, T *out,
               std::int64_t out_step, thread_pool &pool) {
  std::vector<T> totals(lanes_of(line.n));
  if (totals.size() > 1) {
    std::vector<std::uint8_t> seen(line.flags != nullptr ? totals.size() : 0);
    std::uint8_t *const flags = line.flags != nullptr ? seen.data() : nullptr;
    reduce_lanes(program, line, initial, totals.data(), flags, pool);
    scan_line(program, Line<T>{totals.data(), 1, totals.size(), flags}, static_cast<const T *>(nullptr), false, totals.data(),
              1, pool);
  }
  scan_lanes(program, line, initial, is_exclusive, totals.data(), out, out_step, pool);
}

template <class T>
T reduce_line(const Program<T> &program, const Line<T> &line, const T *initial, thread_pool &pool) {
  std::vector<T> totals(lanes_of(line.n));
  reduce_lanes(program, line, initial, totals.data(), static_cast<std::uint8_t *>(nullptr), pool);
  return totals.size() == 1
             ? totals[0]
             : reduce_line(program, Line<T>{totals.data(), 1, totals.size(), nullptr}, static_cast<const T *>(nullptr), pool);
}

// Scans kLanes rows or columns together. With `out` it stores the results; the last totals go to `totals`.
template <class T>
void walk_across(const Program<T> &program, const Scan &of, std::uint64_t first, unsigned lanes, T *out, T *totals) {
  Walk<T> walk(program);
  const auto *initial = static_cast<const T *>(of.initial);
  std::array<std::uint64_t, kLanes> from, to;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint64_t batch = (first + lane) / of.inner, place = (first + lane) % of.inner;
    from[lane] = batch * of.in_batch + place;
    to[lane] = batch * of.out_batch + place;
  }
  if (initial != nullptr) {
    std::fill_n(walk.totals, lanes, *initial);
  }
  for (std::uint64_t step = 0; step < of.length; ++step) {
    const std::uint64_t along = of.is_backward != 0 ? of.length - 1 - step : step;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      walk.next[lane] = static_cast<const T *>(of.in)[from[lane] + along * of.in_along];
    }
    const auto write = [&] {
      for (unsigned lane = 0; out != nullptr && lane < lanes; ++lane) {
        out[to[lane] + along * of.out_along] = walk.totals[lane];
      }
    };
    if (of.is_exclusive != 0) {
      write();
    }
    if (step == 0 && initial == nullptr) {
      std::copy_n(walk.next, lanes, walk.totals);
    } else {
      walk.step(lanes, nullptr);
    }
    if (of.is_exclusive == 0) {
      write();
    }
  }
  if (totals != nullptr) {
    std::copy_n(walk.totals, lanes, totals);
  }
}

template <class Work>
void for_each_lanes_across(const Scan &of, thread_pool &pool, const Work &work) {
  const std::uint64_t all = of.batches * of.inner, blocks = (all + kLanes - 1) / kLanes;
  const auto one = [&](std::uint64_t number) {
    const Block block(number, all);
    work(block.first, block.lanes);
  };
  if (all * of.length < kLeastForThreads) {
    cpu::calling_thread alone;
    cpu::for_each_piece(alone, blocks, one);
  } else {
    cpu::for_each_piece(pool, blocks, one);
  }
}

inline bool has_lines(const Scan &of) { return of.inner == 1 && (of.batches == 1 || of.length >= kLeastLine); }

template <class T>
void scan_by(const Scan &of, const Expression &expression, thread_pool &pool) {
  const Program<T> program(expression);
  const auto *initial = static_cast<const T *>(of.initial);
  auto *out = static_cast<T *>(of.out);
  if ((of.is_exclusive != 0) != (initial != nullptr)) {
    throw std::invalid_argument("by an expression, exclusive scans need an initial value, and inclusive scans take none");
  }
  if (of.flags != nullptr && (of.is_backward != 0 || of.batches != 1 || of.inner != 1)) {
    throw std::invalid_argument("scans of segments by an expression must be forward and of one dimension");
  }
  if (of.length == 0) {
    return;
  }
  if (!has_lines(of)) {
    for_each_lanes_across(of, pool, [&](std::uint64_t first, unsigned lanes) {
      walk_across(program, of, first, lanes, out, static_cast<T *>(nullptr));
    });
    return;
  }
  const bool is_backward = of.is_backward != 0;
  const auto in_step = static_cast<std::int64_t>(of.in_along), out_step = static_cast<std::int64_t>(of.out_along);
  const auto row = [&](std::uint64_t batch) {  // a single line has the pool's threads
    const T *from = static_cast<const T *>(of.in) + batch * of.in_batch + (is_backward ? (of.length - 1) * of.in_along : 0);
    T *to = out + batch * of.out_batch + (is_backward ? (of.length - 1) * of.out_along : 0);
    const Line<T> line{from, is_backward ? -in_step : in_step, of.length, of.flags};
    scan_line(program, line, initial, of.is_exclusive != 0, to, is_backward ? -out_step : out_step, pool);
  };
  of.batches == 1 ? row(0) : cpu::for_each_piece(pool, of.batches, row);
}

template <class T>
void reduce_by(const Scan &of, const Expression &expression, thread_pool &pool) {
  const Program<T> program(expression);
  const auto *initial = static_cast<const T *>(of.initial);
  auto *out = static_cast<T *>(of.out);
  if (of.length == 0) {
    if (initial == nullptr) {
      throw std::invalid_argument("the total of no elements by an expression is unknown; give initial");
    }
    std::fill_n(out, of.batches * of.inner, *initial);
    return;
  }
  Scan reduction = of;  // like a forward scan without stored results
  reduction.is_exclusive = reduction.is_backward = 0;
  if (!has_lines(of)) {
    for_each_lanes_across(of, pool, [&](std::uint64_t first, unsigned lanes) {
      walk_across(program, reduction, first, lanes, static_cast<T *>(nullptr), out + first);
    });
    return;
  }
  const auto row = [&](std::uint64_t batch) {
    const Line<T> line{static_cast<const T *>(of.in) + batch * of.in_batch, static_cast<std::int64_t>(of.in_along), of.length,
                       nullptr};
    out[batch] = reduce_line(program, line, initial, pool);
  };
  of.batches == 1 ? row(0) : cpu::for_each_piece(pool, of.batches, row);
}

}  // namespace upsweep::python
