// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a part's first element continues the run of the last element before it.
#pragma once

#include <upsweep/distributed/cuda/detail/call.cuh>

namespace upsweep::distributed::detail {

inline constexpr std::uint32_t kHasEnds = 1;

// The record of a part: its first and last key.
template <class Keys>
__global__ void ends_kernel(Keys keys, std::uint64_t n, Record *record, RecordHeader header) {
  using Key = gpu::ElementOf<Keys>;
  if (n > 0) {
    header.flags = kHasEnds;
    Record::write(record->first, static_cast<Key>(keys[0]));
    Record::write(record->last, static_cast<Key>(keys[n - 1]));
  }
  record->header = header;
}

// Whether the first key of a part with elements equals the last key before it.
template <class Key, class Equal>
__device__ bool continues_at(const Record *all, unsigned rank, const Equal &equal) {
  unsigned before = rank;
  while (before > 0 && (all[before - 1].header.flags & kHasEnds) == 0) {
    --before;
  }
  return before > 0 && (all[rank].header.flags & kHasEnds) != 0 &&
         equal(Record::read<Key>(all[before - 1].last), Record::read<Key>(all[rank].first));
}

template <class Key, class Equal>
struct FinishBorder {
  RecordCheck check;
  Equal equal;
  std::uint32_t *continues;

  __device__ void operator()(const Record *all) const {
    *continues = check(all) && continues_at<Key>(all, check.rank, equal) ? 1 : 0;
  }
};

}  // namespace upsweep::distributed::detail
