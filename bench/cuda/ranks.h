// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls over GPUs beside the same calls on one GPU: rows of JSON, whose ways take turns.
#pragma once

#include "timing.h"

#include <upsweep/cuda/workspace.cuh>
#include <upsweep/distributed/cuda/nccl.cuh>
#include <upsweep/distributed/cuda/peers.cuh>

#include <functional>
#include <limits>

namespace upsweep::bench {

using distributed::nccl_communicator, distributed::peer_communicator;

// A rank of the benchmark: both communicators have the same stream.
struct RankSetting {
  peer_communicator &peers;
  nccl_communicator &nccl;
  std::uint64_t n;  // of a rank
  int rounds;

  unsigned rank() const { return peers.rank(); }
  cudaStream_t stream() const { return peers.stream(); }
};

// A way to make a call. Only rank 0 makes the calls of one GPU.
struct RankWay {
  const char *name;
  bool is_of_one;
  std::function<void()> call;
};

// The mean seconds of `repeats` calls. Time begins when all ranks are ready, and ends when all GPUs are done.
inline double seconds_of(const RankSetting &setting, const RankWay &way, int repeats) {
  setting.peers.host().barrier();
  const auto begin = std::chrono::steady_clock::now();
  if (!way.is_of_one || setting.rank() == 0) {
    for (int i = 0; i < repeats; ++i) {
      way.call();
    }
    require(cudaStreamSynchronize(setting.stream()));
  }
  setting.peers.host().barrier();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repeats;
}

// `bytes`: read and written by a rank, in the bound of the call.
inline void rank_row(const RankSetting &setting, const char *call, const char *type, std::uint64_t n, double bytes,
                     const std::vector<RankWay> &ways, int repeats = 1) {
  std::vector<double> best(ways.size(), std::numeric_limits<double>::infinity());
  for (int round = -1; round < setting.rounds; ++round) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const double seconds = seconds_of(setting, ways[i], repeats);
      best[i] = round < 0 ? best[i] : std::min(best[i], seconds);
    }
  }
  setting.peers.wait();
  setting.nccl.wait();
  if (setting.rank() == 0) {
    std::printf(R"(  {"call": "%s", "type": "%s", "n": %llu, "ranks": %u, "bytes": %.0f)", call, type,
                static_cast<unsigned long long>(n), setting.peers.size(), bytes);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      std::printf(R"(, "%s_us": %.4g)", ways[i].name, best[i] * 1e6);
    }
    std::printf("},\n");
    std::fflush(stdout);
  }
}

template <class T>
class RankArray {
public:
  explicit RankArray(std::uint64_t n) : buffer_(n * sizeof(T)) {}
  T *data() { return static_cast<T *>(buffer_.data()); }

private:
  DeviceBuffer buffer_;
};

template <class T, class Make>
__global__ void fill_kernel(T *to, std::uint64_t n, std::uint64_t begin, Make make) {
  for (std::uint64_t i = blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<std::uint64_t>(gridDim.x) * blockDim.x) {
    std::uint64_t hash = (begin + i + 1) * 0x9e3779b97f4a7c15;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
    to[i] = make(hash ^ hash >> 32, begin + i);
  }
}
// make(hash, index in the whole array)
template <class T, class Make>
void fill(const RankSetting &setting, T *to, std::uint64_t n, const Make &make) {
  fill_kernel<<<4096, 256, 0, setting.stream()>>>(to, n, setting.rank() * n, make);
  require(cudaGetLastError());
}

// An initialised workspace for the calls of one GPU.
class RankWorkspace {
public:
  RankWorkspace(const RankSetting &setting, std::uint64_t bytes) : buffer_(bytes) {
    space.data = buffer_.data();
    space.bytes = bytes;
    require(cuda::initialise(space, setting.stream()));
  }
  cuda::workspace space;

private:
  DeviceBuffer buffer_;
};

void scan_rows(const RankSetting &setting);
void segment_rows(const RankSetting &setting);
void selection_rows(const RankSetting &setting);
void sort_rows(const RankSetting &setting);
void pair_rows(const RankSetting &setting);
void small_rows(const RankSetting &setting);

}  // namespace upsweep::bench
