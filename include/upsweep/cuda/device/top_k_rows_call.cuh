// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks, the workspace and the launches of a selection by rank in each row.
#pragma once

#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/sort_segments_call.cuh>
#include <upsweep/cuda/device/top_k_call.cuh>
#include <upsweep/cuda/device/top_k_rows_kernel.cuh>

namespace upsweep::cuda::detail {

inline constexpr std::uint64_t kLongestRankedRow = (std::uint64_t(1) << 32) - 1;  // a block's counters have 32 bits

// If the host knows that rows are few and long, so that a block for each would leave most of a GPU idle, it selects from them
// serially. With 2^20 floats a row then takes 72 us on an H200, and with a block 1.7 ms, as long as 23 rows. kFewRanked and
// fewer are sorted whole.
inline bool is_row_by_row(const Count &rows, std::uint64_t length) {
  return rows.pointer == nullptr && rows.most <= length >> 16 && length > kFewRanked;
}

// Rows that a warp or a part of it sorts in registers are sorted whole. So are rows that a block sorts, if a large part is
// wanted. A sort of 65,536 rows of 4,096 floats by blocks takes 7.3 ms on an H200. A selection from 8,192 rows of 32,768 floats
// takes 1.4 ms.
template <class Bits, class Value>
bool is_sorted_whole(std::uint64_t length, std::uint64_t number) {
  return is_short_row<Bits>(length) &&
         (length <= SegmentClasses<Bits, !std::is_same_v<Value, NoValue>>::kMostByNetwork || number > length / 4);
}

// The contents of a workspace from kOwnDataAt on: the selected keys, if the caller does not want them, and then the workspace
// of their sort.
template <class Key, class Value>
struct RanksOfRowsSpace {
  std::size_t sort = 0, bytes = 0;

  RanksOfRowsSpace(std::uint64_t rows, std::uint64_t length, std::uint64_t first, std::uint64_t number) {
    using Bits = UnsignedOf<sizeof(Key)>;
    if (is_sorted_whole<Bits, Value>(length, number) || number == 0) {
      return;
    }
    sort = kOwnDataAt + rounded_up(rows * number * sizeof(Key));
    bytes = sort + SegmentsSpace<Bits, OpaqueOf<Value>>(rows * number, rows).bytes();
    if (is_row_by_row(count_of(rows), length)) {
      bytes = std::max(bytes, RankSpace<Bits>(RankPlan(length, first, first + number - 1)).bytes);
    }
  }
};

// A request: of each row the elements of ranks first to first + number - 1, where first is 0 or number is 1.
template <class Key, class Value>
struct RanksOfRowsRequest {
  const Key *keys_in;
  Key *keys_out;
  const Value *values_in;
  Value *values_out;
  Count rows;
  std::uint64_t length, first, number;

  template <class Call>
  auto arrays_of() const {
    using Bits = typename Call::Bits;
    using Opaque = typename Call::Opaque;
    return SortArrays<Bits, Opaque>{
        reinterpret_cast<const Bits *>(keys_in),     reinterpret_cast<Bits *>(keys_out),     nullptr,
        reinterpret_cast<const Opaque *>(values_in), reinterpret_cast<Opaque *>(values_out), nullptr};
  }
};

template <class Call, class Request>
cudaError_t launch_ranks_of_short_rows(const Call &call, const Request &request) {
  using Problem = ShortRowsProblem<typename Call::Order, typename Call::Opaque, OffsetsOfRows, Call::kIsPartial>;
  const auto arrays = request.template arrays_of<Call>();
  const SortBits bits{call.range.begin, call.range.end,
                      std::max(1, (call.range.end - call.range.begin + kDigitBits - 1) / kDigitBits)};
  const Problem problem{{arrays.keys_in,
                         arrays.keys_out,
                         arrays.values_in,
                         arrays.values_out,
                         OffsetsOfRows{request.length},
                         {request.rows.most, request.rows.pointer},
                         bits},
                        static_cast<std::uint32_t>(request.first),
                        static_cast<std::uint32_t>(request.number)};
  return launch_short_rows(problem, request.length, request.rows.most, call.stream);
}

template <class Call, class Request>
cudaError_t launch_ranks_row_by_row(const Call &call, const workspace &space, const Request &request) {
  using Opaque = typename Call::Opaque;
  const auto arrays = request.template arrays_of<Call>();
  cudaError_t error = cudaSuccess;
  for (std::uint64_t row = 0; row < request.rows.most && error == cudaSuccess; ++row) {
    const std::uint64_t in = row * request.length, out = row * request.number;
    const Opaque *const values_in = arrays.values_in == nullptr ? nullptr : arrays.values_in + in;
    error = launch_ranks<typename Call::Order, Opaque>(
        static_cast<unsigned char *>(space.data), arrays.keys_in + in, count_of(request.length), request.first, request.number,
        arrays.keys_out == nullptr ? nullptr : arrays.keys_out + out, values_in,
        arrays.values_out == nullptr ? nullptr : arrays.values_out + out, call.stream);
  }
  return error;
}

// A block for each row collects its elements, which are then sorted.
template <class Key, class Value, class Call, class Request, class... Options>
cudaError_t launch_ranks_of_long_rows(const Call &call, const workspace &space, Request request, std::size_t sort_begin,
                                      Options... options) {
  using Problem = TopKRowsProblem<typename Call::Order, typename Call::Opaque>;
  auto *const bytes = static_cast<unsigned char *>(space.data);
  const bool is_single = request.number == 1;
  if (request.keys_out == nullptr && !is_single) {
    request.keys_out = reinterpret_cast<Key *>(bytes + kOwnDataAt);
  }
  const auto arrays = request.template arrays_of<Call>();
  const Problem problem{arrays.keys_in,
                        arrays.keys_out,
                        arrays.values_in,
                        arrays.values_out,
                        {request.rows.most, request.rows.pointer},
                        request.length,
                        request.number,
                        request.first + request.number - 1,
                        is_single,
                        call.range.begin,
                        reinterpret_cast<ScanState *>(bytes)};
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(request.rows.most, 1u << 30));
  const cudaError_t error = launch(select_ranks_of_rows_kernel<Problem>, blocks, kRowsThreads, 0, call.stream, problem);
  if (error != cudaSuccess || is_single) {
    return error;
  }
  const SortSegmentsCall<Key, Value, Options...> sort{request.keys_out, request.keys_out, request.values_out,
                                                      request.values_out, true};
  return sort.sort_rows(workspace{bytes + sort_begin, space.bytes - sort_begin}, request.rows, request.number, options...);
}

template <class Key, class Value, class... Options>
cudaError_t select_ranks_of_rows(const workspace &space, const RanksOfRowsRequest<Key, Value> &request, bool are_values_right,
                                 Options... options) {
  static_assert(!has_option<key_bits, Options...>, "upsweep: the options of a selection by rank are a stream and descending");
  using Call = SortCall<Key, Value, Options...>;
  using Bits = typename Call::Bits;
  const std::uint64_t rows = request.rows.most, length = request.length, number = request.number;
  if (request.rows.is_null || length > kLongestRankedRow || rows >> 32 != 0 || (length > 0 && rows > kMostElements / length) ||
      number > length || request.first > length - number) {
    return cudaErrorInvalidValue;
  }
  if (number == 0 || rows == 0) {
    return cudaSuccess;
  }
  const std::uint64_t n = rows * length, chosen = rows * number;
  const Call call({n, nullptr, false}, options...);
  const bool are_arrays_right =
      are_words<Bits>(request.keys_in) && are_values_right &&
      are_pairs_apart(request.keys_in, request.keys_out, request.values_in, request.values_out, n, chosen) &&
      (request.keys_out == nullptr ||
       (are_words<Bits>(request.keys_out) && are_apart(request.keys_in, n, request.keys_out, chosen))) &&
      (request.values_in == nullptr || are_apart(request.values_in, n, request.values_out, chosen));
  if (is_sorted_whole<Bits, Value>(length, number)) {
    return are_arrays_right ? launch_ranks_of_short_rows(call, request) : cudaErrorInvalidValue;
  }
  const RanksOfRowsSpace<Key, Value> layout(rows, length, request.first, number);
  return call.check_and_run(space, layout.bytes, are_arrays_right, [&](const workspace &memory) {
    return is_row_by_row(request.rows, length)
               ? launch_ranks_row_by_row(call, memory, request)
               : launch_ranks_of_long_rows<Key, Value>(call, memory, request, layout.sort, options...);
  });
}

}  // namespace upsweep::cuda::detail
