// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs over GPUs: each rank encodes its part; the leading run of a part that continues an earlier run goes to the rank where
// that run begins.
#pragma once

#include <upsweep/distributed/cuda/detail/run_border.cuh>

namespace upsweep::distributed::detail {

// The changes of a rank's runs: the first is left out, and a total is added to the last.
template <class Total>
struct RunChanges {
  std::uint64_t dropped;
  std::uint32_t adds;
  Total more;
};

inline constexpr std::uint32_t kHasOneRun = 2;

// The record of a part: the keys at its ends, and the total of its leading run.
template <class Key, class Total>
__global__ void runs_record_kernel(const Key *keys, std::uint64_t n, const Total *totals, const std::uint64_t *runs,
                                   Record *record, RecordHeader header) {
  if (n > 0) {
    header.flags = kHasEnds | (*runs == 1 ? kHasOneRun : 0);
    Record::write(record->first, keys[0]);
    Record::write(record->last, keys[n - 1]);
    Record::write(record->value, totals[0]);
  }
  record->header = header;
}

template <class Key, class Total, class Equal, class Op>
struct FinishRuns {
  RecordCheck check;
  Equal equal;
  Op op;
  RunChanges<Total> *changes;

  __device__ void operator()(const Record *all) const {
    *changes = RunChanges<Total>{0, 0, Total()};
    if (!check(all) || (all[check.rank].header.flags & kHasEnds) == 0) {
      return;
    }
    RunChanges<Total> own{continues_at<Key>(all, check.rank, equal) ? 1U : 0U, 0, Total()};
    for (unsigned r = check.rank + 1; r < check.size; ++r) {
      if ((all[r].header.flags & kHasEnds) == 0) {
        continue;
      }
      if (!continues_at<Key>(all, r, equal)) {
        break;
      }
      const Total more = Record::read<Total>(all[r].value);
      own.more = own.adds != 0 ? static_cast<Total>(op(own.more, more)) : more;
      own.adds = 1;
      if ((all[r].header.flags & kHasOneRun) == 0) {
        break;
      }
    }
    *changes = own;
  }
};

inline constexpr int kMoveThreads = 256;

// Moves the runs to their places in the results.
template <class Key, class Total, class Op>
__global__ void move_runs_kernel(const Key *from_keys, const Total *from_totals, const std::uint64_t *from_runs, Key *keys,
                                 Total *totals, std::uint64_t *runs, const RunChanges<Total> *changes, Op op) {
  const RunChanges<Total> change = *changes;
  const std::uint64_t number = *from_runs;
  for (std::uint64_t i = change.dropped + blockIdx.x * static_cast<std::uint64_t>(kMoveThreads) + threadIdx.x; i < number;
       i += static_cast<std::uint64_t>(gridDim.x) * kMoveThreads) {
    keys[i - change.dropped] = from_keys[i];
    Total total = from_totals[i];
    if (i + 1 == number && change.adds != 0) {
      total = op(total, change.more);
    }
    totals[i - change.dropped] = total;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *runs = number - (number > 0 ? change.dropped : 0);
  }
}

// encode(workspace, keys out, totals out, number) encodes the part.
template <class C, class Key, class Total, class Equal, class Op, class Encode>
void runs_on_devices(C &ranks, const char *name, const Key *keys, Key *keys_out, Total *totals_out, std::uint64_t *runs,
                     std::uint64_t n, const Equal &equal, const Op &op, const Encode &encode) {
  static_assert(sizeof(Total) <= kValueBytes && sizeof(Key) <= kValueBytes, "upsweep: keys and totals have up to 64 bytes");
  DeviceCall<C> call(ranks, name, mix(types_hash<Key, Total>(), types_hash<Op>()));
  RankMemory own_keys(ranks), own_totals(ranks);
  auto *const changes = reinterpret_cast<RunChanges<Total> *>(ranks.room());
  auto *const number = reinterpret_cast<std::uint64_t *>(ranks.room() + 256);
  call.gather(
      n,
      [&] {
        if (runs == nullptr || (n > 0 && (keys == nullptr || keys_out == nullptr || totals_out == nullptr))) {
          return cudaErrorInvalidValue;
        }
        upsweep::cuda::workspace space;
        const std::size_t bytes = std::max(upsweep::cuda::select_workspace_bytes<Key>(n),
                                           upsweep::cuda::reduce_by_key_workspace_bytes<Total, Key>(n));
        cudaError_t error = ranks.workspace_of(bytes, space);
        error = error == cudaSuccess ? own_keys.allocate((n + 1) * sizeof(Key)) : error;
        error = error == cudaSuccess ? own_totals.allocate((n + 1) * sizeof(Total)) : error;
        error = error == cudaSuccess ? cudaMemsetAsync(number, 0, sizeof *number, call.stream()) : error;
        if (error == cudaSuccess && n > 0) {
          error = encode(space, own_keys.template get<Key>(), own_totals.template get<Total>(), number);
        }
        return error != cudaSuccess
                   ? error
                   : gpu::launch(runs_record_kernel<Key, Total>, 1, 1, 0, call.stream(), keys, n,
                                 static_cast<const Total *>(own_totals.template get<Total>()),
                                 static_cast<const std::uint64_t *>(number), ranks.own_record(), call.header(n));
      },
      FinishRuns<Key, Total, Equal, Op>{call.check(), equal, op, changes});
  call.local([&] {
    const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>((n + kMoveThreads - 1) / kMoveThreads, 1, 2048));
    return gpu::launch(move_runs_kernel<Key, Total, Op>, blocks, kMoveThreads, 0, call.stream(),
                       static_cast<const Key *>(own_keys.template get<Key>()),
                       static_cast<const Total *>(own_totals.template get<Total>()), static_cast<const std::uint64_t *>(number),
                       keys_out, totals_out, runs, static_cast<const RunChanges<Total> *>(changes), op);
  });
}

}  // namespace upsweep::distributed::detail
