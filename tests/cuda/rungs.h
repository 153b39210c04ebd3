// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ladder's rungs as a list, so that one test serves them all.
#pragma once

#include "elements.h"

#include <ladder/ladder.cuh>

#include <functional>

namespace upsweep::test {

namespace ladder = cuda::ladder;

inline constexpr std::size_t kAnySize = SIZE_MAX;

template <class T>
struct Rung {
  const char *name;
  std::size_t most;
  std::function<cudaError_t(const T *, T *, std::size_t)> scan;
  // Scans runs of some elements separately; empty for rungs that scan arrays of any size.
  std::function<cudaError_t(const T *, T *, std::size_t, std::size_t)> scan_chunks;
};

// Calls scan(workspace, bytes) with exactly the memory that the rung asks for.
template <class Scan>
cudaError_t with_workspace(std::size_t bytes, Scan scan) {
  DeviceArray<unsigned char> workspace(bytes);
  const cudaError_t error = scan(workspace.data(), bytes);
  UPSWEEP_CHECK(workspace.end_is_intact());
  return error;
}

// Rungs that scan within a block.
template <class T, class Op>
std::vector<Rung<T>> block_rungs(Op op) {
  std::vector<Rung<T>> rungs = {
      {"hillis_steele", ladder::hillis_steele_most<T>(),
       [=](auto *in, auto *out, auto n) { return ladder::hillis_steele(in, out, n, nullptr, op); },
       [=](auto *in, auto *out, auto n, auto chunk) { return ladder::hillis_steele_chunks(in, out, n, chunk, nullptr, op); }},
      {"hillis_steele_double_buffered", ladder::hillis_steele_most<T>(),
       [=](auto *in, auto *out, auto n) { return ladder::hillis_steele_double_buffered(in, out, n, nullptr, op); },
       [=](auto *in, auto *out, auto n, auto chunk) {
         return ladder::hillis_steele_double_buffered_chunks(in, out, n, chunk, nullptr, op);
       }},
      {"blelloch", ladder::blelloch_most<T>(),
       [=](auto *in, auto *out, auto n) { return ladder::blelloch(in, out, n, nullptr, op); },
       [=](auto *in, auto *out, auto n, auto chunk) { return ladder::blelloch_chunks(in, out, n, chunk, nullptr, op); }},
      {"blelloch_padded", ladder::blelloch_most<T>(),
       [=](auto *in, auto *out, auto n) { return ladder::blelloch_padded(in, out, n, nullptr, op); },
       [=](auto *in, auto *out, auto n, auto chunk) { return ladder::blelloch_padded_chunks(in, out, n, chunk, nullptr, op); }},
      {"warp_shuffle", ladder::kWarpShuffleMost,
       [=](auto *in, auto *out, auto n) { return ladder::warp_shuffle(in, out, n, nullptr, op); },
       [=](auto *in, auto *out, auto n, auto chunk) { return ladder::warp_shuffle_chunks(in, out, n, chunk, nullptr, op); }},
      {"block_from_warps", ladder::kBlockFromWarpsMost,
       [=](auto *in, auto *out, auto n) { return ladder::block_from_warps(in, out, n, nullptr, op); },
       [=](auto *in, auto *out, auto n, auto chunk) {
         return ladder::block_from_warps_chunks(in, out, n, chunk, nullptr, op);
       }},
  };
  for (const int steps : {0, 1, 3, 100}) {
    rungs.push_back({"hybrid", ladder::hybrid_most<T>(),
                     [=](auto *in, auto *out, auto n) { return ladder::hybrid(in, out, n, nullptr, op, steps); },
                     [=](auto *in, auto *out, auto n, auto chunk) {
                       return ladder::hybrid_chunks(in, out, n, chunk, nullptr, op, steps);
                     }});
  }
  return rungs;
}

// Rungs that scan any size.
template <class T, class Op>
std::vector<Rung<T>> device_rungs(Op op) {
  return {
      {"block_sums", kAnySize,
       [=](auto *in, auto *out, auto n) {
         return with_workspace(ladder::block_sums_workspace<T>(n), [&](void *workspace, std::size_t bytes) {
           return ladder::block_sums(in, out, n, nullptr, workspace, bytes, op);
         });
       },
       nullptr},
      {"three_pass", kAnySize,
       [=](auto *in, auto *out, auto n) {
         return with_workspace(ladder::three_pass_workspace<T>(n), [&](void *workspace, std::size_t bytes) {
           return ladder::three_pass(in, out, n, nullptr, workspace, bytes, op);
         });
       },
       nullptr},
      {"decoupled_look_back", kAnySize,
       [=](auto *in, auto *out, auto n) {
         return with_workspace(ladder::decoupled_look_back_workspace<T>(n), [&](void *workspace, std::size_t bytes) {
           return ladder::decoupled_look_back(in, out, n, nullptr, workspace, bytes, op);
         });
       },
       nullptr},
  };
}

// The sequential exclusive scan; with chunks, of each run of `chunk` elements separately.
template <class T, class Op>
std::vector<T> exclusive_reference(const std::vector<T> &in, std::size_t chunk, Op op) {
  std::vector<T> out;
  out.reserve(in.size());
  T total = cuda::identity<Op, T>::value();
  for (std::size_t i = 0; i < in.size(); ++i) {
    total = i % chunk == 0 ? cuda::identity<Op, T>::value() : total;
    out.push_back(total);
    total = op(total, in[i]);
  }
  return out;
}

// Compares bit for bit; one failure per array is enough.
template <class T>
bool same_arrays(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace upsweep::test
