// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts over GPUs, beside one GPU. The sorted keys are checked.
#include "ranks.h"

#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/sort.cuh>
#include <upsweep/distributed/cuda/sort.cuh>

namespace upsweep::bench {

namespace {

template <class T>
struct RandomOf {
  __device__ T operator()(std::uint64_t hash, std::uint64_t) const { return static_cast<T>(hash); }
};

// Counts keys that are less than the key before them.
template <class T>
struct Descends {
  const T *keys;
  __device__ std::uint64_t operator()(const T &key, std::uint64_t i) const { return i > 0 && key < keys[i - 1] ? 1 : 0; }
};

template <class T>
void check_sorted(const RankSetting &setting, T *keys, std::uint64_t n, const char *way) {
  RankArray<std::uint64_t> count(1);
  require(cuda::transform_reduce(keys, count.data(), n, cuda::plus{}, Descends<T>{keys}, std::uint64_t(0), setting.stream()));
  struct Ends {
    std::uint64_t wrong;
    T first, last;
  } own{};
  require(cudaStreamSynchronize(setting.stream()));
  require(cudaMemcpy(&own.wrong, count.data(), 8, cudaMemcpyDeviceToHost));
  require(cudaMemcpy(&own.first, keys, sizeof(T), cudaMemcpyDeviceToHost));
  require(cudaMemcpy(&own.last, keys + n - 1, sizeof(T), cudaMemcpyDeviceToHost));
  std::vector<Ends> all(setting.peers.size());
  setting.peers.host().all_gather(&own, all.data(), sizeof(Ends));
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].wrong != 0 || (r > 0 && all[r].first < all[r - 1].last)) {
      throw std::runtime_error(std::string("the sort by ") + way + " is wrong");
    }
  }
}

template <class T>
void sort_row(const RankSetting &setting, const char *type) {
  const std::uint64_t n = setting.n;
  RankArray<T> in(n), out(n);
  RankWorkspace space(setting, cuda::sort_workspace_bytes<T>(n));
  fill(setting, in.data(), n, RandomOf<T>());
  const T *from = in.data();
  rank_row(setting, "sort", type, n, static_cast<double>(n * sizeof(T)),
           {{"one", true, [&] { require(cuda::sort_keys(space.space, from, out.data(), n, setting.stream())); }},
            {"peers", false, [&] { distributed::sort_keys(setting.peers, from, out.data(), n); }},
            {"nccl", false, [&] { distributed::sort_keys(setting.nccl, from, out.data(), n); }}});
  distributed::sort_keys(setting.peers, from, out.data(), n);
  check_sorted(setting, out.data(), n, "peers");
  require(cudaMemsetAsync(out.data(), 0xa5, n * sizeof(T), setting.stream()));
  distributed::sort_keys(setting.nccl, from, out.data(), n);
  check_sorted(setting, out.data(), n, "NCCL");
  setting.peers.release_memory();
  setting.nccl.release_memory();
}

}  // namespace

void sort_rows(const RankSetting &setting) {
  sort_row<std::uint32_t>(setting, "u32");
  sort_row<std::uint64_t>(setting, "u64");
}

void pair_rows(const RankSetting &setting) {
  using T = std::uint32_t;
  const std::uint64_t n = setting.n;
  RankArray<T> in(n), out(n), values(n), moved(n);
  RankWorkspace space(setting, cuda::sort_workspace_bytes<T, T>(n));
  fill(setting, in.data(), n, RandomOf<T>());
  fill(setting, values.data(), n, RandomOf<T>());
  const T *keys_from = in.data(), *values_from = values.data();
  rank_row(
      setting, "sort pairs", "u32, u32", n, static_cast<double>(8 * n),
      {{"one", true,
        [&] { require(cuda::sort_pairs(space.space, keys_from, out.data(), values_from, moved.data(), n, setting.stream())); }},
       {"peers", false, [&] { distributed::sort_pairs(setting.peers, keys_from, out.data(), values_from, moved.data(), n); }},
       {"nccl", false, [&] { distributed::sort_pairs(setting.nccl, keys_from, out.data(), values_from, moved.data(), n); }}});
}

}  // namespace upsweep::bench
