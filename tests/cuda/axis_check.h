// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of scans along an axis, each for one type, operator and kind of scan. A combination is some thirty kernels, which
// compile in ten seconds. So each program has a few types, and only words are tested at every placement. Elements of 1, 4 and
// 8 bytes together cover inclusive and exclusive, forward and backward scans. The operator that does not commute covers all
// four in all kernels.
#pragma once

#include "scan_check.h"

#include <upsweep/cuda/axis.cuh>

#include <memory>

namespace upsweep::test {

inline std::string text_of(const cuda::axis &of) {
  return std::to_string(of.batches) + " x " + std::to_string(of.length) + " x " + std::to_string(of.inner);
}

// The index of element (b, l, i). Strides of 0 mean an array without gaps.
inline std::size_t place_of(const cuda::axis &of, cuda::axis_strides strides, std::size_t b, std::size_t l, std::size_t i) {
  const std::size_t along = strides.along != 0 ? strides.along : of.inner;
  return b * (strides.batch != 0 ? strides.batch : of.length * along) + l * along + i;
}
inline std::size_t extent_of(const cuda::axis &of, const cuda::axis_strides &strides) {
  return place_of(of, strides, of.batches - 1, of.length - 1, of.inner - 1) + 1;
}

// The scan, row by row in memory order. Elements before, between and behind the output's columns keep their values.
template <bool kInclusive, bool kBackward, class T, class Op>
std::vector<T> axis_reference(const cuda::axis &of, const std::vector<T> &in, std::vector<T> out, Op op, const T &initial,
                              std::size_t first = 0) {
  std::vector<T> totals(of.inner, initial);
  for (std::size_t b = 0; b < of.batches; ++b) {
    std::fill(totals.begin(), totals.end(), initial);
    for (std::size_t step = 0; step < of.length; ++step) {
      const std::size_t l = kBackward ? of.length - 1 - step : step;
      const T *const row = &in[place_of(of, of.in, b, l, 0)];
      T *const results = &out[first + place_of(of, of.out, b, l, 0)];
      for (std::size_t i = 0; i < of.inner; ++i) {
        const T next = kInclusive && step == 0 ? row[i] : op(totals[i], row[i]);
        results[i] = kInclusive ? next : totals[i];
        totals[i] = next;
      }
    }
  }
  return out;
}

// One workspace for all checks. Each call gets exactly the bytes that the library asks for.
template <class T>
cuda::workspace axis_space(const cuda::axis &of) {
  static Space memory(std::size_t(256) << 20);
  cuda::workspace space = memory;
  UPSWEEP_CHECK(cuda::axis_scan_workspace_bytes<T>(of) <= space.bytes);
  space.bytes = cuda::axis_scan_workspace_bytes<T>(of);
  return space;
}

template <bool kInclusive, bool kBackward, class T, class Op>
cudaError_t scan_axis(const T *in, T *out, const cuda::axis &of, Op op, const T &initial) {
  if constexpr (kInclusive && kBackward) {
    return cuda::inclusive_scan_of_axis(axis_space<T>(of), in, out, of, op, nullptr, cuda::backward);
  } else if constexpr (kInclusive) {
    return cuda::inclusive_scan_of_axis(axis_space<T>(of), in, out, of, op);
  } else if constexpr (kBackward) {
    return cuda::exclusive_scan_of_axis(axis_space<T>(of), in, out, of, op, initial, nullptr, cuda::backward);
  } else {
    return cuda::exclusive_scan_of_axis(axis_space<T>(of), in, out, of, op, initial);
  }
}

// The number of elements between an address of 16 bytes and the arrays' begins.
struct Shift {
  std::size_t in, out;
};
inline constexpr std::size_t kGuard = 64;  // elements around the output, whole vectors of any type

template <bool kInclusive, bool kBackward, class T, class Op>
void check_axis(const std::string &name, const cuda::axis &of, Op op, const std::vector<Shift> &shifts = {{0, 0}, {1, 1}}) {
  const std::vector<T> values = scan_values<T>(extent_of(of, of.in));
  const T initial = scan_values<T>(1).front();
  const std::string what = name + (kInclusive ? " inclusive " : " exclusive ") + (kBackward ? "backward " : "") + text_of(of);
  std::vector<T> expected;
  for (const Shift shift : shifts) {
    Placed<T> in(values, shift.in);
    Placed<T> out(kGuard + extent_of(of, of.out) + kGuard, shift.out);
    if (expected.empty()) {
      // The reference depends only on bytes that are equal in all placements.
      expected = axis_reference<kInclusive, kBackward>(of, values, out.download(), op, initial, kGuard);
    }
    UPSWEEP_CUDA((scan_axis<kInclusive, kBackward>(in.data(), out.data() + kGuard, of, op, initial)));
    expect_same(what + " shifted by " + std::to_string(shift.in) + "/" + std::to_string(shift.out), out.download(), expected);
    UPSWEEP_CHECK(out.surroundings_are_intact());
  }
  if (of.in.along == of.out.along && of.in.batch == of.out.batch) {
    const std::size_t shift = shifts.back().out;
    Placed<T> both(values, shift);
    UPSWEEP_CUDA((scan_axis<kInclusive, kBackward>(both.data(), both.data(), of, op, initial)));
    expect_same(what + " in place", both.download(), axis_reference<kInclusive, kBackward>(of, values, values, op, initial));
    UPSWEEP_CHECK(both.surroundings_are_intact());
  }
}

// The kernel for many batches runs one block on each multiprocessor.
inline std::size_t multiprocessors() {
  cuda::detail::DeviceLimits limits;
  UPSWEEP_CUDA(cuda::detail::DeviceLimits::of_current(limits));
  return limits.multiprocessors;
}

// Lengths around the widths of a lane and a strip, the rows of a tile and the number of blocks that share a strip, and shapes
// for the kernels for many batches and many columns.
inline std::vector<cuda::axis> axis_shapes(bool is_dense) {
  std::vector<cuda::axis> shapes;
  const auto add = [&](std::size_t batches, std::size_t length, std::size_t inner) {
    cuda::axis of;
    of.batches = batches;
    of.length = length;
    of.inner = inner;
    shapes.push_back(of);
  };
  const std::size_t most = is_short_run() ? 40000 : 1 << 20;
  for (const std::size_t inner : {1, 2, 3, 4, 7, 16, 31, 32, 33, 63, 64, 65, 68, 100, 128, 256, 1000, 5000}) {
    for (const std::size_t length : {1, 2, 7, 128, 1031, 30000}) {
      for (const std::size_t batches : {1, 3, 200}) {
        if (inner * length * batches <= most) {
          add(batches, length, inner);
        }
      }
    }
  }
  if (is_dense) {
    // Batches of slightly more than 8 KiB, and of one or two stages of 32 KiB of words and some rows.
    const std::size_t batches = multiprocessors();
    for (std::size_t inner = 1; inner <= 70; inner += is_short_run() ? 23 : 1 + generator()() % 4) {
      add(batches, 2100 / inner + 3, inner);
    }
    for (const std::size_t inner : {1, 5, 36, 64, 65, 127, 129}) {
      add(2 * batches - 1, 2100 / inner + 17, inner);
      if (!is_short_run()) {
        add(batches, 8192 / inner + 13, inner);
      }
    }
    for (const std::size_t inner : {256, 257, 1000, 1023, 1024}) {
      add(batches, is_short_run() ? 33 : inner < 1000 ? 45 : 34, inner);
    }
    add(batches / 2, 40, 1023);
  }
  // Few rows, around the number that a thread reads together.
  for (const std::size_t length : {1, 2, 3, 4, 8, 9, 15, 16, 17, 32, 33}) {
    add(1, length, 20011);
    add(1500, length, 16);
  }
  // So wide that each block has its own strips.
  if (!is_short_run()) {
    add(1, 50, 20000);
    add(3, 17, 20000);
  }
  for (int i = 0; i < 20; ++i) {
    const std::size_t inner = 1 + generator()() % (std::size_t(1) << generator()() % 12);
    const std::size_t length = 1 + generator()() % (std::size_t(1) << generator()() % 12);
    add(1 + generator()() % (most / inner / length + 1), length, inner);
  }
  return shapes;
}

template <bool kInclusive, bool kBackward, class T, class Op>
void check_shapes(const char *name, Op op) {
  for (const cuda::axis &of : axis_shapes(true)) {
    // A large element takes as long as many small ones.
    if (sizeof(T) > 8 && of.batches * of.length * of.inner > 100000) {
      continue;
    }
    check_axis<kInclusive, kBackward, T>(name, of, op);
  }
}

// Shapes for tiles whose totals clusters of blocks exchange (device/axis_rows_launch.cuh). Arrays have a single wave of tiles,
// or enough waves that slots and words are reused. The last wave is partial. Batches end with short tiles and begin at any
// block of a cluster. Rows have one or several ranks of threads, and a thread one or several packs.
template <class T, bool kInclusive, bool kBackward, class Op>
void check_exchange(const char *name, Op op) {
  for (const std::size_t mebibytes : {7, 25, 70}) {
    for (const std::size_t inner : {33, 101, 255, 257, 449, 1023}) {
      for (const std::size_t batches : {1, 3, 5}) {
        if (is_short_run() && (mebibytes == 70 || (batches > 1 && inner != 101))) {
          continue;
        }
        cuda::axis of;
        of.batches = batches;
        of.inner = inner * (4 / std::min<std::size_t>(sizeof(T), 4));
        of.length = (mebibytes << 20) / sizeof(T) / batches / of.inner / 4 * 4 + 4;
        check_axis<kInclusive, kBackward, T>(name, of, op);
      }
    }
  }
}

// Input and output are misaligned by the same distance, for every distance, or by different ones.
template <class T>
std::vector<Shift> next_shifts() {
  static std::size_t turn = 0;
  const std::size_t places = 16 / std::min<std::size_t>(alignof(T), 16);
  const std::size_t shift = turn++ % places;
  return {{shift, shift}, {generator()() % places, generator()() % places}};
}

// Batches that a block scans alone, whose bytes are not whole vectors: one and several stages, rows of one and several packs
// for each thread, and partial packs. Then rows of several strips, enough to fill the GPU.
template <class T, bool kInclusive, bool kBackward, class Op>
void check_batches_anywhere(const char *name, Op op) {
  const std::size_t words = 4 / std::min<std::size_t>(sizeof(T), 4);
  for (const std::size_t packs : {3, 5, 33, 63, 85, 101, 128, 255, 256, 257, 511, 1001, 1023, 2047, 4099}) {
    for (const std::size_t bytes : {9000, 70000}) {
      if (is_short_run() && (bytes > 9000 || packs % 64 == 1)) {
        continue;
      }
      cuda::axis of;
      of.inner = packs * words - generator()() % words;
      of.length = std::max<std::size_t>(bytes / of.inner / sizeof(T) + generator()() % 5, 33);
      of.batches = multiprocessors() * (is_short_run() ? 40 : 100) / 100 + generator()() % 5;
      if (packs > 1024) {
        of.batches = 1 + of.batches * 1000 / packs;
      }
      check_axis<kInclusive, kBackward, T>(name, of, op, next_shifts<T>());
      // Gaps in input and output, between rows and between batches; narrow rows are loaded.
      of.in.along = of.inner + generator()() % 2 * (1 + generator()() % 16);
      of.in.batch = of.length * of.in.along + generator()() % 8;
      check_axis<kInclusive, kBackward, T>(name, of, op, next_shifts<T>());
      of.out.along = of.inner + 1 + generator()() % (2 * of.inner);
      of.out.batch = of.length * of.out.along + generator()() % 8;
      check_axis<kInclusive, kBackward, T>(name, of, op, next_shifts<T>());
      of.in = of.out;
      check_axis<kInclusive, kBackward, T>(name, of, op, next_shifts<T>());
    }
  }
}

// The same for rows whose tiles' totals are exchanged.
template <class T, bool kInclusive, bool kBackward, class Op>
void check_exchange_anywhere(const char *name, Op op) {
  const std::size_t words = 4 / std::min<std::size_t>(sizeof(T), 4);
  for (const std::size_t packs : {100, 255, 400, 1023, 1500}) {
    if (is_short_run() && packs != 100 && packs != 1500) {
      continue;
    }
    cuda::axis of;
    of.batches = packs == 255 ? 3 : 1;
    of.inner = packs * words - generator()() % words;
    // In arrays of 48 MiB and more, blocks exchange totals of rows of several packs for each thread and of several strips.
    of.length = (std::size_t(packs > 256 ? 50 : 9) << 20) / sizeof(T) / of.batches / of.inner + 1;
    check_axis<kInclusive, kBackward, T>(name, of, op, next_shifts<T>());
    of.in.along = of.out.along = of.inner + 1 + generator()() % 8;
    check_axis<kInclusive, kBackward, T>(name, of, op, next_shifts<T>());
    of.in.along = 2 * of.inner;
    check_axis<kInclusive, kBackward, T>(name, of, op, next_shifts<T>());
  }
}

// Rows that would otherwise be pieces or boxes, in arrays of 35 and of 140 MiB.
template <class T, bool kInclusive, bool kBackward, class Op>
void check_preferred_exchange(const char *name, std::size_t inner, Op op) {
  cuda::axis of;
  of.batches = inner == 100 ? 3 : 1;
  of.inner = inner;
  of.length = (std::size_t(inner * sizeof(T) > 1024 ? 140 : 35) << 20) / sizeof(T) / of.inner / of.batches;
  check_axis<kInclusive, kBackward, T>(name, of, op);
}

}  // namespace upsweep::test
