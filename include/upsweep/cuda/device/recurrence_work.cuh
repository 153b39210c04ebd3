// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linear recurrence's work in the pipeline: the reducers compose the maps of slices, the scanners run the recurrence over
// their slices from the state before them. Tiles have two parts, of coefficients and of inputs.
#pragma once

#include <upsweep/cuda/device/pipeline_kernel.cuh>
#include <upsweep/cuda/device/pipeline_store.cuh>
#include <upsweep/cuda/device/recurrence_problem.cuh>
#include <upsweep/cuda/device/slice.cuh>

namespace upsweep::cuda::detail {

// As ScanGeometry.
template <class Problem, int kWarps_, int kVectors, bool kBulk_>
struct RecurrenceGeometry : PipelineRoles<kWarps_, kBulk_> {
  using Roles = PipelineRoles<kWarps_, kBulk_>;
  using Roles::aligned;
  using In = typename Problem::In;
  using B = typename Problem::B;
  using Out = typename Problem::Out;
  using Element = typename Problem::Element;

  static constexpr bool kBulkOut = kBulk_;
  static constexpr bool kMayLead = false;
  static constexpr bool kMayMove = false;
  static constexpr bool kListed = false;
  static constexpr bool kMarked = false;
  static constexpr int kWarps = kWarps_;
  static constexpr int kItems = items_for(sizeof(In), sizeof(Out), kVectors);
  static constexpr int kWarpItems = 32 * kItems;
  static constexpr int kTileItems = kWarps * kWarpItems;
  static constexpr int kWarpOutBytes = kWarpItems * static_cast<int>(sizeof(Out));
  static constexpr bool kInPlace = sizeof(In) == sizeof(Out);
  static constexpr int kSlices = 32 * kWarps;

  struct Stage {
    Barrier assigned, full, reduced, published, seeded, empty;
    std::int64_t tile;
    typename Problem::Prefix prefix;
    Element before_warp[kWarps];
    Element before_lane[kSlices];
  };
  struct Header {
    Barrier knows_call;
    std::uint32_t call;
    bool is_last_block;
  };

  static constexpr std::size_t kHeaderBytes = aligned(sizeof(Header));
  static constexpr std::size_t kResultBytes = kInPlace ? 0 : 2 * kWarps * kWarpOutBytes;
  static constexpr std::size_t kPartBytes = aligned(kTileItems * sizeof(In));
  static constexpr std::size_t kStageBytes = kPartBytes + aligned(kTileItems * sizeof(B)) + aligned(sizeof(Stage));
  // For ScanStorage: the second part takes the place of a scan's marks.
  static constexpr int kTileBytes = static_cast<int>(kPartBytes);
  static constexpr int kBytesBeforeTile = 0;
  static constexpr int kMarkBytes = kTileItems * static_cast<int>(sizeof(B));

  __host__ __device__ static constexpr std::size_t shared_bytes(int stages) {
    return kHeaderBytes + kResultBytes + stages * kStageBytes;
  }
};

// The places of a tile that hold elements.
struct TilePlaces {
  int low, high;

  template <class Problem, class Geometry>
  __device__ __forceinline__ TilePlaces(const Tiling<Problem, Geometry> &tiling, std::int64_t tile) {
    const int valid = tiling.valid(tile);
    low = Problem::kBackward ? Geometry::kTileItems - valid : 0;
    high = low + valid;
  }
};

// Loads a part of a tile by a warp: whole vectors by the copy engine, and other elements one at a time. Returns the bytes of
// the whole vectors.
template <class T>
__device__ __forceinline__ unsigned load_part(const T *from, T *to, const TilePlaces &places, Barrier &barrier) {
  const unsigned bytes = static_cast<unsigned>((places.high - places.low) * sizeof(T)) / 16 * 16;
  if (lane_id() == 0 && bytes > 0) {
    bulk_load(to + places.low, from + places.low, bytes, barrier);
  }
  copy_few_elements(from, to, places.low + static_cast<int>(bytes / sizeof(T)), places.high);
  return bytes;
}

// The loaders of pipeline_kernel.cuh for tiles of two parts, as overloads.
template <class T, class A, class B, class Out, bool kBackward, bool kRows, class Geometry>
__device__ __forceinline__ void load_in_bulk(const RecurrenceProblem<T, A, B, Out, kBackward, kRows> &problem,
                                             const Tiling<RecurrenceProblem<T, A, B, Out, kBackward, kRows>, Geometry> &tiling,
                                             ScanStorage<Geometry> storage, int stages,
                                             TileDrawer<RecurrenceProblem<T, A, B, Out, kBackward, kRows>, Geometry> drawer) {
  draw_by_warp(storage, stages, tiling.tiles, drawer, [&](int stage, unsigned tile) {
    auto &full = storage.stage(stage).full;
    const TilePlaces places(tiling, tile);
    const std::int64_t first = tiling.first(tile);
    // The barrier cannot be passed before the arrival below, even if the bytes arrive before they are expected.
    unsigned bytes = load_part(problem.input + first, reinterpret_cast<A *>(storage.tile(stage)), places, full);
    bytes += load_part(problem.b + first, reinterpret_cast<B *>(storage.marks(stage)), places, full);
    __syncwarp();
    if (lane_id() == 0) {
      full.arrive_and_expect(bytes);
    }
    arrive_beside_first_lane(full);
  });
}

template <class T, class A, class B, class Out, bool kBackward, bool kRows, class Geometry>
__device__ __forceinline__ void
load_by_element(const RecurrenceProblem<T, A, B, Out, kBackward, kRows> &problem,
                const Tiling<RecurrenceProblem<T, A, B, Out, kBackward, kRows>, Geometry> &tiling,
                ScanStorage<Geometry> storage, int stages,
                TileDrawer<RecurrenceProblem<T, A, B, Out, kBackward, kRows>, Geometry> drawer, int loader) {
  draw_by_warps(storage, stages, tiling.tiles, drawer, loader, [&](int stage, std::int64_t tile) {
    const TilePlaces places(tiling, tile);
    const std::int64_t first = tiling.first(tile);
    const auto load = [&](const auto *from, auto *to) {
      load_all_elements<Geometry::kLoaders>(from + first, to, Geometry::kTileItems, loader, places.low, places.high);
    };
    load(problem.input, reinterpret_cast<A *>(storage.tile(stage)));
    load(problem.b, reinterpret_cast<B *>(storage.marks(stage)));
  });
}

// A thread's slice of a tile, in the order of the scan. A slice has the begin of one row at most.
template <class Problem, class Geometry>
class RecurrenceSlice {
  using T = typename Problem::T;
  using Element = typename Problem::Element;
  using Arithmetic = recurrence_arithmetic<T>;

public:
  __device__ __forceinline__ RecurrenceSlice(const Problem &problem, ScanStorage<Geometry> storage, int stage,
                                             std::int64_t tile, int rank)
      : problem_(problem) {
    const int place = Problem::kBackward ? Geometry::kSlices - 1 - rank : rank;
    a_.load(storage.tile(stage) + place * decltype(a_)::kBytes);
    b_.load(storage.marks(stage) + place * decltype(b_)::kBytes);
    if constexpr (Problem::kRows) {
      find_row(static_cast<std::uint64_t>(tile) * Geometry::kTileItems + rank * Geometry::kItems);
    }
  }

  __device__ __forceinline__ Element total() const {
    Element total{};
    total.a = a(0);
    total.b = Arithmetic::multiply_add(a(0), head_ == 0 ? initial_ : T{}, b(0));
#pragma unroll
    for (int i = 1; i < Geometry::kItems; ++i) {
      total.b = Arithmetic::multiply_add(a(i), Problem::kRows && i == head_ ? initial_ : total.b, b(i));
      total.a = Arithmetic::multiply(a(i), total.a);
    }
    if constexpr (Problem::kRows) {
      total.has_head = head_ < Geometry::kItems ? 1 : 0;
    }
    return total;
  }

  // `last` is the array's last element, or none. States behind the last elements of rows, or of the array, are stored.
  template <class Results>
  __device__ __forceinline__ void run(T x, Results &results, int last) const {
    const int end = Problem::kRows ? head_ - 1 : last;
    T at_end{};
#pragma unroll
    for (int i = 0; i < Geometry::kItems; ++i) {
      x = Arithmetic::multiply_add(a(i), Problem::kRows && i == head_ ? initial_ : x, b(i));
      results.put(index(i), element_of<typename Problem::Out>(x));
      if (i == end) {
        at_end = x;
      }
    }
    if (problem_.lasts != nullptr && end >= 0 && end < Geometry::kItems && end <= last) {
      problem_.lasts[Problem::kRows ? problem_.place_of_row(row_ - 1) : 0] = at_end;
    }
  }

private:
  __device__ __forceinline__ static constexpr int index(int i) { return Problem::kBackward ? Geometry::kItems - 1 - i : i; }
  __device__ __forceinline__ T a(int i) const { return number_of<T>(a_.get(index(i))); }
  __device__ __forceinline__ T b(int i) const { return number_of<T>(b_.get(index(i))); }

  // A single division, of 32 bits if they suffice.
  __device__ __forceinline__ void find_row(std::uint64_t begin) {
    const std::uint64_t length = problem_.length;
    const bool is_short = (begin | length) >> 32 == 0;
    row_ = is_short ? static_cast<std::uint32_t>(begin) / static_cast<std::uint32_t>(length) : begin / length;
    const std::uint64_t past = begin - row_ * length;
    row_ += past == 0 ? 0 : 1;
    const std::uint64_t left = past == 0 ? 0 : length - past;
    head_ = left <= Geometry::kItems ? static_cast<int>(left) : Geometry::kItems + 1;
    // Places behind the last row hold no elements.
    if (head_ < Geometry::kItems && problem_.initials != nullptr && row_ * length < problem_.count.value) {
      initial_ = problem_.initials[problem_.place_of_row(row_)];
    }
  }

  const Problem &problem_;
  Slice<typename Problem::In, Geometry::kItems> a_;
  Slice<typename Problem::B, Geometry::kItems> b_;
  int head_ = Geometry::kItems + 1;  // the element that begins a row, possibly the first one behind the slice
  std::uint64_t row_ = 0;            // of the head
  T initial_{};
};

// Rows of a tile that need an earlier tile begin in one of the last tiles before it; each lane of a warp has one of these
// tiles.
template <class Geometry>
inline constexpr std::uint64_t most_short_row_items = 31ull * Geometry::kTileItems;

template <class T>
struct ComposeLongRows : ComposeSteps<T> {};

// The look-back of rows covers the tiles since the tile in which the first row begins. Their words are requested while the
// state before the previous tile is computed. Long rows take the look-back of whole arrays.
template <class T, class A, class B, class Out, bool kBackward, class Geometry>
class LookBackRole<RecurrenceProblem<T, A, B, Out, kBackward, true>, Geometry, ComposeSteps<T>> {
  using Problem = RecurrenceProblem<T, A, B, Out, kBackward, true>;
  using Element = typename Problem::Element;

  struct Batch {
    TileWord<Element> word;
    std::uint32_t tile;
    int count;  // the number of the last tiles before the tile, one for each lane
  };

public:
  __device__ __forceinline__ LookBackRole(const Problem &problem, ScanStorage<Geometry> storage, int stages, ComposeSteps<T> op)
      : problem_(problem), storage_(storage), stages_(stages), tag_(storage.header().call + 1), op_(op) {}

  __device__ __forceinline__ void run() {
    if (problem_.length > most_short_row_items<Geometry>) {
      LookBackRole<Problem, Geometry, ComposeLongRows<T>>(problem_, storage_, stages_, {}).run();
      return;
    }
    Batch batch, next;
    storage_.stage(0).full.wait(0);
    for (bool is_any = ask(batch); is_any;) {
      auto &stage = storage_.stage(place_.stage);
      const unsigned parity = place_.parity;
      place_.advance(stages_);
      auto &next_stage = storage_.stage(place_.stage);
      const bool is_next_here = next_stage.full.has_ended(place_.parity);
      if (is_next_here) {
        is_any = ask(next);
      }
      const typename Problem::Prefix prefix = finish(batch);
      if (lane_id() == 0) {
        stage.prefix = prefix;
        stage.published.wait(parity);
        stage.seeded.arrive();
      }
      __syncwarp();
      if (!is_next_here) {
        next_stage.full.wait(place_.parity);
        is_any = ask(next);
      }
      batch = next;
    }
  }

private:
  __device__ __forceinline__ const TileWord<Element> &word(const Batch &batch) const {
    return problem_.words[TileWords<1>::place(batch.tile - static_cast<std::uint32_t>(batch.count - lane_id()))];
  }

  // False if no tile comes.
  __device__ __forceinline__ bool ask(Batch &batch) const {
    const std::int64_t tile = storage_.stage(place_.stage).tile;
    if (tile == kNoTile) {
      return false;
    }
    batch.tile = static_cast<std::uint32_t>(tile);
    const std::uint64_t begin = static_cast<std::uint64_t>(tile) * Geometry::kTileItems;
    const std::uint64_t past = begin % problem_.length;
    batch.count = static_cast<int>(static_cast<std::uint64_t>(tile) - (begin - past) / Geometry::kTileItems);
    batch.word.mark(tag_);
    if (lane_id() < batch.count) {
      batch.word = word(batch).load();
    }
    return true;
  }

  __device__ __forceinline__ typename Problem::Prefix finish(Batch &batch) const {
    while (!__all_sync(kAllLanes, batch.word.is_of(tag_))) {
      if (lane_id() < batch.count) {
        batch.word = word(batch).load();
      }
    }
    Element total = batch.word.value();
    for (int distance = 1; distance < batch.count; distance *= 2) {
      const Element lower = shuffle_up(total, distance);
      if (lane_id() >= distance) {
        total = op_(lower, total);
      }
    }
    return shuffle_from(total, max(batch.count - 1, 0));
  }

  const Problem &problem_;
  ScanStorage<Geometry> storage_;
  int stages_;
  std::uint32_t tag_;
  ComposeSteps<T> op_;
  RingPlace place_;
};

template <class Problem, class Geometry>
struct RecurrenceWork {
  __device__ __forceinline__ static void partial(const Problem &problem, const Tiling<Problem, Geometry> &,
                                                 ScanStorage<Geometry> storage, int stages, int warp) {
    const int rank = warp * 32 + lane_id();
    for_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      const RecurrenceSlice<Problem, Geometry> slice(problem, storage, place.stage, stage.tile, rank);
      const auto total = warp_inclusive<32>(slice.total(), problem.op);
      stage.before_lane[rank] = shuffle_up(total, 1);
      if (lane_id() == 31) {
        stage.before_warp[warp] = total;
      }
      arrive_as_warp(stage.reduced);
    });
  }

  __device__ __forceinline__ static void finish(const Problem &problem, const Tiling<Problem, Geometry> &tiling,
                                                ScanStorage<Geometry> storage, int stages, int warp) {
    using Out = typename Problem::Out;
    const int rank = warp * 32 + lane_id();
    const int part = (Problem::kBackward ? Geometry::kWarps - 1 - warp : warp) * Geometry::kWarpItems;
    ResultPlaces<Geometry> result_places(storage, warp);
    for_seeded_tiles(storage, stages, [&](auto &stage, RingPlace place) {
      const std::int64_t tile = stage.tile;
      auto before = total_before_warp(problem, stage, warp);
      if (lane_id() > 0) {
        before = problem.op(before, stage.before_lane[rank]);
      }
      const RecurrenceSlice<Problem, Geometry> slice(problem, storage, place.stage, tile, rank);
      Slice<Out, Geometry::kItems> results;
      const int valid = tiling.valid(tile);
      const bool may_end = Problem::kRows || tile == tiling.tiles - 1;
      slice.run(before.x, results, may_end ? valid - 1 - rank * Geometry::kItems : -1);

      unsigned char *const part_bytes = result_places.next(place.stage, part);
      const int slice_of_part = Problem::kBackward ? 31 - lane_id() : lane_id();
      results.store(part_bytes + slice_of_part * decltype(results)::kBytes);
      fence_before_bulk_store();
      __syncwarp();
      const TilePlaces places(tiling, tile);
      const int low = max(places.low - part, 0), high = min(places.high - part, Geometry::kWarpItems);
      if (low < high) {
        store_results<Geometry>(problem.output + (tiling.first(tile) + part), part_bytes, low, low, high);
      }
      result_places.release(place.stage);
    });
    result_places.finish();
  }

  // Called by one thread for an empty array.
  __device__ __forceinline__ static void finish_none(const Problem &problem) {
    if (problem.lasts != nullptr) {
      *problem.lasts = problem.initial.get().x;
    }
  }
};

}  // namespace upsweep::cuda::detail
