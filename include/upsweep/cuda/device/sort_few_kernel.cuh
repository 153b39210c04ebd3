// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sort of an array that fits the shared memory of a cluster of blocks: all passes in one launch.
//
// The array is in the shared memory of all blocks. In each pass, a block sorts its part by the digit, and then stores the runs
// at their places in the array. The last pass stores them to the output.
#pragma once

#include <upsweep/cuda/device/cluster.cuh>
#include <upsweep/cuda/device/sort_pass_kernel.cuh>

namespace upsweep::cuda::detail {

template <class Order_, class Value_>
struct SortFewProblem {
  using Order = Order_;
  using Bits = typename Order::Bits;
  using Value = Value_;
  static constexpr bool kHasValues = !std::is_same_v<Value, NoValue>;

  const Bits *keys_in;
  Bits *keys_out;
  const Value *values_in;
  Value *values_out;
  Later<std::uint64_t> count;
  SortBits bits;
};

template <class Few, int kItems_>
struct SortFewGeometry {
  static constexpr int kThreads = 1024, kItems = kItems_, kWarps = kThreads / 32;
  static constexpr int kTileItems = kThreads * kItems;

  struct Shared {
    alignas(16) std::uint32_t counts[kWarps][kDigits];
    typename Few::Bits keys[kTileItems], received_keys[kTileItems];
    typename Few::Value values[Few::kHasValues ? kTileItems : 1], received_values[Few::kHasValues ? kTileItems : 1];
    std::uint32_t totals[kDigits];  // read by the other blocks
    std::uint32_t begins[kDigits];
    std::uint64_t warp_totals[kDigits / 32];
  };
};

template <class Few, class Geometry>
class SortFewTile {
  using Bits = typename Few::Bits;
  using Value = typename Few::Value;
  using Shared = typename Geometry::Shared;
  static constexpr int kThreads = Geometry::kThreads, kItems = Geometry::kItems, kWarps = Geometry::kWarps;
  static constexpr unsigned kTileItems = Geometry::kTileItems;

public:
  __device__ __forceinline__ SortFewTile(const Few &few, Shared &shared)
      : few_(few), shared_(shared), warp_(static_cast<int>(threadIdx.x) / 32), count_(static_cast<unsigned>(few.count.get())) {}

  __device__ __forceinline__ void sort() {
    load();
    for (int i = 0; i < few_.bits.places; ++i) {
      const DigitPlace place = few_.bits.place(i);
      if (i > 0) {
        take_received();
      }
      rank_in_warps<kItems>(keys_, ranks_, place, shared_.counts[warp_]);
      __syncthreads();
      find_runs();
      __syncthreads();
      const bool is_last = i + 1 == few_.bits.places;
      if (gridDim.x == 1) {
        scatter(place, shared_.received_keys, shared_.received_values);
        __syncthreads();
        if (is_last) {
          store_received();
        }
        continue;
      }
      scatter(place, shared_.keys, shared_.values);
      __syncthreads();
      if (is_last) {
        store(place);
      } else {
        send(place);
      }
      synchronise();
    }
  }

private:
  __device__ __forceinline__ unsigned place(int i) const {
    return static_cast<unsigned>((warp_ * kItems + i) * 32 + lane_id());
  }

  __device__ __forceinline__ static void synchronise() {
    if (gridDim.x > 1) {
      synchronise_cluster();
    } else {
      __syncthreads();
    }
  }

  // Places behind the last key hold the largest key, and so come last.
  __device__ __forceinline__ void load() {
    const unsigned first = blockIdx.x * kTileItems;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const unsigned from = first + place(i);
      keys_[i] = from < count_ ? Few::Order::encode(few_.keys_in[from]) : static_cast<Bits>(~Bits(0));
      if constexpr (Few::kHasValues) {
        if (from < count_) {
          values_[i] = value_at(few_.values_in, from);
        }
      }
    }
  }
  __device__ __forceinline__ void take_received() {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      keys_[i] = shared_.received_keys[place(i)];
      if constexpr (Few::kHasValues) {
        values_[i] = shared_.received_values[place(i)];
      }
    }
  }

  // Finds the places of the block's runs in its tile and in the array.
  __device__ __forceinline__ void find_runs() {
    const bool is_digit = threadIdx.x < kDigits;
    std::uint32_t total = 0;
    if (is_digit) {
      total = total_of_warps<kWarps>(shared_.counts);
      shared_.totals[threadIdx.x] = total;
    }
    synchronise();  // now all blocks have read the received elements, too
    std::uint32_t all = 0, before = 0;
    if (is_digit) {
      for (unsigned block = 0; block < gridDim.x; ++block) {
        const std::uint32_t count = *of_block(&shared_.totals[threadIdx.x], block);
        all += count;
        before += block < blockIdx.x ? count : 0;
      }
    }
    // Computes both sums together.
    const std::uint64_t begins = sum_of_digits_before(static_cast<std::uint64_t>(all) << 32 | total, shared_.warp_totals);
    if (is_digit) {
      const auto begin = static_cast<std::uint32_t>(begins);
      place_warps<kWarps>(shared_.counts, begin);
      shared_.begins[threadIdx.x] = static_cast<std::uint32_t>(begins >> 32) + before - begin;
    }
  }

  __device__ __forceinline__ void scatter(DigitPlace digits, Bits *keys, Value *values) {
    scatter_in_tile<kItems>(keys_, keys_, ranks_, digits, shared_.counts[warp_], keys);
    if constexpr (Few::kHasValues) {
      scatter_in_tile<kItems>(values_, keys_, ranks_, digits, shared_.counts[warp_], values);
    }
  }

  __device__ __forceinline__ void send(DigitPlace digits) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const unsigned from = i * kThreads + threadIdx.x;
      const Bits key = shared_.keys[from];
      const unsigned to = shared_.begins[digits.of(key)] + from;
      *of_block(&shared_.received_keys[to % kTileItems], to / kTileItems) = key;
      if constexpr (Few::kHasValues) {
        *of_block(&shared_.received_values[to % kTileItems], to / kTileItems) = shared_.values[from];
      }
    }
  }
  __device__ __forceinline__ void store(DigitPlace digits) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const unsigned from = i * kThreads + threadIdx.x;
      const Bits key = shared_.keys[from];
      const unsigned to = shared_.begins[digits.of(key)] + from;
      if (to < count_) {
        few_.keys_out[to] = Few::Order::decode(key);
        if constexpr (Few::kHasValues) {
          few_.values_out[to] = shared_.values[from];
        }
      }
    }
  }

  // Stores the sorted array of a single block.
  __device__ __forceinline__ void store_received() {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const unsigned from = i * kThreads + threadIdx.x;
      if (from < count_) {
        few_.keys_out[from] = Few::Order::decode(shared_.received_keys[from]);
        if constexpr (Few::kHasValues) {
          few_.values_out[from] = shared_.received_values[from];
        }
      }
    }
  }

  const Few &few_;
  Shared &shared_;
  const int warp_;
  const unsigned count_;
  Bits keys_[kItems];
  Value values_[kItems];
  unsigned ranks_[kItems];
};

// The launch is one cluster.
template <class Few, class Geometry>
__global__ void __launch_bounds__(Geometry::kThreads, 1) sort_few_kernel(const __grid_constant__ Few few) {
  extern __shared__ __align__(16) unsigned char sort_few_bytes[];
  SortFewTile<Few, Geometry>(few, *reinterpret_cast<typename Geometry::Shared *>(sort_few_bytes)).sort();
}

}  // namespace upsweep::cuda::detail
