// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans with arrays that begin any number of elements behind a vector, with the kernels that `most` elements select. For short
// arrays a block has one tile: it loads aligned vectors of the input and shifts the results to aligned vectors of the output.
// For long arrays the pipeline starts with the vector that contains the first element. Each type has one program for both,
// since they share kernels.
#pragma once

#include "scan_check.h"

namespace upsweep::test {

template <class T, class Op>
class PlacedScan {
public:
  PlacedScan(const char *name, Op op, std::size_t in_shift, std::size_t out_shift, std::size_t most)
      : name_(name), op_(op), in_shift_(in_shift), out_shift_(out_shift), most_(most), in_(most_, in_shift),
        out_(most_, out_shift), total_(1, 0), count_(1, 0) {}

  // The number of elements is on the device only, and may be below `most`.
  template <class... Backward>
  void check_counted_there(std::size_t n, Backward... backward) {
    count_.upload({n});
    check(n, cuda::count_at(count_.data(), most_), backward...);
  }
  template <class... Backward>
  void check_counted_here(std::size_t n, Backward... backward) {
    check(n, n, backward...);
  }

private:
  template <class Count, class... Backward>
  void check(std::size_t n, Count count, Backward... backward) {
    constexpr bool kBackward = sizeof...(Backward) > 0;
    const std::vector<T> values = scan_values<T>(n);
    const T initial = scan_values<T>(1).front();
    const auto in_order = [](const std::vector<T> &results) { return kBackward ? reversed(results) : results; };
    const auto exclusive = exclusive_reference(in_order(values), op_, initial);
    if constexpr (!kBackward) {
      fill(values);
      UPSWEEP_CUDA(cuda::inclusive_scan(shared_space(), in_.data(), out_.data(), count, op_));
      expect("inclusive", out_, inclusive_reference(values, op_));
    }
    const auto scan = [&](T *to) {
      fill(values);
      UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), in_.data(), to, count, op_, initial, nullptr,
                                        cuda::total_to(total_.data()), backward...));
      expect_same("total", total_.download(), {exclusive.total});
    };
    scan(out_.data());
    expect(kBackward ? "backward" : "exclusive", out_, in_order(exclusive.results));
    if (in_shift_ == out_shift_) {
      scan(in_.data());
      expect(kBackward ? "backward in place" : "in place", in_, in_order(exclusive.results));
    }
  }

  void fill(const std::vector<T> &values) {
    in_.poison();
    out_.poison();
    in_.upload(values);
  }
  void expect(const char *kind, Placed<T> &results, std::vector<T> expected) {
    T poison;
    std::memset(&poison, kPoison, sizeof(poison));
    const std::string what = std::string(kind) + " " + name_ + " of " + std::to_string(expected.size()) + " from behind " +
                             std::to_string(in_shift_) + " to behind " + std::to_string(out_shift_);
    // Copies only one tile more than the results.
    expected.resize(std::min(most_, expected.size() + (std::size_t(1) << 17)), poison);
    expect_same(what, results.download(expected.size()), expected);
    UPSWEEP_CHECK(results.surroundings_are_intact());
  }

  const char *name_;
  Op op_;
  std::size_t in_shift_, out_shift_, most_;
  Placed<T> in_, out_, total_;
  Placed<std::uint64_t> count_;
};

// Short arrays. The rows of vectors of a thread depend on the largest possible number of elements.
template <class T>
inline constexpr std::size_t kVector = 16 / sizeof(T);
template <class T>
inline constexpr std::size_t kRow = 512 * kVector<T>;

// Lengths around the ends of vectors, of the parts of a lane and a warp, of tiles, and of blocks that reduce the tiles before
// their own. Vectors of the output end elsewhere than those of the input.
template <class T>
std::vector<std::size_t> short_sizes(std::size_t rows, std::size_t in_shift, std::size_t out_shift) {
  constexpr std::size_t v = kVector<T>;
  const std::size_t lead = generator()() % 2 == 0 ? in_shift : out_shift;
  std::vector<std::size_t> sizes = {0, 1, v - lead, v + 1, 2 * v + generator()() % v};
  for (const std::size_t edge : {32 * v, rows * 32 * v, rows * kRow<T>, 2 * rows * kRow<T>}) {
    sizes.insert(sizes.end(), {edge - lead, edge - lead + 1, edge + generator()() % v - v / 2});
  }
  sizes.push_back(rows * kRow<T> + generator()() % (2 * kRow<T>));
  return sizes;
}

// Sanitizers run a few placements only.
inline bool is_taken(std::size_t in_shift, std::size_t out_shift) { return !is_short_run() || in_shift + out_shift <= 5; }

template <class T, class Op>
void check_placements(const char *name, Op op, std::size_t rows) {
  // The most elements for the kernel with this many rows, at any placement (device/launch.cuh).
  const std::size_t most = (rows == 1 ? 96 : 129) * rows * kRow<T> - kVector<T> + 1;
  const std::size_t step = sizeof(T) == 1 ? 5 : sizeof(T) == 2 ? 3 : 1;
  for (std::size_t in_shift = 0; in_shift < kVector<T>; in_shift += step) {
    for (std::size_t out_shift = 0; out_shift < kVector<T>; ++out_shift) {
      if (!is_taken(in_shift, out_shift)) {
        continue;
      }
      PlacedScan<T, Op> scan(name, op, in_shift, out_shift, most);
      for (const std::size_t n : short_sizes<T>(rows, in_shift, out_shift)) {
        scan.check_counted_there(n);
        scan.check_counted_there(n, cuda::backward);
      }
      if (out_shift <= 1 && in_shift <= step) {
        scan.check_counted_there(most);
        scan.check_counted_there(most, cuda::backward);
      }
    }
  }
}

// Blocks reduce the elements before their tiles if the first vector in the scan's order is whole.
template <class T, class Op>
void check_reading(const char *name, Op op) {
  for (std::size_t in_shift = 0; in_shift < kVector<T>; ++in_shift) {
    for (std::size_t out_shift = 0; out_shift < kVector<T>; ++out_shift) {
      if (!is_taken(in_shift, out_shift)) {
        continue;
      }
      PlacedScan<T, Op> scan(name, op, in_shift, out_shift, 10 * kRow<T>);
      for (const std::size_t tiles : {0, 1, 2, 4, 5, 8, 9}) {
        const std::size_t n = tiles * kRow<T> + generator()() % (kRow<T> / 2);
        scan.check_counted_here(n);
        scan.check_counted_here(tiles * kRow<T>);
        // Begins at the end of a vector.
        scan.check_counted_here((n / kVector<T> + 1) * kVector<T> - in_shift, cuda::backward);
        scan.check_counted_here(n, cuda::backward);
      }
    }
  }
}

template <class T, class Op>
void check_short(const char *name, Op op) {
  check_placements<T>(name, op, 1);
  check_placements<T>(name, op, 4);
  if (!is_short_run()) {
    check_placements<T>(name, op, 8);
    if (kVector<T> <= 4) {
      check_placements<T>(name, op, 12);
    }
  }
  check_reading<T>(name, op);
}

// Long arrays. Only the device knows their number of elements, so that the pipeline also gets short ones. The array exceeds
// the sizes for which blocks have one tile each (device/launch.cuh).
template <class T>
std::size_t most_of_pipeline() {
  constexpr std::size_t kRow = 512 * (16 / sizeof(T));
  return 129 * 12 * kRow + 12345;
}

// No and few elements, sizes around the ends of the first vectors, of the first tile and of later ones; and all elements.
template <class T>
std::vector<std::size_t> pipeline_sizes(std::size_t shift, bool is_short) {
  constexpr std::size_t kVector = 16 / sizeof(T);
  constexpr std::size_t kTile = tile_items<T, T, T, cuda::detail::Whole>();
  std::vector<std::size_t> sizes = {0, 1, 2, kVector - shift, kVector - shift + 1, 2 * kVector - shift};
  for (const std::size_t tiles : {1, 2, 133}) {
    for (const std::size_t past : {-std::size_t(1), std::size_t(0), std::size_t(1), kVector}) {
      sizes.push_back(tiles * kTile - shift + past);
    }
  }
  if (is_short) {
    sizes = {0, 1, kVector - shift, kTile - shift, kTile - shift + 1, 3 * kTile};
  } else {
    sizes.push_back(most_of_pipeline<T>());
  }
  return sizes;
}

template <class T, class Op>
void check_shifts(const char *name, Op op) {
  constexpr std::size_t kVector = 16 / sizeof(T);
  const std::size_t step = sizeof(T) == 1 ? 5 : sizeof(T) == 2 ? 3 : 1;
  for (std::size_t in_shift = 0; in_shift < kVector; in_shift += step) {
    // The output's shift differs from the input's by every distance, 0 included.
    for (std::size_t distance = 0; distance < kVector; ++distance) {
      const std::size_t out_shift = (in_shift + distance) % kVector;
      if (in_shift == 0 && out_shift == 0) {
        continue;
      }
      PlacedScan<T, Op> scan(name, op, in_shift, out_shift, most_of_pipeline<T>());
      for (const std::size_t n : pipeline_sizes<T>(in_shift, is_short_run() || distance > 1)) {
        scan.check_counted_there(n);
      }
    }
  }
}

}  // namespace upsweep::test
