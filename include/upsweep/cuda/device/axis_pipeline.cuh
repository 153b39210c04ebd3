// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared memory of a scan along an axis, and the tiles of its blocks. The roles are as in pipeline_stages.cuh, but a tile
// has a total for each column. Lanes' totals are added to each other only if rows are short.
#pragma once

#include <upsweep/cuda/device/axis_problem.cuh>
#include <upsweep/cuda/device/pipeline_stages.cuh>
#include <upsweep/cuda/device/tile_word.cuh>
#include <upsweep/cuda/device/tuning_axis.cuh>

namespace upsweep::cuda::detail {

template <std::size_t kElementBytes>
inline constexpr int axis_warps = kElementBytes == 1 ? TunedAxis::kWarpsOfBytes : TunedAxis::kWarps;

// A block's place among the call's active blocks.
struct AxisPlace {
  std::uint32_t ticket;
  std::uint32_t members;  // blocks that share a strip, and take its chunks round robin
  std::uint32_t groups;   // of `members` blocks each

  // The place of a block among `present` blocks, if `members` were to share a strip.
  __device__ __forceinline__ AxisPlace(std::uint32_t block, std::uint32_t most_members, std::uint32_t present)
      : ticket(block), members(min(most_members, present)), groups(present / members) {}
  AxisPlace() = default;

  __device__ __forceinline__ std::uint32_t blocks() const { return members * groups; }
  __device__ __forceinline__ bool is_in() const { return ticket < blocks(); }
};

// kColumns  columns of a lane
// kBulk     the copy engine loads the tiles; it stores them, too, if results are as large as elements
template <class Problem, int kColumns_, bool kBulk_>
struct AxisGeometry {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Totals = Pack<typename Problem::T, kColumns_>;

  static constexpr int kColumns = kColumns_;
  static constexpr bool kBulkIn = kBulk_;
  static constexpr bool kBulkOut = kBulk_ && sizeof(In) == sizeof(Out);
  static constexpr int kWarps = axis_warps<sizeof(In)>;  // that reduce, and as many that scan
  static constexpr int kLoaders = kBulk_ ? 1 : TunedAxis::kElementLoaders;
  static constexpr int kLoadArrivals = kBulk_ ? static_cast<int>(kWarpArrivals) : 32 * kLoaders;
  static constexpr int kLoader = 2 * kWarps;
  static constexpr int kPublisher = kLoader + kLoaders;
  static constexpr int kReaders = TunedAxis::kReaders;
  static constexpr int kReader = kPublisher + 1;
  static constexpr int kLookBack = kReader + kReaders;
  static constexpr int kThreads = 32 * (kLookBack + 1);

  struct Stage {
    Barrier full, reduced, published, read, seeded, empty;
    Totals prefix[32];                // of all rows before the tile, since the last head
    Totals total[32];                 // of the tile, since its last head
    Totals in_group[32];              // of the tiles of its group before it, since the last head
    Totals groups[32];                // of the groups since the block's last tile, or the last head
    Totals before_warp[kWarps * 32];  // the total of a warp, later of all warps of the tile before it
    Totals before_lane[kWarps * 32];  // of the warp's rows before the lane's
  };
  struct Header {
    std::uint32_t call;
    AxisPlace place;
    bool is_last_block;
  };

  __host__ __device__ static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 127) / 128 * 128; }
  static constexpr std::size_t kHeaderBytes = aligned(sizeof(Header));
  __host__ __device__ static constexpr std::size_t stage_bytes(std::size_t tile_bytes) {
    return aligned(sizeof(Stage)) + tile_bytes;
  }
  static constexpr int kMostStages = TunedAxis::kMostStages;
};

template <class Geometry>
struct AxisStorage {
  unsigned char *base;
  std::uint32_t stage_bytes;

  __device__ __forceinline__ typename Geometry::Header &header() const {
    return *reinterpret_cast<typename Geometry::Header *>(base);
  }
  __device__ __forceinline__ typename Geometry::Stage &stage(int stage) const {
    return *reinterpret_cast<typename Geometry::Stage *>(base + Geometry::kHeaderBytes + stage * stage_bytes);
  }
  __device__ __forceinline__ unsigned char *tile(int stage) const {
    return base + Geometry::kHeaderBytes + Geometry::aligned(sizeof(typename Geometry::Stage)) + stage * stage_bytes;
  }
};

// Iterates over a block's tiles: every `members`-th chunk of each of its strips.
template <class Problem, class Geometry>
class AxisTiles {
public:
  __device__ __forceinline__ AxisTiles(const Problem &problem, const AxisPlace &place)
      : problem_(problem), members_(place.members), strip_(place.ticket / place.members), member_(place.ticket % place.members),
        chunk_(member_), groups_(place.groups), tile_rows_(problem.cut.tile_rows) {}

  __device__ __forceinline__ bool is_any() const { return strip_ < problem_.cut.strips; }
  __device__ __forceinline__ void advance() {
    chunk_ += members_;
    if (chunk_ >= problem_.cut.chunks) {
      chunk_ = member_;
      strip_ += groups_;
    }
  }

  // No block has more tiles.
  __device__ __forceinline__ std::uint64_t most_of_a_block() const {
    return (problem_.cut.strips + groups_ - 1) / groups_ * ((problem_.cut.chunks + members_ - 1) / members_);
  }

  __device__ __forceinline__ std::uint32_t members() const { return members_; }
  __device__ __forceinline__ std::uint32_t blocks() const { return members_ * static_cast<std::uint32_t>(groups_); }
  __device__ __forceinline__ std::uint64_t chunk() const { return chunk_; }
  __device__ __forceinline__ std::uint64_t tile_rows() const { return tile_rows_; }
  __device__ __forceinline__ std::uint64_t first_row() const { return chunk_ * tile_rows_; }
  __device__ __forceinline__ int valid_rows() const {
    const std::uint64_t left = problem_.rows - first_row();
    return static_cast<int>(left < tile_rows_ ? left : tile_rows_);
  }
  // Columns, in elements.
  __device__ __forceinline__ int pitch() const { return problem_.cut.across * Geometry::kColumns; }
  __device__ __forceinline__ std::uint64_t first_column() const { return strip_ * pitch(); }
  __device__ __forceinline__ int valid_columns() const {
    const std::uint64_t left = problem_.inner - first_column();
    return left < static_cast<std::uint64_t>(pitch()) ? static_cast<int>(left) : pitch();
  }
  // The place of a row in its tile: in the order of the scan, or in memory's order in tiles that the copy engine loads.
  __device__ __forceinline__ int place_of_row(int row) const {
    if constexpr (Problem::kBackward && Geometry::kBulkIn) {
      return (problem_.cut.is_dense ? valid_rows() : static_cast<int>(tile_rows_)) - 1 - row;
    } else {
      return row;
    }
  }
  // The first of memory's rows that are rows [begin, end) of the tile; below 0 in an incomplete box.
  __device__ __forceinline__ std::int64_t memory_row(int begin, int end) const {
    const std::uint64_t row = Problem::kBackward ? problem_.rows - first_row() - end : first_row() + begin;
    return static_cast<std::int64_t>(row);
  }
  __device__ __forceinline__ TileWord<typename Geometry::Totals> *words_of_chunk(std::uint64_t chunk) const {
    return static_cast<TileWord<typename Geometry::Totals> *>(problem_.words) +
           (strip_ * (problem_.cut.chunks + problem_.cut.groups()) + chunk) * problem_.cut.across;
  }
  __device__ __forceinline__ TileWord<typename Geometry::Totals> *words_of_group(std::uint64_t group) const {
    return words_of_chunk(problem_.group_chunks == 1 ? group : problem_.cut.chunks + group);
  }

private:
  const Problem &problem_;
  std::uint32_t members_;
  std::uint64_t strip_, member_, chunk_, groups_, tile_rows_;
};

// The rows of one lane: `rank` is the lane's place among the rows that its warp has side by side.
template <class Problem, class Geometry>
struct AxisLane {
  int pack, rank;
  bool is_in;  // the strip has such columns
  int begin, end;

  __device__ __forceinline__ AxisLane(const Problem &problem, const AxisTiles<Problem, Geometry> &tiles, int warp)
      : pack(lane_id() % problem.cut.across), rank(lane_id() / problem.cut.across),
        is_in(rank < problem.cut.ranks && pack * Geometry::kColumns < tiles.valid_columns()) {
    const int valid = tiles.valid_rows();
    begin = min((warp * problem.cut.ranks + rank) * problem.cut.lane_rows, valid);
    end = is_in ? min(begin + problem.cut.lane_rows, valid) : begin;
  }
};

// The rows of a tile at which columns start anew.
class Heads {
public:
  template <class Problem>
  __device__ __forceinline__ Heads(const Problem &problem, std::uint64_t first_row) : length_(clipped(problem.length)) {
    const std::uint64_t past = problem.rows_after_head(first_row);
    first_ = past == 0 ? 0 : clipped(problem.length - past);
  }
  // The first head at or behind a row.
  __device__ __forceinline__ int not_before(int row) const {
    return row <= first_ ? first_ : first_ + (row - first_ + length_ - 1) / length_ * length_;
  }
  __device__ __forceinline__ int after(int head) const { return head + length_; }
  __device__ __forceinline__ bool is_any(int begin, int end) const { return not_before(begin) < end; }

private:
  // More rows than any tile has.
  __device__ __forceinline__ static int clipped(std::uint64_t rows) {
    return rows < (1 << 29) ? static_cast<int>(rows) : 1 << 29;
  }

  int length_, first_;
};

}  // namespace upsweep::cuda::detail
