// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of linear recurrences along an axis with neighbouring elements behind it: a thread processes the rows of its
// columns in order, with their states in registers, and no thread waits for another. Any strides and alignment.
#pragma once

#include <upsweep/cuda/device/column_chunks.cuh>
#include <upsweep/cuda/device/recurrence_problem.cuh>
#include <upsweep/cuda/device/tuning_columns.cuh>

namespace upsweep::cuda::detail {

// A column of `length` rows may be cut into `chunks` of chunk_rows rows, each with a thread. A first launch computes the maps
// of the chunks (kIsOfChunks), another starts from the states before them.
template <class T_, class A_, class B_, class Out_, bool kBackward_, bool kIsOfChunks_>
struct RecurrenceColumnsProblem {
  using T = T_;
  using A = A_;
  using B = B_;
  using Out = Out_;
  static constexpr bool kBackward = kBackward_;
  static constexpr bool kIsOfChunks = kIsOfChunks_;

  const A *a;
  const B *b;
  Out *x;
  std::uint64_t batches, length, inner;
  axis_strides in_strides, out_strides;
  const T *initials;  // batches x inner; null stands for zeros
  T *lasts;           // may be null
  std::uint64_t chunks, chunk_rows;
  T *chunk_a, *chunk_b;   // batches x chunks x inner: the maps of chunks
  const T *after_chunks;  // the states after chunks
};

// kColumns  neighbouring columns of a thread
// kRows     rows that are read together, while the kRows rows before them are processed
template <class Problem, int kColumns, int kRows>
class RecurrenceWalk {
  using T = typename Problem::T;
  using A = Columns<typename Problem::A, kColumns>;
  using B = Columns<typename Problem::B, kColumns>;
  using Out = Columns<typename Problem::Out, kColumns>;
  using Arithmetic = recurrence_arithmetic<T>;

  struct Rows {
    A a[kRows];
    B b[kRows];
  };

public:
  __device__ __forceinline__ RecurrenceWalk(const Problem &problem, std::uint64_t pack) : problem_(problem) {
    const std::uint64_t across = problem.inner / kColumns;
    column_ = pack % across * kColumns;
    chunk_ = pack / across % problem.chunks;
    batch_ = pack / across / problem.chunks;
    const std::uint64_t first = chunk_ * problem.chunk_rows;
    left_ = first < problem.length ? min(problem.chunk_rows, problem.length - first) : 0;
    const std::uint64_t row = Problem::kBackward ? problem.length - 1 - first : first;
    from_ = batch_ * problem.in_strides.batch + row * problem.in_strides.along + column_;
    to_ = batch_ * problem.out_strides.batch + row * problem.out_strides.along + column_;
  }

  __device__ __forceinline__ void run() {
    begin();
    Rows rows;
    if (left_ > 0) {
      read(rows, left_);
    }
    for (; left_ > kRows; left_ -= kRows) {
      Rows next;
      read(next, left_ - kRows);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        step(rows.a[i], rows.b[i]);
      }
      rows = next;
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      if (static_cast<unsigned>(i) < left_) {
        step(rows.a[i], rows.b[i]);
      }
    }
    end();
  }

private:
  __device__ __forceinline__ static std::uint64_t next_row(const axis_strides &strides) {
    return Problem::kBackward ? -strides.along : strides.along;
  }
  // The place of a value for each column, or for each column and chunk.
  __device__ __forceinline__ std::uint64_t place_of_column() const { return batch_ * problem_.inner + column_; }
  __device__ __forceinline__ std::uint64_t place_of_chunk(std::uint64_t chunk) const {
    return (batch_ * problem_.chunks + chunk) * problem_.inner + column_;
  }

  __device__ __forceinline__ void begin() {
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      x_[c] = T{};
    }
    if constexpr (!Problem::kIsOfChunks) {
      const T *before = problem_.initials == nullptr ? nullptr : problem_.initials + place_of_column();
      if (chunk_ > 0) {
        before = problem_.after_chunks + place_of_chunk(chunk_ - 1);
      }
      if (before != nullptr) {
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
          x_[c] = before[c];
        }
      }
    }
  }

  // The next rows; after the end, the last row again. All loads are issued before any is waited for.
  __device__ __forceinline__ void read(Rows &rows, std::uint64_t left) {
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      rows.a[i] = *reinterpret_cast<const A *>(problem_.a + from_);
      rows.b[i] = *reinterpret_cast<const B *>(problem_.b + from_);
      if (static_cast<unsigned>(i + 1) < left) {
        from_ += next_row(problem_.in_strides);
      }
    }
  }

  __device__ __forceinline__ void step(const A &a, const B &b) {
    Out results;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      const T factor = number_of<T>(a.elements[c]);
      x_[c] = Arithmetic::multiply_add(factor, x_[c], number_of<T>(b.elements[c]));
      if constexpr (Problem::kIsOfChunks) {
        factor_[c] = is_first_ ? factor : Arithmetic::multiply(factor, factor_[c]);
      } else {
        results.elements[c] = element_of<typename Problem::Out>(x_[c]);
      }
    }
    if constexpr (Problem::kIsOfChunks) {
      is_first_ = false;
    } else {
      *reinterpret_cast<Out *>(problem_.x + to_) = results;
      to_ += next_row(problem_.out_strides);
    }
  }

  __device__ __forceinline__ void end() const {
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      if constexpr (Problem::kIsOfChunks) {
        problem_.chunk_a[place_of_chunk(chunk_) + c] = factor_[c];
        problem_.chunk_b[place_of_chunk(chunk_) + c] = x_[c];
      } else if (problem_.lasts != nullptr && chunk_ + 1 == problem_.chunks) {
        problem_.lasts[place_of_column() + c] = x_[c];
      }
    }
  }

  const Problem &problem_;
  std::uint64_t batch_, chunk_, column_, left_;
  std::uint64_t from_, to_;  // places of the next rows
  T x_[kColumns];
  T factor_[Problem::kIsOfChunks ? kColumns : 1];
  bool is_first_ = true;
};

template <class Problem, int kColumns, int kRows>
__global__ void __launch_bounds__(TunedColumns::kThreads) recurrence_columns_kernel(const __grid_constant__ Problem problem) {
  const std::uint64_t pack = static_cast<std::uint64_t>(blockIdx.x) * TunedColumns::kThreads + threadIdx.x;
  if (pack < problem.batches * problem.chunks * (problem.inner / kColumns)) {
    RecurrenceWalk<Problem, kColumns, kRows>(problem, pack).run();
  }
}

}  // namespace upsweep::cuda::detail
