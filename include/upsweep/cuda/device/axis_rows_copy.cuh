// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of rows to shared memory and back: whole vectors by the copy engine, incomplete vectors at either end of a piece of
// memory by element.
#pragma once

#include <upsweep/cuda/device/axis_pace.cuh>
#include <upsweep/cuda/device/axis_rows.cuh>

#include <algorithm>

namespace upsweep::cuda::detail {

// The bytes that the copy engine takes, relative to a piece's first byte. They may begin before the piece and end behind it.
struct WholeVectors {
  int begin, end;

  // All vectors in [lowest, highest) that hold bytes of the piece.
  __device__ __forceinline__ WholeVectors(const unsigned char *piece, int bytes, const unsigned char *lowest,
                                          const unsigned char *highest) {
    const int past = static_cast<int>(reinterpret_cast<std::uintptr_t>(piece) % 16);
    begin = -past;
    end = (past + bytes + 15) / 16 * 16 - past;
    if (piece + begin < lowest) {
      begin += 16;
    }
    if (piece + end > highest) {
      end -= 16;
    }
    if (end < begin) {
      begin = end = bytes;
    }
  }
  __device__ __forceinline__ unsigned bytes() const { return static_cast<unsigned>(end - begin); }
};

// Copies the ends of a piece that the copy engine does not take, by every n-th lane from `lane` on. It copies units, since an
// element may span two vectors.
template <class Unit>
__device__ __forceinline__ void copy_ends(const unsigned char *from, unsigned char *to, int bytes, const WholeVectors &whole,
                                          int lane, int lanes) {
  constexpr int kBytes = static_cast<int>(sizeof(Unit));
  const auto copy = [&](int begin, int end) {
    for (int at = begin + lane * kBytes; at < end; at += lanes * kBytes) {
      *reinterpret_cast<Unit *>(to + at) = *reinterpret_cast<const Unit *>(from + at);
    }
  };
  copy(0, min(whole.begin, bytes));
  copy(max(whole.end, 0), bytes);
}

// Visits a stage's rows as pieces: visit(offset in memory, offset in shared memory, bytes, lane, lanes) for each piece that the
// lane shares in. Offsets are bytes from the rows' begin. If one piece holds all rows, all lanes of a warp, or its only lane,
// share it. Otherwise each lane of each warp has separate rows.
template <class Geometry, class Visit>
__device__ __forceinline__ void for_pieces(const RowsCut &cut, const StageRows &stage, std::uint64_t along_bytes, int pitch,
                                           bool is_one, int copier, const Visit &visit) {
  if constexpr (Geometry::kLoose) {
    const int row_bytes = stage.columns * static_cast<int>(sizeof(typename Geometry::In));
    if (!is_one) {
      for (int row = copier * 32 + lane_id(); row < stage.count; row += Geometry::kCopiers * 32) {
        visit(row * along_bytes, row * pitch, row_bytes, 0, 1);
      }
    } else if (copier == 0) {
      visit(std::uint64_t(0), 0, (stage.count - 1) * pitch + row_bytes, lane_id(), 32);
    }
  } else {
    visit(std::uint64_t(0), 0, stage.count * cut.across * Geometry::kPackBytes, 0, 1);
  }
}

// The alignment of all places in rows.
template <class Problem, class Geometry>
struct RowsUnit {
  static constexpr std::size_t kAlignment = std::min(alignof(typename Problem::In), alignof(typename Problem::Out));
  static constexpr std::size_t kBytes = !Geometry::kLoose && Geometry::kColumns > 1 ? 4 : kAlignment;
  using Type = std::conditional_t<kBytes == 1, unsigned char, std::conditional_t<kBytes == 2, unsigned short, unsigned>>;
};

// Used by the lanes of a warp that loads or stores: one lane, or all lanes for loose rows.
template <class Geometry>
__device__ __forceinline__ bool is_true_for_any(bool condition) {
  return Geometry::kLoose ? __any_sync(0xffffffff, condition) != 0 : condition;
}
template <class Geometry>
__device__ __forceinline__ void arrive_as_copier(Barrier &barrier) {
  if constexpr (Geometry::kLoose) {
    arrive_as_warp(barrier);
  } else {
    barrier.arrive();
  }
}

template <class Problem, class Geometry>
__device__ __forceinline__ void load_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage,
                                          int loader) {
  using In = typename Problem::In;
  const auto *const input = reinterpret_cast<const unsigned char *>(problem.input);
  const unsigned char *const input_end = input + cut.extent * sizeof(In);
  RingPlace place, loading;
  std::uint64_t loaded = 0;
  // Blocks that exchange totals keep in step without a pacer. Pacing was not tried with loose rows, which several threads load.
  Pacer pacer(*problem.state, Geometry::kExchange || Geometry::kLoose ? 0 : most_paced_stages(cut), gridDim.x);
  for_stages(problem, cut, storage, [&](const StageRows &stage) {
    auto &barriers = storage.barriers(place.stage);
    if (loaded >= static_cast<std::uint64_t>(cut.stages)) {
      barriers.empty.wait(place.parity ^ 1);
    }
    if (loaded >= static_cast<std::uint64_t>(cut.loads_ahead)) {
      storage.barriers(loading.stage).full.wait(loading.parity);
      loading.advance(cut.stages);
    }
    const unsigned char *const source = input + stage.from * sizeof(In);
    unsigned char *const rows = storage.rows(cut, place.stage, source, problem.output + stage.to);
    unsigned expected = 0;
    pacer.wait();
    const std::uint64_t along_bytes = problem.in_strides.along * sizeof(In);
    const bool is_one = along_bytes == static_cast<std::uint64_t>(cut.in_pitch);
    for_pieces<Geometry>(cut, stage, along_bytes, cut.in_pitch, is_one, loader,
                         [&](std::uint64_t at, int shared_at, int bytes, int lane, int lanes) {
                           // The first and last vectors include neighbouring bytes.
                           const unsigned char *const piece = source + at;
                           unsigned char *const to = rows + shared_at;
                           const WholeVectors whole(piece, bytes, input, input_end);
                           if (lane == 0) {
                             expected += whole.bytes();
                             if (whole.bytes() > 0) {
                               bulk_load(to + whole.begin, piece + whole.begin, whole.bytes(), barriers.full);
                             }
                           }
                           copy_ends<typename RowsUnit<Problem, Geometry>::Type>(piece, to, bytes, whole, lane, lanes);
                         });
    barriers.full.arrive_and_expect(expected);
    pacer.begin();
    ++loaded;
    place.advance(cut.stages);
  });
  pacer.finish();
}

template <class Problem, class Geometry>
__device__ __forceinline__ void store_rows(const Problem &problem, const RowsCut &cut, RowsStorage<Geometry> storage,
                                           int storer) {
  using Out = typename Problem::Out;
  RingPlace place;     // the next stage
  RingPlace occupied;  // the first stage that the copy engine may still read
  RingPlace result;    // the next stage of results
  bool is_occupied = false;
  const auto free_one = [&] {
    arrive_as_copier<Geometry>(storage.barriers(occupied.stage).empty);
    occupied.advance(cut.stages);
  };
  for_stages(problem, cut, storage, [&](const StageRows &stage) {
    storage.barriers(place.stage).scanned.wait(place.parity);
    auto *const output = reinterpret_cast<unsigned char *>(problem.output + stage.to);
    const unsigned char *rows = storage.rows(cut, place.stage, problem.input + stage.from, output);
    if (Geometry::kLoose && cut.result_stages > 0) {
      rows = storage.results(cut, result.stage, output);
      result.advance(cut.result_stages);
    }
    const std::uint64_t along_bytes = problem.out_strides.along * sizeof(Out);
    const bool is_one = stage.columns * sizeof(Out) == along_bytes && along_bytes == static_cast<std::uint64_t>(cut.out_pitch);
    for_pieces<Geometry>(cut, stage, along_bytes, cut.out_pitch, is_one, storer,
                         [&](std::uint64_t at, int shared_at, int bytes, int lane, int lanes) {
                           unsigned char *const piece = output + at;
                           const unsigned char *const from = rows + shared_at;
                           const WholeVectors whole(piece, bytes, piece, piece + bytes);
                           if (lane == 0 && whole.bytes() > 0) {
                             bulk_store(piece + whole.begin, from + whole.begin, whole.bytes());
                           }
                           copy_ends<typename RowsUnit<Problem, Geometry>::Type>(from, piece, bytes, whole, lane, lanes);
                         });
    commit_bulk_stores();
    place.advance(cut.stages);
    // A stage is free when the copy engine has read it. The warp does not wait for this if it can store the next stage
    // meanwhile.
    const bool is_next_here = is_true_for_any<Geometry>(storage.barriers(place.stage).scanned.has_ended(place.parity));
    if (is_next_here) {
      wait_for_bulk_reads<1>();
    } else {
      wait_for_bulk_reads<0>();
      free_one();
    }
    if (is_occupied) {
      free_one();
    }
    is_occupied = is_next_here;
  });
  wait_for_bulk_reads<0>();
}

}  // namespace upsweep::cuda::detail
