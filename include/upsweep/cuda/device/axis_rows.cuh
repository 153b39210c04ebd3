// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data of the kernel for whole rows. The array is cut into tiles of whole rows: block b of B takes tiles b, b + B, b + 2
// B and so on, one in each wave of tiles. Where there are many batches, a tile is a batch, and blocks wait for no other; else
// they are clusters that exchange the totals of their tiles (axis_rows_exchange.cuh). A tile comes to the block's shared memory
// in stages of a few rows.
//
// Rows are close if input and output are arrays without gaps and have the same offset from a 16-byte boundary. A stage's rows
// are then one piece of memory, and results replace their elements. Other rows are loose. Loose rows with gaps are separate
// pieces of memory. They may be cut into strips of columns, each of which counts as a batch. They may need separate places for
// results. Rows of bytes and shorts that do not fill whole words are loose too.
#pragma once

#include <upsweep/cuda/device/axis_problem.cuh>
#include <upsweep/cuda/device/pipeline_stages.cuh>
#include <upsweep/cuda/device/tile_word.cuh>
#include <upsweep/cuda/device/tuning_axis_rows.cuh>

namespace upsweep::cuda::detail {

// The cut of the array; see axis_rows_launch.cuh. A pack is the part of a row that a thread loads as a unit.
struct RowsCut {
  std::uint64_t tiles;
  std::uint64_t chunks;     // tiles of a batch
  std::uint64_t tile_rows;  // stages of them
  int across;               // packs of a row
  int ranks;                // of threads side by side, each with its own rows
  int rank_rows;            // rows of a rank in a stage
  int stages;               // that a block has room for
  int loads_ahead;          // stages that are loaded concurrently
  int slice;                // packs whose totals one block of a cluster adds up
  std::uint64_t extent;     // of the input, in elements

  // Used by loose rows.
  std::uint64_t strips;     // of a batch
  int columns;              // of a strip
  int in_pitch, out_pitch;  // bytes from row to row in a stage, as they are loaded and as they are stored
  int result_stages;        // with room for results; 0: results replace the elements

  __host__ __device__ int stage_rows() const { return ranks * rank_rows; }
};

// Blocks that exchange totals are clusters of kClusterBlocks, each of which adds up the totals of a slice of the columns; there
// are words for kMostClusters clusters.
inline constexpr int kClusterBlocks = 8;
inline constexpr int kMostClusters = 16;
// The most waves with totals in flight, and the waves whose words are kept. A cluster that publishes knows the totals before
// its tiles of kMostSlots waves ago. So the other clusters have published their totals of the wave before that one, and have
// read all words that are older by kMostSlots + 2 waves.
inline constexpr int kMostSlots = 3;
inline constexpr int kWordWaves = 2 * kMostSlots + 2;

// kColumns   columns of a pack
// kAcross    packs of a thread in a row; if several, there is one rank
// kExchange  batches are cut into tiles
// kLoose     rows are loose
template <class Problem, int kColumns_, int kAcross_, bool kExchange_, bool kLoose_>
struct RowsGeometry {
  using In = typename Problem::In;
  using Out = typename Problem::Out;
  using Totals = Pack<typename Problem::T, kColumns_>;
  static constexpr int kColumns = kColumns_;
  static constexpr int kAcross = kAcross_;
  static constexpr bool kExchange = kExchange_;
  static constexpr bool kLoose = kLoose_;
  static constexpr bool kMayRank = kAcross == 1;
  static constexpr bool kReduces = kMayRank || kExchange;
  static constexpr int kPackBytes = kColumns * static_cast<int>(sizeof(In));

  // Rows that a thread reads before it processes the first one: the compiler must assume that its result overwrites the others.
  // Packs that are taken apart need several registers each.
  static constexpr bool kTakesApart = kExchange && kLoose && kColumns > 1;
  static constexpr int kRowsAtOnce = kTakesApart ? 4 : kAcross == 1 ? 8 : (sizeof(Totals) <= 4 ? 16 : 8) / kAcross;

  static constexpr int kWarps = 8;  // that scan, and as many that reduce
  static constexpr int kRoleThreads = 32 * kWarps;
  // Groups of warps that alternate in the exchange of waves' totals, with a thread for each pack of a slice. A group must not
  // wait for a wave until the wave that had its slot before has arrived.
  static constexpr int kGroupWarps = kAcross * kRoleThreads / kClusterBlocks / 32;
  static constexpr int kGroups = kAcross == 1 ? 3 : 1;
  static constexpr int kSlots = kAcross == 1 ? kMostSlots : 2;
  static_assert(kGroups <= kSlots && kSlots <= kMostSlots);
  static constexpr int kExchangeWarps = kGroups * kGroupWarps;
  static constexpr int kReducer = kWarps;
  static constexpr int kExchanger = kReduces ? 2 * kWarps : kWarps;
  static constexpr int kLoader = kExchanger + (kExchange ? kExchangeWarps : 0);
  // Warps that load; as many store. Packs that are taken apart leave registers for fewer warps.
  static constexpr int kCopiers = !kLoose || kExchange ? 1 : kColumns == 1 ? 4 : kAcross == 1 ? 2 : 1;
  static constexpr int kStorer = kLoader + kCopiers;
  static constexpr int kThreads = 32 * (kStorer + kCopiers);
  static constexpr int kMostStages = TunedAxisRows::kRowsMostStages;

  struct Barriers {
    Barrier full, reduced, scanned, empty;
  };
  struct Exchange {
    std::uint32_t call;
    std::uint32_t place;      // of the block's cluster, in the order in which clusters began
    std::uint32_t clusters;   // that exchange totals
    Barrier arrived[kSlots];  // the totals of the cluster's blocks, in the block's slice
    Barrier told[kSlots];     // the totals before the block's tile
    Barrier seeded[kSlots];   // that has been read
    Barrier handed[kGroups];  // the totals of all waves so far are there for the next group
  };

  // The copy engine is faster with whole cache lines. So rows in a stage have the same offset from a line as in memory.
  static constexpr int kLineBytes = 128;
  __host__ __device__ static constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
  }
  static constexpr std::size_t kExchangeBytes = kExchange ? aligned(sizeof(Exchange)) : 0;
  static constexpr std::size_t kBarrierBytes = kExchangeBytes + aligned(kMostStages * sizeof(Barriers));
  // The totals of an exchange. Each wave has the totals that arrive for the block's slice, and the totals of all columns that
  // the block sends and receives. Each group has the slice's totals. racecheck does not follow copies by other blocks, so with
  // racecheck received totals have a separate place.
  static constexpr int kTileTotals = kWarpArrivals > 1 ? 2 : 1;
  __host__ __device__ static int padded_across(const RowsCut &cut) { return kClusterBlocks * cut.slice; }
  __host__ __device__ static std::size_t header_bytes(const RowsCut &cut) {
    const std::size_t totals = static_cast<std::size_t>((1 + kTileTotals) * kSlots * kClusterBlocks + kGroups) * cut.slice;
    return kBarrierBytes + (kExchange ? aligned(totals * sizeof(Totals)) : 0);
  }
  // With ranks, the totals of each follow the rows of a stage.
  __host__ __device__ static std::size_t stage_bytes(const RowsCut &cut) {
    return rows_bytes(cut, kLoose ? cut.in_pitch : cut.across * kPackBytes) +
           (cut.ranks > 1 ? aligned(kRoleThreads * sizeof(Totals)) : 0);
  }
  __host__ __device__ static std::size_t results_bytes(const RowsCut &cut) { return rows_bytes(cut, cut.out_pitch); }

private:
  __host__ __device__ static std::size_t rows_bytes(const RowsCut &cut, int pitch) {
    return aligned(static_cast<std::size_t>(cut.stage_rows()) * pitch) + kLineBytes;
  }
};

// The layout of a block's shared memory.
template <class Geometry>
struct RowsStorage {
  using Totals = typename Geometry::Totals;

  unsigned char *base;
  unsigned header_bytes, stage_bytes;

  __device__ __forceinline__ RowsStorage(unsigned char *shared, const RowsCut &cut)
      : base(shared), header_bytes(static_cast<unsigned>(Geometry::header_bytes(cut))),
        stage_bytes(static_cast<unsigned>(Geometry::stage_bytes(cut))) {}

  __device__ __forceinline__ typename Geometry::Exchange &exchange() const {
    return *reinterpret_cast<typename Geometry::Exchange *>(base);
  }
  __device__ __forceinline__ typename Geometry::Barriers &barriers(int stage) const {
    return reinterpret_cast<typename Geometry::Barriers *>(base + Geometry::kExchangeBytes)[stage];
  }
  // The block's tiles are first_tile() and every tile_step()-th tile behind it.
  __device__ __forceinline__ std::uint32_t first_tile() const {
    return Geometry::kExchange ? exchange().place * kClusterBlocks + blockIdx.x % kClusterBlocks : blockIdx.x;
  }
  __device__ __forceinline__ std::uint32_t tile_step() const {
    return Geometry::kExchange ? exchange().clusters * kClusterBlocks : gridDim.x;
  }
  // The totals of a block of the cluster in this block's slice.
  __device__ __forceinline__ Totals *slice_totals(const RowsCut &cut, int slot, int block) const {
    return totals() + (slot * kClusterBlocks + block) * cut.slice;
  }
  // The totals of the block's tile in all columns, and the totals before it, which may replace them.
  __device__ __forceinline__ Totals *tile_totals(const RowsCut &cut, int slot) const {
    return totals() + (Geometry::kSlots + slot) * Geometry::padded_across(cut);
  }
  __device__ __forceinline__ Totals *before_tile(const RowsCut &cut, int slot) const {
    return totals() + (Geometry::kTileTotals * Geometry::kSlots + slot) * Geometry::padded_across(cut);
  }
  // The totals of all tiles so far in the slice, which a group hands to the next.
  __device__ __forceinline__ Totals *known_totals(const RowsCut &cut, int group) const {
    return totals() + (1 + Geometry::kTileTotals) * Geometry::kSlots * Geometry::padded_across(cut) + group * cut.slice;
  }
  // The rows of a stage from `input` in memory, whose results go to `output`. They have the same offset from a cache line as
  // the results that are stored from there.
  __device__ __forceinline__ unsigned char *rows(const RowsCut &cut, int stage, const void *input, const void *output) const {
    return begin_of(stage) + past_line(Geometry::kLoose && cut.result_stages > 0 ? input : output);
  }
  // The rows' results, if results have separate places and this is such a place.
  __device__ __forceinline__ unsigned char *results(const RowsCut &cut, int place, const void *output) const {
    return begin_of(cut.stages) + place * static_cast<unsigned>(Geometry::results_bytes(cut)) + past_line(output);
  }
  __device__ __forceinline__ Totals *rank_totals(int stage) const {
    return reinterpret_cast<Totals *>(begin_of(stage + 1) - Geometry::aligned(Geometry::kRoleThreads * sizeof(Totals)));
  }

private:
  __device__ __forceinline__ static unsigned past_line(const void *global) {
    return reinterpret_cast<std::uintptr_t>(global) % Geometry::kLineBytes;
  }
  __device__ __forceinline__ unsigned char *begin_of(int stage) const { return base + header_bytes + stage * stage_bytes; }
  __device__ __forceinline__ Totals *totals() const { return reinterpret_cast<Totals *>(base + Geometry::kBarrierBytes); }
};

// The rows of one stage.
struct StageRows {
  std::uint64_t from, to;  // where they begin in the arrays, in elements
  int count;
  int columns;             // of loose rows
  bool is_first, is_last;  // of their tile
  bool is_head;            // the first rows of their batch
  std::uint32_t wave;
};

// Calls visit(stage rows) for all stages of the block's tiles.
template <class Geometry, class Problem, class Visit>
__device__ __forceinline__ void for_stages(const Problem &problem, const RowsCut &cut, const RowsStorage<Geometry> &storage,
                                           const Visit &visit) {
  const auto most = static_cast<std::uint64_t>(cut.stage_rows());
  std::uint32_t wave = 0;
  const std::uint32_t step = storage.tile_step();
  for (std::uint64_t tile = storage.first_tile(); tile < cut.tiles; tile += step, ++wave) {
    // Without an exchange, a tile is a whole batch. An exchange has fewer than 2^32 tiles, which avoids a slow 64-bit division.
    std::uint64_t batch = tile;
    std::uint64_t first = 0;
    if constexpr (Geometry::kExchange) {
      const auto chunks = static_cast<std::uint32_t>(cut.chunks);
      batch = static_cast<std::uint32_t>(tile) / chunks;
      first = static_cast<std::uint32_t>(tile) % chunks * cut.tile_rows;
    }
    const std::uint64_t end = first + cut.tile_rows < problem.length ? first + cut.tile_rows : problem.length;
    std::uint64_t column = 0;
    if (Geometry::kLoose && cut.strips > 1) {
      column = batch % cut.strips * cut.columns;
      batch /= cut.strips;
    }
    const std::uint64_t columns_left = problem.inner - column;
    for (std::uint64_t row = first; row < end; row += most) {
      const std::uint64_t count = end - row < most ? end - row : most;
      const std::uint64_t lowest = Problem::kBackward ? problem.length - row - count : row;
      StageRows stage;
      if constexpr (Geometry::kLoose) {
        stage.from = batch * problem.in_strides.batch + lowest * problem.in_strides.along + column;
        stage.to = batch * problem.out_strides.batch + lowest * problem.out_strides.along + column;
        stage.columns = columns_left < static_cast<std::uint64_t>(cut.columns) ? static_cast<int>(columns_left) : cut.columns;
      } else {
        stage.from = stage.to = (batch * problem.length + lowest) * problem.inner;
      }
      stage.count = static_cast<int>(count);
      stage.is_first = row == first;
      stage.is_last = row + count == end;
      stage.is_head = row == 0;
      stage.wave = wave;
      visit(stage);
    }
  }
}

// The most stages that a block counts to keep pace with other blocks (axis_pace.cuh). It is 0 for long batches, since these are
// far apart anyway.
__device__ __forceinline__ std::uint64_t most_paced_stages(const RowsCut &cut) {
  const std::uint64_t of_tile = (cut.tile_rows + cut.stage_rows() - 1) / cut.stage_rows();
  return of_tile <= TunedAxisRows::kMostPacedStages ? (cut.tiles + gridDim.x - 1) / gridDim.x * of_tile : 0;
}

// A thread's part of each row: packs of one or several columns, or none; and its rows of a stage.
template <class Geometry>
struct RowsLane {
  int rank, rank_rows, across;
  int packs[Geometry::kAcross];

  __device__ __forceinline__ RowsLane(const RowsCut &cut, int thread)
      : rank(Geometry::kMayRank ? thread / cut.across : 0), rank_rows(cut.rank_rows), across(cut.across) {
#pragma unroll
    for (int j = 0; j < Geometry::kAcross; ++j) {
      packs[j] = Geometry::kMayRank ? thread % cut.across : thread + j * Geometry::kRoleThreads;
    }
    if (rank >= cut.ranks) {
      packs[0] = cut.across;
    }
  }
  __device__ __forceinline__ bool is_in(int j) const { return packs[j] < across; }
  __device__ __forceinline__ int begin_of(int of_rank, int rows) const { return min(of_rank * rank_rows, rows); }
};

// The totals of clusters' tiles, for the other clusters.
template <class Geometry>
struct RowsWords {
  using Word = TileWord<typename Geometry::Totals>;

  Word *words;
  int across, clusters;

  __device__ __forceinline__ RowsWords(void *memory, const RowsCut &cut, std::uint32_t number)
      : words(static_cast<Word *>(memory)), across(cut.across), clusters(static_cast<int>(number)) {}

  __device__ __forceinline__ Word &total(std::uint32_t wave, int cluster, int pack) const {
    return words[(static_cast<int>(wave % kWordWaves) * clusters + cluster) * across + pack];
  }
};

// The tag of a wave.
__device__ __forceinline__ std::uint32_t tag_of_wave(std::uint32_t call, std::uint32_t wave) { return call + 1 + wave; }

}  // namespace upsweep::cuda::detail
