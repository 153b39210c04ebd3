// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and selections over GPUs, beside one GPU.
#include "ranks.h"

#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/select.cuh>
#include <upsweep/distributed/cuda/histogram.cuh>
#include <upsweep/distributed/cuda/reduce.cuh>
#include <upsweep/distributed/cuda/scan.cuh>
#include <upsweep/distributed/cuda/select.cuh>

namespace upsweep::bench {

namespace {

template <class T>
struct SmallOf {
  __device__ T operator()(std::uint64_t hash, std::uint64_t) const { return static_cast<T>(hash % 100); }
};
struct KeyOfRun {
  __device__ std::uint32_t operator()(std::uint64_t, std::uint64_t i) const { return static_cast<std::uint32_t>(i / 32); }
};
struct Word {
  __device__ std::uint32_t operator()(std::uint64_t hash, std::uint64_t) const { return static_cast<std::uint32_t>(hash); }
};
struct IsOdd {
  __host__ __device__ bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

// Both communicators, with the same call.
template <class Call>
std::vector<RankWay> ways(const RankSetting &setting, const std::function<void()> &one, const Call &call) {
  return {{"one", true, one}, {"peers", false, [&, call] { call(setting.peers); }}, {"nccl", false, [&, call] {
                                                                                       call(setting.nccl);
                                                                                     }}};
}

template <class T, class Op>
void scan_row(const RankSetting &setting, const char *name, const char *type, std::uint64_t n, Op op, int repeats = 1) {
  RankArray<T> in(n), out(n);
  RankWorkspace space(setting, cuda::scan_workspace_bytes<T>(n));
  fill(setting, in.data(), n, SmallOf<T>());
  rank_row(setting, name, type, n, 3.0 * static_cast<double>(n * sizeof(T)),
           ways(
               setting, [&] { require(cuda::inclusive_scan(space.space, in.data(), out.data(), n, op, setting.stream())); },
               [&](auto &ranks) { distributed::inclusive_scan(ranks, in.data(), out.data(), n, op); }),
           repeats);
}

}  // namespace

void scan_rows(const RankSetting &setting) {
  scan_row<float>(setting, "inclusive sum", "f32", setting.n, cuda::plus{});
  scan_row<std::int64_t>(setting, "inclusive sum", "i64", setting.n, cuda::plus{});
  scan_row<float>(setting, "inclusive maximum", "f32", setting.n, cuda::maximum{});
}

void small_rows(const RankSetting &setting) {
  constexpr int kRepeats = 200;
  distributed::detail::RankMemory letters(setting.peers);
  require(letters.allocate(16 * (setting.peers.size() + 1) * sizeof(distributed::detail::Record)));
  char *const own = letters.get<char>();
  using distributed::detail::OnlyCheck, distributed::detail::RecordCheck;
  const distributed::detail::RecordHeader header{1, 0, 0, 0, 0, 0};
  require(cudaMemcpyAsync(setting.peers.own_record(), &header, sizeof header, cudaMemcpyHostToDevice, setting.stream()));
  rank_row(setting, "message", "256 bytes", 1, 256,
           {{"peers", false,
             [&] {
               require(distributed::detail::gather_then(
                   setting.peers, OnlyCheck{{1, setting.peers.size(), setting.rank(), setting.peers.status()}}));
             }},
            {"nccl", false, [&] { setting.nccl.all_gather(own, own + 256, 256); }}},
           kRepeats);
  for (unsigned log2_n = 10; log2_n <= 22; log2_n += 2) {
    scan_row<float>(setting, "inclusive sum", "f32", std::uint64_t(1) << log2_n, cuda::plus{}, kRepeats);
  }
  scan_row<int>(setting, "inclusive sum", "i32", 1024, cuda::plus{}, kRepeats);
  RankArray<float> in(1024), total(1);
  fill(setting, in.data(), 1024, SmallOf<float>());
  rank_row(setting, "sum", "f32", 1024, 4096,
           {{"peers", false, [&] { distributed::sum(setting.peers, in.data(), total.data(), 1024); }},
            {"nccl", false, [&] { distributed::sum(setting.nccl, in.data(), total.data(), 1024); }}},
           kRepeats);
}

void segment_rows(const RankSetting &setting) {
  const std::uint64_t n = setting.n;
  RankArray<std::uint32_t> keys(n), in(n), out(n);
  RankWorkspace space(setting, cuda::scan_workspace_bytes<std::uint32_t>(n));
  fill(setting, keys.data(), n, KeyOfRun());
  fill(setting, in.data(), n, SmallOf<std::uint32_t>());
  rank_row(setting, "inclusive sum by key, runs of 32", "u32", n, 12.0 * static_cast<double>(n),
           ways(
               setting,
               [&] {
                 require(cuda::inclusive_scan_by_key(space.space, keys.data(), in.data(), out.data(), n, cuda::plus{},
                                                     setting.stream()));
               },
               [&](auto &ranks) {
                 distributed::inclusive_scan_by_key(ranks, keys.data(), in.data(), out.data(), n, cuda::plus{});
               }));
}

void selection_rows(const RankSetting &setting) {
  const std::uint64_t n = setting.n;
  RankArray<std::uint32_t> in(n), out(n);
  RankArray<std::uint64_t> kept(1), counts(256);
  RankWorkspace space(setting, cuda::select_workspace_bytes<std::uint32_t>(n) * 2);
  fill(setting, in.data(), n, Word());
  rank_row(setting, "select 50 %", "u32", n, 6.0 * static_cast<double>(n),
           ways(
               setting,
               [&] { require(cuda::select_if(space.space, in.data(), out.data(), kept.data(), n, IsOdd(), setting.stream())); },
               [&](auto &ranks) { distributed::select_if(ranks, in.data(), out.data(), kept.data(), n, IsOdd()); }));
  rank_row(setting, "histogram, 256 bins", "u32", n, 4.0 * static_cast<double>(n),
           ways(
               setting,
               [&] {
                 require(cuda::histogram_even(in.data(), counts.data(), n, 256, std::uint64_t(0), std::uint64_t(1) << 32,
                                              setting.stream()));
               },
               [&](auto &ranks) {
                 distributed::histogram_even(ranks, in.data(), counts.data(), n, 256, std::uint64_t(0), std::uint64_t(1) << 32);
               }));
  fill(setting, in.data(), n, KeyOfRun());
  rank_row(setting, "unique, runs of 32", "u32", n, 4.125 * static_cast<double>(n),
           ways(
               setting, [&] { require(cuda::unique(space.space, in.data(), out.data(), kept.data(), n, setting.stream())); },
               [&](auto &ranks) { distributed::unique(ranks, in.data(), out.data(), kept.data(), n); }));
}

}  // namespace upsweep::bench
