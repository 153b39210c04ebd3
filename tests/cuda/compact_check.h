// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common tools of tests of compactions: predicates that keep any share, sizes around every edge, and the check of a partly
// written output.
#pragma once

#include "scan_check.h"

#include <upsweep/cuda/device/compact_launch.cuh>

namespace upsweep::test {

// Keeps about `of_256` of 256 elements of any type; all if it is 256, none if it is 0.
struct KeepShare {
  std::uint32_t of_256;

  template <class T>
  __host__ __device__ bool operator()(const T &element) const {
    std::uint32_t word = 0;
    std::memcpy(&word, &element, sizeof(T) < 4 ? sizeof(T) : 4);
    return (word * 0x9e3779b1u >> 24) < of_256;
  }
};
constexpr std::uint32_t kShares[] = {0, 2, 128, 254, 256};
// Long arrays use only two of them, so that tests end in seconds.
inline std::vector<std::uint32_t> shares_of(std::size_t n) {
  return n > 300000 ? std::vector<std::uint32_t>{2, 128} : std::vector<std::uint32_t>(std::begin(kShares), std::end(kShares));
}

template <class T>
std::vector<T> any_values(std::size_t n) {
  std::vector<T> values(n);
  auto *bytes = reinterpret_cast<unsigned char *>(values.data());
  for (std::size_t i = 0; i < n * sizeof(T); i += 4) {
    const std::uint32_t word = static_cast<std::uint32_t>(generator()());
    std::memcpy(bytes + i, &word, std::min<std::size_t>(4, n * sizeof(T) - i));
  }
  return values;
}

template <class T, class Keep = cuda::detail::KeepIf<KeepShare>>
using CompactTuningOf = cuda::detail::CompactTuning<
    cuda::detail::CompactProblem<const T *, T *, int, Keep, std::uint32_t, cuda::detail::Rejects::kDropped>>;

// The largest size of arrays that blocks compact in registers.
template <class T>
constexpr std::size_t most_in_registers() {
  return static_cast<std::size_t>(cuda::detail::kCompactFewBlocks) * cuda::detail::TunedCompact::kFewThreads *
         CompactTuningOf<T>::kMoreRows;
}

// Sizes around the edges of rows, of a warp's part, of tiles, and of blocks with one tile each. Then groups of tiles, and more
// tiles than blocks take without tickets.
template <class T>
std::vector<std::size_t> compact_sizes() {
  constexpr std::size_t kPart = 32 * CompactTuningOf<T>::kRows;
  constexpr std::size_t kTile = CompactTuningOf<T>::template Geometry<false>::kTileItems;
  std::vector<std::size_t> sizes = {0, 1, 2, 15, 16, 17};
  const auto add_around = [&](std::size_t edge) { sizes.insert(sizes.end(), {edge - 1, edge, edge + 1}); };
  constexpr std::size_t kFewTile = cuda::detail::TunedCompact::kFewThreads * CompactTuningOf<T>::kFewRows;
  for (const std::size_t edge : {std::size_t(32), kPart, kTile, 3 * kTile, kFewTile, 129 * kFewTile, most_in_registers<T>()}) {
    add_around(edge);
  }
  if (sizeof(T) == 1) {
    add_around(112);   // a thread's bytes
    add_around(3584);  // a warp's
  }
  if (is_short_run()) {
    return {0, 1, 33, kPart + 1, kTile, 2 * kTile + 5};
  }
  for (int bits = 5; bits < 20; bits += 3) {
    sizes.push_back((std::size_t(1) << bits) + generator()() % (std::size_t(7) << bits));
  }
  sizes.push_back(128 * kTile + 1);
  sizes.push_back(530 * kTile + 17);
  return sizes;
}

// Arrays whose possible size exceeds the blocks' registers; device memory holds the actual number, so that short arrays take
// the pipeline too.
template <class T>
class Pipelined {
public:
  static constexpr std::size_t kMost = most_in_registers<T>() + 1;

  explicit Pipelined(const std::vector<T> &values) : count_(std::vector<std::uint64_t>{values.size()}), size_(values.size()) {
    UPSWEEP_CUDA(cudaMemcpy(in().data(), values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  cuda::count_at count() { return cuda::count_at(count_.data(), kMost); }
  static DeviceArray<T> &in() {
    static DeviceArray<T> array(kMost);
    return array;
  }
  // One of several outputs, with poison where the call may write.
  template <class Out = T>
  Out *out(int which) const {
    Out *const out = outs<Out>(which).data();
    UPSWEEP_CUDA(cudaMemset(static_cast<void *>(out), kPoison, (size_ + kBehind) * sizeof(Out)));
    return out;
  }
  // The first `size` elements, with the part behind the end.
  template <class Out = T>
  std::vector<Out> download(int which) const {
    std::vector<Out> values(size_ + kBehind);
    UPSWEEP_CUDA(cudaMemcpy(static_cast<void *>(values.data()), outs<Out>(which).data(), values.size() * sizeof(Out),
                            cudaMemcpyDeviceToHost));
    return values;
  }

private:
  static constexpr std::size_t kBehind = 20;
  template <class Out>
  static DeviceArray<Out> &outs(int which) {
    static DeviceArray<Out> first(kMost + kBehind), second(kMost + kBehind);
    return which == 0 ? first : second;
  }

  DeviceArray<std::uint64_t> count_;
  std::size_t size_;
};

// `expected` at the begin of an output, and poison behind it to the end.
template <class T>
void expect_begin(const std::string &what, const std::vector<T> &got, const std::vector<T> &expected) {
  std::vector<T> whole(got.size());
  std::memset(static_cast<void *>(whole.data()), kPoison, whole.size() * sizeof(T));
  UPSWEEP_CHECK(expected.size() <= whole.size());
  std::copy(expected.begin(), expected.begin() + std::min(expected.size(), whole.size()), whole.begin());
  expect_same(what, got, whole);
}

template <class Number>
void expect_kept(const std::string &what, const Placed<Number> &kept, std::size_t expected) {
  const Number got = kept.download().front();
  if (got != expected) {
    report(__FILE__, __LINE__, (what + ": " + std::to_string(got) + " kept instead of " + std::to_string(expected)).c_str());
  }
}

inline void expect_success(const std::string &what, cudaError_t error) {
  if (error != cudaSuccess) {
    report(__FILE__, __LINE__, (what + ": " + cudaGetErrorName(error)).c_str());
  }
}

// The elements of each kind, in order.
template <class T>
struct Kinds {
  std::vector<T> kept, rejected;

  // is_kept(i) for element i
  template <class IsKept>
  Kinds(const std::vector<T> &values, IsKept is_kept) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      (is_kept(i) ? kept : rejected).push_back(values[i]);
    }
  }
  std::vector<T> kept_then_reversed() const {
    std::vector<T> all = kept;
    all.insert(all.end(), rejected.rbegin(), rejected.rend());
    return all;
  }
};

struct SameBytes {
  template <class T>
  __host__ __device__ bool operator()(const T &a, const T &b) const {
    const auto *x = reinterpret_cast<const unsigned char *>(&a);
    const auto *y = reinterpret_cast<const unsigned char *>(&b);
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      if (x[i] != y[i]) {
        return false;
      }
    }
    return true;
  }
};

// Runs with lengths of every magnitude up to 2^most.
template <class T>
std::vector<T> runs(std::size_t n, int most) {
  std::vector<T> values;
  values.reserve(n);
  while (values.size() < n) {
    const T value = any_values<T>(1).front();
    const std::size_t length = 1 + generator()() % (std::size_t(1) << generator()() % (most + 1));
    values.insert(values.end(), std::min(length, n - values.size()), value);
  }
  return values;
}

}  // namespace upsweep::test
