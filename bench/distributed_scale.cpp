// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time of calls over 2 to 4096 ranks of a modelled cluster of GPUs, with checked results. Rows of JSON.
//
//     distributed_scale [LOG2_RANKS [LOG2_RANKS_OF_SORTS]]
//
// Each rank has kElements elements, each of which stands for `weight` elements of a GPU. The times of work are measured on one
// GPU; the times of the network are a model (tests/distributed/simulated.h).
#include "tests/distributed/simulated.h"

#include <upsweep/distributed/scan.h>
#include <upsweep/distributed/select.h>
#include <upsweep/distributed/sort.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace upsweep::bench {

namespace {

using distributed::test::Cluster, distributed::test::Progress, distributed::test::run_simulated,
    distributed::test::simulated_communicator;

constexpr std::uint64_t kElements = 8192;
constexpr double kOfGpu = 1073741824;  // elements

std::uint32_t element(std::uint64_t i) {
  i = (i + 1) * 0x9e3779b97f4a7c15;
  return static_cast<std::uint32_t>((i ^ i >> 32) * 0xd6e8feb86659fd93 >> 40);
}

std::vector<std::uint32_t> part_of_rank(unsigned rank) {
  std::vector<std::uint32_t> part(kElements);
  for (std::uint64_t i = 0; i < kElements; ++i) {
    part[i] = element(rank * kElements + i);
  }
  return part;
}

struct IsOdd {
  bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

// A call, the seconds of one GPU for kOfGpu elements, the work before each message, and the results that a rank must have.
struct ScaledCall {
  const char *name;
  double gpu_seconds;
  double (*work)(const Progress &, unsigned ranks);
  std::vector<std::uint32_t> (*call)(simulated_communicator &, const std::vector<std::uint32_t> &);
  std::vector<std::uint32_t> (*whole)(const std::vector<std::uint32_t> &);
};

// Seconds of an H200 for 2^30 elements of 32 bits (docs/benchmarks/data/cuda_ranks_h200.json); of the merge an estimate, a copy
// at three quarters of its speed.
constexpr double kReduce = 0.95e-3, kScan = 2.15e-3, kSelect = 1.66e-3, kSort = 18.3e-3, kMerge = 2.7e-3;

double work_of_scan(const Progress &progress, unsigned) { return progress.messages == 0 ? kReduce : kScan; }
double work_of_select(const Progress &, unsigned) { return kSelect; }
// The third report follows the sort of the part, and the last one the merges.
double work_of_sort(const Progress &progress, unsigned ranks) {
  return progress.messages == 2 ? kSort : progress.has_elements ? kMerge * std::ceil(std::log2(ranks)) : 0;
}

std::vector<std::uint32_t> scan(simulated_communicator &ranks, const std::vector<std::uint32_t> &in) {
  std::vector<std::uint32_t> out(in.size());
  distributed::inclusive_sum(ranks, in.data(), out.data(), in.size());
  return out;
}
std::vector<std::uint32_t> scan_whole(const std::vector<std::uint32_t> &in) {
  std::vector<std::uint32_t> out(in.size());
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = sum += in[i];
  }
  return out;
}

// The kept elements are replaced by their number, since they stay on their rank.
std::vector<std::uint32_t> select(simulated_communicator &ranks, const std::vector<std::uint32_t> &in) {
  std::vector<std::uint32_t> out(in.size());
  std::uint64_t kept = 0, all = 0;
  distributed::select_if(ranks, in.data(), out.data(), &kept, in.size(), IsOdd(), distributed::total_to(&all));
  return std::vector<std::uint32_t>(in.size(), static_cast<std::uint32_t>(all));
}
std::vector<std::uint32_t> select_whole(const std::vector<std::uint32_t> &in) {
  return std::vector<std::uint32_t>(in.size(), static_cast<std::uint32_t>(std::count_if(in.begin(), in.end(), IsOdd())));
}

std::vector<std::uint32_t> sort(simulated_communicator &ranks, const std::vector<std::uint32_t> &in) {
  std::vector<std::uint32_t> out(in.size());
  distributed::sort_keys(ranks, in.data(), out.data(), in.size());
  return out;
}
std::vector<std::uint32_t> sort_whole(const std::vector<std::uint32_t> &in) {
  std::vector<std::uint32_t> out = in;
  std::sort(out.begin(), out.end());
  return out;
}

struct Outcome {
  double seconds = 0;
  std::uint64_t messages = 0;
  bool is_right = true;
};

Outcome run(const ScaledCall &scaled, unsigned ranks, const Cluster &cluster) {
  std::vector<std::uint32_t> whole(ranks * kElements);
  for (std::uint64_t i = 0; i < whole.size(); ++i) {
    whole[i] = element(i);
  }
  whole = scaled.whole(whole);
  Outcome outcome;
  std::mutex mutex;
  run_simulated(ranks, cluster, [&](simulated_communicator &simulated) {
    const auto in = part_of_rank(simulated.rank());
    simulated.set_work([&](const Progress &progress) { return scaled.work(progress, ranks); });
    const auto out = scaled.call(simulated, in);
    const bool is_right =
        std::equal(out.begin(), out.end(), whole.begin() + static_cast<std::ptrdiff_t>(simulated.rank() * kElements));
    const std::lock_guard lock(mutex);
    outcome.seconds = std::max(outcome.seconds, simulated.clock());
    outcome.messages = simulated.progress().messages;
    outcome.is_right = outcome.is_right && is_right;
  });
  return outcome;
}

int rows(const ScaledCall &scaled, unsigned log2_most) {
  Cluster cluster;
  cluster.weight = kOfGpu / static_cast<double>(kElements);
  int wrong = 0;
  for (const double late : {0.0, 0.01}) {
    cluster.late_share = late;
    cluster.late_factor = 1.2;
    for (unsigned log2_ranks = 1; log2_ranks <= log2_most; ++log2_ranks) {
      const unsigned ranks = 1U << log2_ranks;
      const Outcome outcome = run(scaled, ranks, cluster);
      wrong += outcome.is_right ? 0 : 1;
      std::printf(R"(  {"call": "%s", "ranks": %u, "late_share": %g, "n": %.0f, "ms": %.4g, "messages": %llu, )"
                  R"("gpu_ms": %.4g, "right": %s},)"
                  "\n",
                  scaled.name, ranks, late, kOfGpu, outcome.seconds * 1e3, static_cast<unsigned long long>(outcome.messages),
                  scaled.gpu_seconds * 1e3, outcome.is_right ? "true" : "false");
      std::fflush(stdout);
    }
  }
  return wrong;
}

}  // namespace

}  // namespace upsweep::bench

int main(int argc, char **argv) {
  using namespace upsweep::bench;
  const auto argument = [&](int i, int otherwise) { return static_cast<unsigned>(argc > i ? std::atoi(argv[i]) : otherwise); };
  const int wrong = rows({"inclusive sum", kScan, work_of_scan, scan, scan_whole}, argument(1, 12)) +
                    rows({"select 50 %", kSelect, work_of_select, select, select_whole}, argument(1, 12)) +
                    rows({"sort", kSort, work_of_sort, sort, sort_whole}, argument(2, 10));
  return wrong == 0 ? 0 : 1;
}
