// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by commutative operators with the brackets of the CUDA library. Blocks take tiles in a fixed cycle, a thread adds
// neighbouring elements of each tile, then threads of a block are combined, and then blocks.
#pragma once

#include <upsweep/cpu/detail/arguments.h>
#include <upsweep/cpu/detail/chunks.h>
#include <upsweep/cpu/detail/cuda_order.h>

#include <vector>

namespace upsweep::cpu::detail {

// The numbers are kThreads, kBlocks, kVectors and kElements of upsweep/cuda/device/tuning_reduce.cuh.
template <class In>
struct CudaReduction {
  using Element = std::remove_cv_t<ValueOf<In>>;
  static constexpr std::size_t kThreads = 512;
  static constexpr std::uint64_t kMostBlocks = 396;
  static constexpr bool kVectors = is_contiguous<In> && 16 % sizeof(Element) == 0;
  static constexpr std::size_t kUnitItems = kVectors ? 16 / sizeof(Element) : 1;
  static constexpr std::size_t kUnits = kVectors || sizeof(Element) > 8 ? (sizeof(Element) > 16 ? 1 : 4) : 8;
  static constexpr std::size_t kTileItems = kThreads * kUnits * kUnitItems;
};

// operand(i) is the operator's operand of element i.
template <class T, class In, class Op, class Operand>
class BlockTotal {
  using Shape = CudaReduction<In>;

public:
  BlockTotal(const Op &op, const Operand &operand, std::uint64_t n) : op_(op), operand_(operand), n_(n) {}

  void add_tile(std::uint64_t tile) {
    const std::uint64_t begin = tile * Shape::kTileItems;
    const bool is_whole = begin + Shape::kTileItems <= n_;
    for (std::size_t unit = 0; unit < Shape::kUnits; ++unit) {
      const std::uint64_t first = begin + unit * Shape::kThreads * Shape::kUnitItems;
      for (std::size_t thread = 0; thread < Shape::kThreads; ++thread) {
        const std::uint64_t i = first + thread * Shape::kUnitItems;
        if (is_whole) {
          T total = operand_(i);
          for (std::size_t k = 1; k < Shape::kUnitItems; ++k) {
            total = op_(total, operand_(i + k));
          }
          add(thread, total);
        } else {  // element by element
          for (std::uint64_t k = i; k < std::min(n_, i + Shape::kUnitItems); ++k) {
            add(thread, operand_(k));
          }
        }
      }
    }
  }

  T total() { return reduce_threads(totals_, threads_, op_); }

private:
  // Threads with a value come first.
  void add(std::size_t thread, const T &value) {
    totals_[thread] = thread < threads_ ? op_(totals_[thread], value) : value;
    threads_ = std::max(threads_, thread + 1);
  }

  const Op &op_;
  const Operand &operand_;
  std::uint64_t n_;
  std::size_t threads_ = 0;
  T totals_[Shape::kThreads]{};
};

template <class T, class In, class Op, class Operand, class Executor>
T reproducible_total(std::uint64_t n, const Op &op, const Operand &operand, Executor &executor) {
  using Shape = CudaReduction<In>;
  // The number of blocks is computed with a unit's items more, since the array may begin within a vector.
  const std::uint64_t blocks =
      std::clamp<std::uint64_t>((n + Shape::kUnitItems - 1 + Shape::kTileItems - 1) / Shape::kTileItems, 1, Shape::kMostBlocks);
  const std::uint64_t tiles = (n + Shape::kTileItems - 1) / Shape::kTileItems, owners = std::min(tiles, blocks);
  std::vector<T> totals(Shape::kThreads);
  const auto add_up = [&](std::uint64_t block) {
    BlockTotal<T, In, Op, Operand> own(op, operand, n);
    for (std::uint64_t tile = block; tile < tiles; tile += blocks) {
      own.add_tile(tile);
    }
    totals[block] = own.total();
  };
  if (n * sizeof(T) <= kAloneBytes) {
    calling_thread alone;
    for_each_piece(alone, owners, add_up);
  } else {
    for_each_piece(executor, owners, add_up);
  }
  return reduce_threads(totals.data(), owners, op);
}

}  // namespace upsweep::cpu::detail
