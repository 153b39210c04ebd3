// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places that divide the sorted runs of all GPUs so that each division has an exact number of elements. Equal elements are
// in the order of ranks, and then of places, so that no two elements are alike (detail/splitters.h does the same on the host).
//
// Limits in each run enclose a place. In each round the ranks gather some elements between the limits, with their places. From
// these alone each rank knows bounds for the number of elements before each of them. The last one that is surely not behind the
// target and the first one that is surely not before it set new limits, by a search in the own run. A round narrows the limits
// by a factor of about kProbes / 4 / the number of runs, and takes one message and two launches; nothing comes to the host
// until the end.
#pragma once

#include <upsweep/cuda/device/sort_call.cuh>
#include <upsweep/distributed/cuda/detail/call.cuh>

namespace upsweep::distributed::detail {

template <class Key>
struct DeviceProbe {
  Key key;
  std::uint64_t place;
};

// The place of a target in a run lies between these limits.
struct ProbeLimits {
  std::uint64_t low, high;
};

// The layout of a round's message: for each target the limits, and then for each target its probes.
template <class Key>
struct ProbeMessage {
  unsigned char *bytes;
  unsigned targets, most;

  __host__ __device__ static std::uint64_t limits_bytes(unsigned targets) {
    return (targets * sizeof(ProbeLimits) + 15) / 16 * 16;
  }
  __host__ __device__ static std::uint64_t all_bytes(unsigned targets, unsigned most) {
    return (limits_bytes(targets) + targets * static_cast<std::uint64_t>(most) * sizeof(DeviceProbe<Key>) + 15) / 16 * 16;
  }
  __host__ __device__ ProbeMessage of_rank(unsigned r) const { return {bytes + r * all_bytes(targets, most), targets, most}; }
  __device__ ProbeLimits *limits() const { return reinterpret_cast<ProbeLimits *>(bytes); }
  __device__ DeviceProbe<Key> *probes(unsigned target) const {
    return reinterpret_cast<DeviceProbe<Key> *>(bytes + limits_bytes(targets)) + static_cast<std::uint64_t>(target) * most;
  }
  __device__ unsigned count(unsigned target) const {
    const std::uint64_t left = limits()[target].high - limits()[target].low;
    return left < most ? static_cast<unsigned>(left) : most;
  }
};

__host__ __device__ inline std::uint64_t probe_share(std::uint64_t n, std::uint64_t i, std::uint64_t parts) {
  return n / parts * i + (i < n % parts ? i : n % parts);
}

// A block for each target.
template <class Key>
__global__ void probe_kernel(const Key *run, const ProbeLimits *limits, ProbeMessage<Key> to) {
  const unsigned target = blockIdx.x;
  const ProbeLimits own = limits[target];
  const std::uint64_t left = own.high - own.low;
  const unsigned some = left < to.most ? static_cast<unsigned>(left) : to.most;
  for (unsigned i = threadIdx.x; i < some; i += blockDim.x) {
    const std::uint64_t begin = probe_share(left, i, some), end = probe_share(left, i + 1, some);
    DeviceProbe<Key> probe{};
    probe.place = own.low + begin + (end - begin) / 2;
    probe.key = run[probe.place];
    to.probes(target)[i] = probe;
  }
  if (threadIdx.x == 0) {
    to.limits()[target] = own;
  }
}

inline constexpr int kNarrowThreads = 512;

// The number of the first `count` probes of rank r that come before a probe of rank `of`.
template <class Key, class Less>
__device__ unsigned probes_before(const DeviceProbe<Key> *probes, unsigned count, unsigned r, const DeviceProbe<Key> &probe,
                                  unsigned of, const Less &less) {
  unsigned low = 0, high = count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    const bool is_before = r < of ? !less(probe.key, probes[middle].key) : less(probes[middle].key, probe.key);
    low = is_before ? middle + 1 : low;
    high = is_before ? high : middle;
  }
  return low;
}

// The number of elements of the own run before a probe, between the limits.
template <class Key, class Less>
__device__ std::uint64_t place_before(const Key *run, ProbeLimits limits, unsigned rank, const DeviceProbe<Key> &probe,
                                      unsigned of, const Less &less) {
  if (rank == of) {
    return probe.place < limits.low ? limits.low : probe.place > limits.high ? limits.high : probe.place;
  }
  std::uint64_t low = limits.low, high = limits.high;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const bool is_before = rank < of ? !less(probe.key, run[middle]) : less(run[middle], probe.key);
    low = is_before ? middle + 1 : low;
    high = is_before ? high : middle;
  }
  return low;
}

// A block for each target: sets the new limits of the own run.
template <class Key, class Less>
__global__ void narrow_kernel(const Key *run, ProbeMessage<Key> all, unsigned ranks, unsigned rank,
                              const std::uint64_t *targets, Less less, ProbeLimits *limits) {
  __shared__ unsigned long long most_below, least_above;
  __shared__ unsigned below, above;
  const unsigned target = blockIdx.x;
  const std::uint64_t wanted = targets[target];
  constexpr unsigned kNone = ~0U;
  if (threadIdx.x == 0) {
    most_below = 0;
    least_above = ~0ULL;
    below = above = kNone;
  }
  __syncthreads();
  // Bounds for the number of elements before probe i of rank q.
  const auto bounds = [&](unsigned q, unsigned i, std::uint64_t &least, std::uint64_t &most) {
    const DeviceProbe<Key> probe = all.of_rank(q).probes(target)[i];
    least = most = 0;
    for (unsigned r = 0; r < ranks; ++r) {
      const ProbeMessage<Key> of_r = all.of_rank(r);
      if (r == q) {
        least += probe.place;
        most += probe.place;
        continue;
      }
      const unsigned count = of_r.count(target);
      const unsigned before = probes_before(of_r.probes(target), count, r, probe, q, less);
      least += before > 0 ? of_r.probes(target)[before - 1].place + 1 : of_r.limits()[target].low;
      most += before < count ? of_r.probes(target)[before].place : of_r.limits()[target].high;
    }
  };
  // Twice: for the numbers, and for a probe that has them.
  for (int turn = 0; turn < 2; ++turn) {
    for (unsigned q = 0; q < ranks; ++q) {
      const unsigned count = all.of_rank(q).count(target);
      for (unsigned i = threadIdx.x; i < count; i += kNarrowThreads) {
        std::uint64_t least, most;
        bounds(q, i, least, most);
        const unsigned name = q * all.most + i;
        if (most <= wanted) {
          if (turn == 0) {
            atomicMax(&most_below, static_cast<unsigned long long>(least));
          } else if (least == most_below) {
            atomicMin(&below, name);
          }
        }
        if (least >= wanted) {
          if (turn == 0) {
            atomicMin(&least_above, static_cast<unsigned long long>(most));
          } else if (most == least_above) {
            atomicMin(&above, name);
          }
        }
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const ProbeLimits old = limits[target];
    ProbeLimits own = old;
    if (below != kNone) {
      own.low =
          place_before(run, old, rank, all.of_rank(below / all.most).probes(target)[below % all.most], below / all.most, less);
    }
    if (above != kNone) {
      own.high =
          place_before(run, old, rank, all.of_rank(above / all.most).probes(target)[above % all.most], above / all.most, less);
    }
    own.high = own.high < own.low ? own.low : own.high;
    limits[target] = own;
  }
}

// The same on all ranks, since all have the same numbers.
inline void require_splits(const std::vector<std::vector<std::uint64_t>> &splits, const std::vector<std::uint64_t> &targets,
                           bool is_done) {
  for (std::size_t t = 0; t < targets.size(); ++t) {
    std::uint64_t sum = 0;
    for (const auto &of_rank : splits) {
      sum += of_rank[t];
      is_done = is_done && (t == 0 || of_rank[t - 1] <= of_rank[t]);
    }
    is_done = is_done && sum == targets[t];
  }
  if (!is_done) {
    throw std::invalid_argument("upsweep::distributed: the elements are not in the order of the comparison");
  }
}

// The most probes of a run for a target: with few ranks, so many that few rounds suffice.
inline unsigned probes_of_run(unsigned ranks) { return std::clamp(2048 / ranks, 8U, 1024U); }

// Returns, for each rank and each target, the number of elements of the rank's run among the first `target` elements of all.
// `run` is this rank's sorted run of lengths[rank] elements. Throws on all ranks if runs are not sorted.
template <class C, class Key, class Less>
std::vector<std::vector<std::uint64_t>> find_splits(DeviceCall<C> &call, const Key *run,
                                                    const std::vector<std::uint64_t> &lengths,
                                                    const std::vector<std::uint64_t> &targets, const Less &less) {
  C &ranks = call.ranks();
  const unsigned size = call.size();
  const auto count = static_cast<unsigned>(targets.size());
  const unsigned most = probes_of_run(size);
  const std::uint64_t n = lengths[call.rank()];
  std::uint64_t all = 0;
  for (const std::uint64_t length : lengths) {
    all += length;
  }
  // Device memory: limits, targets, the own message, all messages.
  const std::uint64_t limits_bytes = ProbeMessage<Key>::limits_bytes(count),
                      message = ProbeMessage<Key>::all_bytes(count, most);
  const std::uint64_t targets_at = limits_bytes, own_at = targets_at + (count * sizeof(std::uint64_t) + 15) / 16 * 16;
  const std::uint64_t all_at = own_at + message, splits_at = all_at + size * message;
  RankMemory memory(ranks);
  call.local([&] { return memory.allocate(splits_at + size * limits_bytes); });
  call.gather_on_host(0);  // all ranks have memory
  auto *const bytes = memory.get<unsigned char>();
  auto *const limits = reinterpret_cast<ProbeLimits *>(bytes);
  auto *const wanted = reinterpret_cast<std::uint64_t *>(bytes + targets_at);
  std::vector<unsigned char> start(own_at);
  for (unsigned t = 0; t < count; ++t) {
    const ProbeLimits first{targets[t] >= all ? n : 0, targets[t] == 0 ? 0 : n};
    std::memcpy(start.data() + t * sizeof(ProbeLimits), &first, sizeof first);
    std::memcpy(start.data() + targets_at + t * sizeof(std::uint64_t), &targets[t], sizeof(std::uint64_t));
  }
  auto *const room = static_cast<unsigned char *>(ranks.pinned(std::max<std::uint64_t>(own_at, size * limits_bytes)));
  std::memcpy(room, start.data(), own_at);
  require_success(cudaMemcpyAsync(bytes, room, own_at, cudaMemcpyHostToDevice, call.stream()), "a copy");
  const auto round = [&] {
    const ProbeMessage<Key> own{bytes + own_at, count, most}, gathered{bytes + all_at, count, most};
    require_success(gpu::launch(probe_kernel<Key>, count, kNarrowThreads, 0, call.stream(), run,
                                static_cast<const ProbeLimits *>(limits), own),
                    "a search");
    ranks.all_gather(own.bytes, gathered.bytes, message);
    require_success(gpu::launch(narrow_kernel<Key, Less>, count, kNarrowThreads, 0, call.stream(), run, gathered, size,
                                call.rank(), static_cast<const std::uint64_t *>(wanted), less, limits),
                    "a search");
  };
  // Enough rounds, unless probes are unluckily placed; then there are more.
  std::uint64_t span = *std::max_element(lengths.begin(), lengths.end());
  const std::uint64_t factor = std::max<std::uint64_t>(most / 4, 2);
  std::vector<std::vector<std::uint64_t>> splits(size, std::vector<std::uint64_t>(count));
  bool is_done = false;
  for (int turn = 0; turn < 64 && !is_done; ++turn) {
    do {
      round();
      span = span > most ? span / factor : 0;
    } while (span > 0);
    ranks.all_gather(limits, bytes + splits_at, limits_bytes);
    require_success(cudaMemcpyAsync(room, bytes + splits_at, size * limits_bytes, cudaMemcpyDeviceToHost, call.stream()),
                    "a copy");
    ranks.finish_stream();
    is_done = true;
    for (unsigned r = 0; r < size; ++r) {
      for (unsigned t = 0; t < count; ++t) {
        ProbeLimits found;
        std::memcpy(&found, room + r * limits_bytes + t * sizeof(ProbeLimits), sizeof found);
        splits[r][t] = found.low;
        is_done = is_done && found.low == found.high;
      }
    }
  }
  require_splits(splits, targets, is_done);
  return splits;
}

}  // namespace upsweep::distributed::detail
