// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of device-wide scans: one workspace that is never cleared, sizes around every edge, sequential
// references, and a check of a scan at every placement of its arrays.
#pragma once

#include "scan_elements.h"

#include <upsweep/cuda/scan.cuh>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace upsweep::test {

namespace cuda = upsweep::cuda;

// Device memory as a workspace.
class Space {
public:
  explicit Space(std::size_t bytes) : memory_(bytes) {
    // The poison of DeviceArray stands for memory that had another use.
    UPSWEEP_CUDA(cuda::initialise(*this));
  }
  operator cuda::workspace() {
    cuda::workspace space;
    space.data = memory_.data();
    space.bytes = memory_.bytes();
    return space;
  }
  // The number of the next call in the library's form: {call << 32 | tickets drawn}.
  std::uint32_t next_call() {
    std::uint64_t word = 0;
    UPSWEEP_CUDA(cudaMemcpy(&word, memory_.data(), sizeof(word), cudaMemcpyDeviceToHost));
    return static_cast<std::uint32_t>(word >> 32);
  }
  void set_next_call(std::uint32_t call) {
    cuda::detail::ScanState state = {};
    state.call_and_ticket = static_cast<std::uint64_t>(call) << 32;
    state.mark = cuda::detail::kMark;
    UPSWEEP_CUDA(cudaMemcpy(memory_.data(), &state, sizeof(state), cudaMemcpyHostToDevice));
  }
  // The steps that blocks have counted in a call and not yet taken back (device/axis_pace.cuh).
  std::uint64_t steps_begun() {
    cuda::detail::ScanState state;
    UPSWEEP_CUDA(cudaMemcpy(&state, memory_.data(), sizeof(state), cudaMemcpyDeviceToHost));
    return state.steps_begun;
  }

private:
  DeviceArray<unsigned char> memory_;
};

// The workspace of all checks of a program, for any type and size: each call finds the data of the previous one.
inline Space &shared_space() {
  static Space space(cuda::scan_workspace_bytes<Affine<8>>(std::size_t(1) << 23));
  return space;
}

// Sanitizers, which slow kernels down by some hundred times, get only a few small sizes.
inline bool is_short_run() {
  static const bool is_short = std::getenv("UPSWEEP_TEST_SHORT") != nullptr;
  return is_short;
}
inline std::size_t most_elements() { return is_short_run() ? 70000 : std::size_t(1) << 40; }

// The library's tuning of the pipeline.
template <class In, class T, class Out, class Segments>
using TuningOf =
    cuda::detail::ScanTuning<cuda::detail::ScanProblem<T, const In *, Out *, cuda::plus, cuda::detail::Unchanged,
                                                       cuda::detail::Unchanged, Segments, true, false, false, false>>;

// Elements of a tile.
template <class In, class T, class Out, class Segments>
constexpr std::size_t tile_items() {
  return TuningOf<In, T, Out, Segments>::template Geometry<false>::kTileItems;
}

// Sizes around the edges of warps, of vectors, of blocks with one tile each (device/launch.cuh), and of the pipeline's tiles.
// Then many tiles, and arbitrary sizes, in case an edge moves.
template <class In, class T = In, class Out = In, class Segments = cuda::detail::Whole>
std::vector<std::size_t> edge_sizes() {
  std::vector<std::size_t> sizes = {0, 1, 2, 3, 31, 32, 33};
  const auto add_around = [&](std::size_t edge) { sizes.insert(sizes.end(), {edge - 1, edge, edge + 1}); };
  const std::size_t row = 512 * (sizeof(In) >= 16 ? 1 : 16 / sizeof(In));
  for (const std::size_t edge : {row, 2 * row, 4 * row, 8 * row, 96 * row, 128 * 4 * row, 129 * 4 * row, 129 * 8 * row}) {
    add_around(edge);
  }
  constexpr std::size_t kTile = tile_items<In, T, Out, Segments>();
  add_around(kTile);
  add_around(3 * kTile);
  // Totals are added in groups of 128 tiles. There are also more tiles than blocks can take without tickets, on an H200 3
  // times 132.
  add_around(128 * kTile);
  add_around(150 * kTile);
  sizes.push_back(530 * kTile + 17);
  if (sizeof(In) <= 16) {
    sizes.push_back(2097143);  // a prime
  }
  for (int bits = 4; bits < 19; bits += 3) {
    sizes.push_back((std::size_t(1) << bits) + generator()() % (std::size_t(7) << bits));
  }
  if (is_short_run()) {
    sizes = {0, 1, 33, row + 1, 4 * row, 8 * row - 1, kTile - 1, kTile, 3 * kTile + 1};
  }
  sizes.erase(std::remove_if(sizes.begin(), sizes.end(), [](std::size_t n) { return n > most_elements(); }), sizes.end());
  return sizes;
}

template <class T>
struct Expected {
  std::vector<T> results;
  T total;
};

// The sequential scan. It starts again where `is_head(i)`; the total is that of the last segment.
template <bool kInclusive, class T, class Op, class IsHead>
Expected<T> reference(const std::vector<T> &values, Op op, T initial, bool has_initial, IsHead is_head) {
  Expected<T> expected{{}, initial};
  expected.results.reserve(values.size());
  T total = initial;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool starts = i == 0 || is_head(i);
    if (starts) {
      total = initial;
    }
    const T next = starts && !has_initial ? values[i] : op(total, values[i]);
    expected.results.push_back(kInclusive ? next : total);
    total = next;
  }
  expected.total = total;
  return expected;
}
template <class T, class Op>
std::vector<T> inclusive_reference(const std::vector<T> &values, Op op) {
  return reference<true>(values, op, T(), false, [](std::size_t) { return false; }).results;
}
template <class T, class Op>
Expected<T> exclusive_reference(const std::vector<T> &values, Op op, T initial) {
  return reference<false>(values, op, initial, true, [](std::size_t) { return false; });
}
template <class T>
std::vector<T> reversed(std::vector<T> values) {
  std::reverse(values.begin(), values.end());
  return values;
}

// An array that begins `shift` elements behind an address of 16 bytes, with an element of poison before and behind it.
template <class T>
class Placed {
public:
  Placed(std::size_t count, std::size_t shift) : memory_(count + shift + kFront), skipped_(shift + kFront) {}
  Placed(const std::vector<T> &values, std::size_t shift) : Placed(values.size(), shift) { upload(values); }

  T *data() { return memory_.data() + skipped_; }
  void upload(const std::vector<T> &values) {
    UPSWEEP_CUDA(cudaMemcpy(data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  void poison() { memory_.poison(); }
  // Waits for the device.
  std::vector<T> download() const {
    const std::vector<T> all = memory_.download();
    return std::vector<T>(all.begin() + skipped_, all.end());
  }
  // The first elements alone.
  std::vector<T> download(std::size_t count) {
    std::vector<T> first(count);
    UPSWEEP_CUDA(cudaMemcpy(first.data(), data(), count * sizeof(T), cudaMemcpyDeviceToHost));
    return first;
  }
  bool surroundings_are_intact() {
    unsigned char before[sizeof(T)];
    UPSWEEP_CUDA(cudaMemcpy(before, data() - 1, sizeof(T), cudaMemcpyDeviceToHost));
    return memory_.end_is_intact() &&
           std::all_of(std::begin(before), std::end(before), [](unsigned char byte) { return byte == kPoison; });
  }

private:
  static constexpr std::size_t kFront = 16;  // whole vectors for elements of any size
  DeviceArray<T> memory_;
  std::size_t skipped_;
};

template <class T>
void expect_same(const std::string &what, const std::vector<T> &got, const std::vector<T> &expected) {
  if (got.size() == expected.size() && (got.empty() || std::memcmp(got.data(), expected.data(), got.size() * sizeof(T)) == 0)) {
    return;
  }
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = got.size(); i-- > 0;) {
    if (!same(got[i], expected[i])) {
      ++wrong;
      first = i;
    }
  }
  const std::string text = what + ", " + std::to_string(got.size()) + " elements of " + std::to_string(sizeof(T)) +
                           " bytes: " + std::to_string(wrong) + " are wrong, the first at " + std::to_string(first);
  report(__FILE__, __LINE__, text.c_str());
}

// Runs scan(in, out, options...) at every placement: aligned, shifted by one element in the input, the output or both, and in
// place. Each runs with the kernels that the size selects, and with the kernels for long arrays.
template <class In, class Out, class Scan>
void check_places(const std::string &what, const std::vector<In> &values, const std::vector<Out> &expected, const Scan &scan) {
  const auto check = [&](const std::string &place, const In *in, Placed<Out> &out, const auto &...options) {
    const cudaError_t error = scan(in, out.data(), options...);
    if (error != cudaSuccess) {
      report(__FILE__, __LINE__, (what + place + ": " + cudaGetErrorName(error)).c_str());
      return;
    }
    expect_same(what + place, out.download(), expected);
    UPSWEEP_CHECK(out.surroundings_are_intact());
  };
  for (const std::size_t in_shift : {0, 1}) {
    for (const std::size_t out_shift : {0, 1}) {
      const std::string place = " shifted by " + std::to_string(in_shift) + "/" + std::to_string(out_shift);
      Placed<In> in(values, in_shift);
      Placed<Out> out(values.size(), out_shift);
      check(place, in.data(), out);
      out.poison();
      check(place + " pipelined", in.data(), out, cuda::reproducible);
      expect_same(what + place + " input", in.download(), values);
    }
  }
  if constexpr (std::is_same_v<In, Out>) {
    Placed<Out> both(values, 0);
    check(" in place", both.data(), both);
    both.upload(values);
    check(" in place pipelined", both.data(), both, cuda::reproducible);
  }
}

// Inclusive scans, and exclusive scans with a total, at all sizes and placements.
template <class T, class Op>
void check_inclusive(const char *name, Op op) {
  for (const std::size_t n : edge_sizes<T>()) {
    const std::vector<T> values = scan_values<T>(n);
    check_places(std::string("inclusive ") + name, values, inclusive_reference(values, op),
                 [&](const T *in, T *out, auto... options) {
                   return cuda::inclusive_scan(shared_space(), in, out, n, op, nullptr, options...);
                 });
  }
}
template <class T, class Op>
void check_exclusive(const char *name, Op op) {
  Placed<T> total(1, 0);
  for (const std::size_t n : edge_sizes<T>()) {
    const std::vector<T> values = scan_values<T>(n);
    const T initial = scan_values<T>(1).front();
    const Expected<T> expected = exclusive_reference(values, op, initial);
    check_places(std::string("exclusive ") + name, values, expected.results, [&](const T *in, T *out, auto... options) {
      total.poison();
      const cudaError_t error =
          cuda::exclusive_scan(shared_space(), in, out, n, op, initial, nullptr, cuda::total_to(total.data()), options...);
      expect_same(std::string("total of ") + name, total.download(), {expected.total});
      return error;
    });
    UPSWEEP_CHECK(total.surroundings_are_intact());
  }
}
// Twice as many kernels. Types and operators that resemble another one are tested in one kind only.
template <class T, class Op>
void check_scans(const char *name, Op op) {
  check_inclusive<T>(name, op);
  check_exclusive<T>(name, op);
}

}  // namespace upsweep::test
