// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges the sorted runs of all GPUs to divided results. The results of each rank are made in pieces: while one is merged, the
// next is exchanged.
#pragma once

#include <upsweep/cuda/merge.cuh>
#include <upsweep/distributed/cuda/detail/splitters.cuh>
#include <upsweep/distributed/part_of.h>

#include <string>
#include <vector>

namespace upsweep::distributed::detail {

// Keys, and values unless they are NoValues, in a rank's memory.
template <class Key, class Value>
class DeviceArrays {
public:
  static constexpr bool kHasValues = !std::is_same_v<Value, gpu::NoValue>;

  explicit DeviceArrays(device_rank &ranks) : keys_(ranks), values_(ranks) {}

  cudaError_t allocate(std::uint64_t n) {
    const cudaError_t error = keys_.allocate(n * sizeof(Key));
    return error == cudaSuccess && kHasValues ? values_.allocate(n * sizeof(Value)) : error;
  }
  Key *keys(std::uint64_t at = 0) const { return keys_.get<Key>() + at; }
  Value *values(std::uint64_t at = 0) const { return kHasValues ? values_.get<Value>() + at : nullptr; }

private:
  RankMemory keys_, values_;
};

// Runs call(workspace) with memory of the rank.
template <class Call>
cudaError_t with_memory(device_rank &ranks, std::size_t bytes, const Call &call) {
  RankMemory memory(ranks);
  const cudaError_t error = memory.allocate(std::max<std::size_t>(bytes, 16));
  return error != cudaSuccess ? error
                              : call(upsweep::cuda::workspace{memory.get<unsigned char>(), std::max<std::size_t>(bytes, 16)});
}

struct PartSides {
  std::uint64_t given, wanted;
};

// The lengths of runs and results of all ranks, and the pieces in which results are made.
class Division {
public:
  explicit Division(const std::vector<PartSides> &parts) {
    std::uint64_t longest = 0;
    for (const PartSides &part : parts) {
      given.push_back(part.given);
      wanted.push_back(part.wanted);
      all += part.given;
      all_wanted += part.wanted;
      longest = std::max(longest, part.wanted);
    }
    if (all_wanted != all) {
      throw std::invalid_argument("upsweep::distributed: the ranks have " + std::to_string(all) +
                                  " elements together, but ask for " + std::to_string(all_wanted));
    }
    pieces = static_cast<unsigned>(std::clamp<std::uint64_t>(longest / kPieceElements, 1, kMostPieces));
  }

  // Where piece `k` of rank r begins in all results.
  std::uint64_t piece_begin(unsigned r, unsigned k) const {
    std::uint64_t begin = 0;
    for (unsigned i = 0; i < r; ++i) {
      begin += wanted[i];
    }
    return begin + wanted[r] / pieces * k + std::min<std::uint64_t>(k, wanted[r] % pieces);
  }
  // The targets of the search: the begins of all pieces but the first.
  std::vector<std::uint64_t> targets() const {
    std::vector<std::uint64_t> begins;
    for (unsigned i = 1; i < wanted.size() * pieces; ++i) {
      begins.push_back(piece_begin(i / pieces, i % pieces));
    }
    return begins;
  }

  // Messages of some megabytes have the speed of long ones.
  static constexpr std::uint64_t kPieceElements = std::uint64_t(1) << 24;
  static constexpr std::uint64_t kMostPieces = 8;
  std::vector<std::uint64_t> given, wanted;
  std::uint64_t all = 0, all_wanted = 0;
  unsigned pieces = 1;
};

// Elements of a run that belong to a piece.
struct Slice {
  std::uint64_t begin, end;
  std::uint64_t length() const { return end - begin; }
};

// The elements of each run that belong to each piece.
class Slices {
public:
  Slices(const Division &division, const std::vector<std::vector<std::uint64_t>> &splits)
      : division_(division), splits_(splits) {}

  Slice of(unsigned run, unsigned r, unsigned k) const {
    const std::size_t i = static_cast<std::size_t>(r) * division_.pieces + k;
    return {i == 0 ? 0 : splits_[run][i - 1], i < splits_[run].size() ? splits_[run][i] : division_.given[run]};
  }

private:
  const Division &division_;
  const std::vector<std::vector<std::uint64_t>> &splits_;
};

template <class Key, class Value>
struct RunOfPiece {
  const Key *keys;
  const Value *values;
  std::uint64_t n;
};

template <class Key, class Value, class Less>
cudaError_t merge_two(const RunOfPiece<Key, Value> &a, const RunOfPiece<Key, Value> &b, Key *keys_out, Value *values_out,
                      const Less &less, cudaStream_t stream) {
  return gpu::merge_ranges<Key, Value>(a.keys, b.keys, keys_out, a.values, b.values, values_out, a.n, b.n, less, stream);
}

// Merges runs, in their order, by pairs. Two rooms have space for all elements, if there are more than two runs.
template <class Key, class Value, class Less>
cudaError_t merge_runs_on_device(std::vector<RunOfPiece<Key, Value>> runs, DeviceArrays<Key, Value> (&rooms)[2], Key *keys_out,
                                 Value *values_out, const Less &less, cudaStream_t stream) {
  std::erase_if(runs, [](const auto &run) { return run.n == 0; });
  if (runs.empty()) {
    return cudaSuccess;
  }
  if (runs.size() == 1) {
    cudaError_t error = cudaMemcpyAsync(keys_out, runs[0].keys, runs[0].n * sizeof(Key), cudaMemcpyDefault, stream);
    if (DeviceArrays<Key, Value>::kHasValues && error == cudaSuccess) {
      error = cudaMemcpyAsync(values_out, runs[0].values, runs[0].n * sizeof(Value), cudaMemcpyDefault, stream);
    }
    return error;
  }
  unsigned room = 0;
  while (runs.size() > 1) {
    const bool is_last = runs.size() == 2;
    Key *const keys_to = is_last ? keys_out : rooms[room].keys();
    Value *const values_to = is_last ? values_out : rooms[room].values();
    std::vector<RunOfPiece<Key, Value>> merged;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < runs.size(); i += 2) {
      const RunOfPiece<Key, Value> none{nullptr, nullptr, 0}, &a = runs[i], &b = i + 1 < runs.size() ? runs[i + 1] : none;
      Value *const values_at = DeviceArrays<Key, Value>::kHasValues ? values_to + at : nullptr;
      const cudaError_t error = merge_two(a, b, keys_to + at, values_at, less, stream);
      if (error != cudaSuccess) {
        return error;
      }
      merged.push_back({keys_to + at, values_at, a.n + b.n});
      at += a.n + b.n;
    }
    runs = std::move(merged);
    room = 1 - room;
  }
  return cudaSuccess;
}

// The memory of the pieces that a rank receives and merges.
template <class Key, class Value>
struct PieceRooms {
  DeviceArrays<Key, Value> received, rooms[2];

  explicit PieceRooms(device_rank &ranks)
      : received(ranks), rooms{DeviceArrays<Key, Value>(ranks), DeviceArrays<Key, Value>(ranks)} {}
  cudaError_t allocate(std::uint64_t receives, std::uint64_t merges) {
    cudaError_t error = received.allocate(receives);
    for (auto &room : rooms) {
      error = error == cudaSuccess ? room.allocate(merges) : error;
    }
    return error;
  }
};

// An event that orders two streams.
class StreamEvent {
public:
  StreamEvent() { require_success(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "an event"); }
  StreamEvent(const StreamEvent &) = delete;
  StreamEvent &operator=(const StreamEvent &) = delete;
  ~StreamEvent() { cudaEventDestroy(event_); }

  // Later work of `second` waits for the work of `first`.
  void order(cudaStream_t first, cudaStream_t second) {
    require_success(cudaEventRecord(event_, first), "an event");
    require_success(cudaStreamWaitEvent(second, event_, 0), "an event");
  }

private:
  cudaEvent_t event_ = nullptr;
};

// Receives all pieces on the side stream, and merges each as soon as it has come.
template <class C, class Key, class Value, class Less>
void exchange_and_merge(DeviceCall<C> &call, const DeviceArrays<Key, Value> &sorted, const Division &division,
                        const Slices &slices, PieceRooms<Key, Value> &memory, Key *keys_out, Value *values_out,
                        const Less &less) {
  C &ranks = call.ranks();
  const unsigned size = call.size(), own = call.rank();
  StreamEvent event;
  event.order(call.stream(), ranks.side_stream());
  std::vector<std::uint64_t> send_at(size), send(size), receive_at(size), receive(size);
  std::uint64_t received = 0, merged = 0;
  for (unsigned k = 0; k < division.pieces; ++k) {
    std::vector<RunOfPiece<Key, Value>> runs(size);
    const auto exchange = [&](auto *from, auto *to) {
      using T = std::remove_cv_t<std::remove_pointer_t<decltype(from)>>;
      std::uint64_t at = received;
      for (unsigned r = 0; r < size; ++r) {
        const Slice sent = slices.of(own, r, k), mine = slices.of(r, own, k);
        send_at[r] = sent.begin * sizeof(T);
        send[r] = r == own ? 0 : sent.length() * sizeof(T);
        receive_at[r] = at * sizeof(T);
        receive[r] = r == own ? 0 : mine.length() * sizeof(T);
        at += r == own ? 0 : mine.length();
      }
      ranks.all_to_all(from, send_at.data(), send.data(), to, receive_at.data(), receive.data(), ranks.side_stream());
    };
    exchange(sorted.keys(), memory.received.keys());
    if constexpr (DeviceArrays<Key, Value>::kHasValues) {
      exchange(sorted.values(), memory.received.values());
    }
    std::uint64_t piece = 0;
    for (unsigned r = 0; r < size; ++r) {
      const Slice mine = slices.of(r, own, k);
      const auto &from = r == own ? sorted : memory.received;
      const std::uint64_t at = r == own ? mine.begin : received;
      runs[r] = {from.keys(at), from.values(at), mine.length()};
      received += r == own ? 0 : mine.length();
      piece += mine.length();
    }
    event.order(ranks.side_stream(), call.stream());
    call.local([&] {
      return merge_runs_on_device(runs, memory.rooms, keys_out + merged,
                                  DeviceArrays<Key, Value>::kHasValues ? values_out + merged : nullptr, less, call.stream());
    });
    merged += piece;
  }
}

// Merges the sorted runs of all ranks so that each gets its part of the result.
template <class C, class Key, class Value, class Less>
void merge_divided(DeviceCall<C> &call, const DeviceArrays<Key, Value> &sorted, Division division, Key *keys_out,
                   Value *values_out, const Less &less) {
  C &ranks = call.ranks();
  division.pieces = call.size() == 1 ? 1 : division.pieces;
  const auto targets = division.targets();
  std::vector<std::vector<std::uint64_t>> splits(call.size());
  if (!targets.empty()) {
    splits = find_splits(call, static_cast<const Key *>(sorted.keys()), division.given, targets, less);
  }
  const Slices slices(division, splits);
  std::uint64_t receives = 0, longest = 0;
  for (unsigned k = 0; k < division.pieces; ++k) {
    std::uint64_t piece = 0;
    for (unsigned r = 0; r < call.size(); ++r) {
      piece += slices.of(r, call.rank(), k).length();
    }
    longest = std::max(longest, piece);
    receives += piece - slices.of(call.rank(), call.rank(), k).length();
  }
  PieceRooms<Key, Value> memory(ranks);
  call.local([&] { return memory.allocate(receives, call.size() > 2 ? longest : 0); });
  call.gather_on_host(0);  // all ranks have memory
  exchange_and_merge(call, sorted, division, slices, memory, keys_out, values_out, less);
}

}  // namespace upsweep::distributed::detail
