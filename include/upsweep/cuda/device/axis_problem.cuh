// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan along an axis of an array, as the device sees it. The array is a matrix. Its rows are the places along the axis, batch
// after batch, with `inner` neighbouring elements each. Every column is scanned, and starts again after each `length` rows.
//
// The matrix is cut into strips of columns, as wide as a warp's lanes, and the strips into chunks of rows: tiles.
#pragma once

#include <upsweep/cuda/device/axis_shape.cuh>
#include <upsweep/cuda/device/call_state.cuh>
#include <upsweep/cuda/device/iterators.cuh>
#include <upsweep/cuda/device/segments.cuh>
#include <upsweep/cuda/device/tensor_map.cuh>
#include <upsweep/cuda/device/values.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace upsweep::cuda::detail {

// The neighbouring columns of a lane.
template <class T, int kColumns>
inline constexpr std::size_t pack_alignment = (sizeof(T) & (sizeof(T) - 1)) == 0 ? sizeof(T) * kColumns : alignof(T);
template <class T, int kColumns>
struct alignas(kColumns > 1 ? pack_alignment<T, kColumns> : alignof(T)) Pack {
  T elements[kColumns];
};

// A pack as it travels: in as few registers as it has words.
template <class T, int kColumns>
class PackedColumns {
  using Columns = Pack<T, kColumns>;
  static constexpr std::size_t kBytes = sizeof(Columns);
  using Words = std::conditional_t<kBytes == 16, uint4, std::conditional_t<kBytes == 8, uint2, unsigned>>;
  static constexpr bool kIsWords = kColumns > 1 && (kBytes == 16 || kBytes == 8 || kBytes == 4);
  using Whole = std::conditional_t<kIsWords, Words, Columns>;

public:
  __device__ __forceinline__ void load(const void *memory) { whole_ = *static_cast<const Whole *>(memory); }
  __device__ __forceinline__ void store(void *memory) const { *static_cast<Whole *>(memory) = whole_; }
  __device__ __forceinline__ Columns get() const {
    Columns columns;
    std::memcpy(&columns, &whole_, kBytes);
    return columns;
  }
  __device__ __forceinline__ void put(const Columns &columns) { std::memcpy(&whole_, &columns, kBytes); }

private:
  Whole whole_;
};

// Combines `more` with the total before it, if there is one, column by column.
template <int kColumns, class T, class Op>
__device__ __forceinline__ Pack<T, kColumns> combined_packs(bool has_before, const Pack<T, kColumns> &before,
                                                            const Pack<T, kColumns> &more, Op op) {
  Pack<T, kColumns> sum;
#pragma unroll
  for (int i = 0; i < kColumns; ++i) {
    sum.elements[i] = combined(has_before, before.elements[i], more.elements[i], op);
  }
  return sum;
}

// How an array is cut; see axis_launch.cuh.
struct AxisCut {
  std::uint64_t strips;
  std::uint64_t chunks;  // of each strip
  int across;            // packs of a strip
  int ranks;             // rows that lie side by side in a warp
  int lane_rows;         // rows of a lane in a tile
  int tile_rows;
  bool is_dense;  // a tile is contiguous in memory; otherwise it is a box

  // The most groups: of kGroupChunks chunks each, or of one.
  static constexpr int kGroupChunks = 16;
  __host__ __device__ std::uint64_t groups() const { return (chunks + kGroupChunks - 1) / kGroupChunks; }

  __host__ __device__ std::uint64_t warp_rows() const { return static_cast<std::uint64_t>(ranks) * lane_rows; }
};

// The matrices of a problem for the copy engine, with boxes of a tile and of a warp's part of a tile.
struct AxisMaps {
  CUtensorMap in, out;
};

template <class T_, class Input_, class Output_, class Op_, class TransformIn_, class TransformOut_, bool kInclusive_,
          bool kBackward_, bool kInitial_>
struct AxisProblem {
  using T = T_;
  using Input = Input_;
  using Output = Output_;
  using In = ElementOf<Input>;
  using Out = ResultOf<Output, T>;
  static constexpr bool kInclusive = kInclusive_;
  static constexpr bool kBackward = kBackward_;
  static constexpr bool kInitial = kInitial_;

  Input input;
  Output output;
  Op_ op;
  Later<T> initial;
  TransformIn_ transform_in;
  TransformOut_ transform_out;
  std::uint64_t rows, length, inner;
  axis_strides in_strides, out_strides;
  AxisCut cut;
  std::uint32_t members;       // blocks that share a strip, if all begin
  std::uint32_t group_chunks;  // tiles of a group: 1, or 16
  ScanState *state;
  void *words;  // for each strip, the totals of the columns of each tile, and of each group
  std::uint64_t words_bytes;

  // The begin of a row, in elements. Rows are numbered in the order of the scan.
  __device__ __forceinline__ std::uint64_t row_offset(std::uint64_t row, const axis_strides &strides) const {
    const std::uint64_t place = kBackward ? rows - 1 - row : row;
    if (strides.batch == length * strides.along) {
      return place * strides.along;
    }
    return place / length * strides.batch + place % length * strides.along;
  }
  __device__ __forceinline__ std::uint64_t group_of(std::uint64_t chunk) const {
    return group_chunks == 1 ? chunk : chunk / AxisCut::kGroupChunks;
  }
  // The number of rows from the last head to a row: a single division, of 32 bits if they suffice.
  __device__ __forceinline__ std::uint64_t rows_after_head(std::uint64_t row) const {
    if ((row | length) >> 32 == 0) {
      return static_cast<std::uint32_t>(row) % static_cast<std::uint32_t>(length);
    }
    return row % length;
  }
};

}  // namespace upsweep::cuda::detail
