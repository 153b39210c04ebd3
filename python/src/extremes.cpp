// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running minima and maxima along an axis with the index of the latest element equal to each, as torch.cummax has them. A
// thread takes a strip of columns, or a part of it along the axis if there are few strips.
#include "extremes.h"

#include <upsweep/cpu/for_each.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace upsweep::python {
namespace {

constexpr std::uint64_t kStrip = 64;           // columns, whose states stay in the first-level cache
constexpr std::uint64_t kLeastPart = 1 << 14;  // elements of a column that are worth a second reading

template <class T>
struct State {
  T value;
  std::int64_t index;  // negative: no element yet
};

// Whether the extreme is `next` after an element or a part whose extreme was `value`. A NaN stays until the next NaN.
template <bool kIsMinimum, class T>
bool replaces(T next, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(next)) {
      return true;
    }
    if (std::isnan(value)) {
      return false;
    }
  }
  return kIsMinimum ? next <= value : next >= value;
}

struct Place {
  std::uint64_t first, columns, begin, end;  // the first element of the strip's first row, and rows of the part
};

template <bool kIsMinimum, bool kWrites, class T>
void scan_part(const Extremes &of, const Place &at, State<T> *states) {
  const T *in = static_cast<const T *>(of.in) + at.first;
  T *out = static_cast<T *>(of.out) + at.first;
  std::int64_t *indices = of.indices + at.first;
  for (std::uint64_t row = at.begin; row < at.end; ++row) {
    for (std::uint64_t column = 0; column < at.columns; ++column) {
      const std::uint64_t i = row * of.inner + column;
      State<T> &state = states[column];
      if (state.index < 0 || replaces<kIsMinimum>(in[i], state.value)) {
        state = {in[i], static_cast<std::int64_t>(row)};
      }
      if constexpr (kWrites) {
        out[i] = state.value;
        indices[i] = state.index;
      }
    }
  }
}

template <bool kIsMinimum, class T>
void scan(const Extremes &of, cpu::thread_pool &pool) {
  const std::uint64_t strips = (of.inner + kStrip - 1) / kStrip, tasks = of.batches * strips;
  const std::uint64_t wanted = tasks >= 2 * pool.concurrency() ? 1 : 4 * pool.concurrency();
  const std::uint64_t parts = std::clamp<std::uint64_t>(of.length / kLeastPart, 1, wanted);
  std::vector<State<T>> ends(parts > 1 ? tasks * parts * kStrip : 0);
  const auto place_of = [&](std::uint64_t task, std::uint64_t part) {
    const std::uint64_t batch = task / strips, column = task % strips * kStrip;
    return Place{batch * of.length * of.inner + column, std::min(kStrip, of.inner - column), of.length * part / parts,
                 of.length * (part + 1) / parts};
  };
  if (parts > 1) {
    cpu::for_each_piece(pool, tasks * parts, [&](std::uint64_t piece) {
      State<T> *states = &ends[piece * kStrip];
      std::fill_n(states, kStrip, State<T>{T(0), -1});
      scan_part<kIsMinimum, false>(of, place_of(piece / parts, piece % parts), states);
    });
  }
  cpu::for_each_piece(pool, tasks * parts, [&](std::uint64_t piece) {
    State<T> states[kStrip];
    std::fill_n(states, kStrip, State<T>{T(0), -1});
    for (std::uint64_t earlier = piece / parts * parts; earlier < piece; ++earlier) {
      for (std::uint64_t column = 0; column < kStrip; ++column) {
        const State<T> &end = ends[earlier * kStrip + column];
        if (end.index >= 0 && (states[column].index < 0 || replaces<kIsMinimum>(end.value, states[column].value))) {
          states[column] = end;
        }
      }
    }
    scan_part<kIsMinimum, true>(of, place_of(piece / parts, piece % parts), states);
  });
}

template <class T>
void scan_of_type(const Extremes &of, cpu::thread_pool &pool) {
  of.is_minimum != 0 ? scan<true, T>(of, pool) : scan<false, T>(of, pool);
}

}  // namespace

void scan_extremes(const Extremes &of, cpu::thread_pool &pool) {
  switch (static_cast<Type>(of.type)) {
  case Type::int8: return scan_of_type<std::int8_t>(of, pool);
  case Type::uint8: return scan_of_type<std::uint8_t>(of, pool);
  case Type::int16: return scan_of_type<std::int16_t>(of, pool);
  case Type::uint16: return scan_of_type<std::uint16_t>(of, pool);
  case Type::int32: return scan_of_type<std::int32_t>(of, pool);
  case Type::uint32: return scan_of_type<std::uint32_t>(of, pool);
  case Type::int64: return scan_of_type<std::int64_t>(of, pool);
  case Type::uint64: return scan_of_type<std::uint64_t>(of, pool);
  case Type::float32: return scan_of_type<float>(of, pool);
  case Type::float64: return scan_of_type<double>(of, pool);
  }
  throw std::domain_error("unknown type");
}

}  // namespace upsweep::python
