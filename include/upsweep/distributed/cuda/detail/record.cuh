// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record that each rank shows the others in a call: the call, whether the rank has failed, and the total and the end keys
// of its part. One kernel reads the records of all ranks where they are gathered, so that no number has to come to the host.
#pragma once

#include <upsweep/cuda/device/launch.cuh>
#include <upsweep/cuda/device/values.cuh>

#include <cstdint>
#include <cstring>

namespace upsweep::distributed::detail {

inline constexpr std::size_t kValueBytes = 64;  // of the largest total or key

struct RecordHeader {
  std::uint64_t hash;     // of the call, its types and its options
  std::uint64_t n;        // the part's elements, or another number
  std::uint32_t failed;   // whether the rank has failed since its last wait()
  std::uint32_t error;    // its cudaError_t
  std::uint32_t has_any;  // whether `value` is known
  std::uint32_t flags;    // of calls with segments (borders.cuh)
};

struct alignas(16) Record {
  RecordHeader header;
  unsigned char value[kValueBytes], first[kValueBytes], last[kValueBytes];
  unsigned char unused[32];

  template <class T>
  __host__ __device__ static T read(const unsigned char *from) {
    static_assert(sizeof(T) <= kValueBytes, "totals and keys have up to 64 bytes");
    T value;
    memcpy(static_cast<void *>(&value), from, sizeof(T));
    return value;
  }
  template <class T>
  __host__ __device__ static void write(unsigned char *to, const T &value) {
    static_assert(sizeof(T) <= kValueBytes, "totals and keys have up to 64 bytes");
    memcpy(to, static_cast<const void *>(&value), sizeof(T));
  }
};
static_assert(sizeof(Record) == 256);

// The trouble that a kernel reports to the host, in memory of the host.
enum class Trouble : std::uint32_t { kNone, kFailed, kOtherCall, kLate, kEnded };
struct Status {
  volatile std::uint32_t trouble, rank, error;
};

__device__ inline void report(Status *status, Trouble trouble, std::uint32_t rank, std::uint32_t error) {
  if (status->trouble == static_cast<std::uint32_t>(Trouble::kNone)) {
    status->rank = rank;
    status->error = error;
    __threadfence_system();
    status->trouble = static_cast<std::uint32_t>(trouble);
  }
}

// Whether all ranks are in the same call, and none has failed. All ranks find the same. Without records a rank was late.
struct RecordCheck {
  std::uint64_t hash;
  unsigned size, rank;
  Status *status;

  __device__ bool operator()(const Record *all) const {
    if (all == nullptr) {
      return false;
    }
    for (unsigned r = 0; r < size; ++r) {
      const RecordHeader &header = all[r].header;
      if (header.failed != 0) {
        report(status, Trouble::kFailed, r, header.error);
        return false;
      }
    }
    for (unsigned r = 0; r < size; ++r) {
      if (all[r].header.hash != hash) {
        report(status, Trouble::kOtherCall, r, 0);
        return false;
      }
    }
    return true;
  }
};

// A reduction's output: writes the total, and the header with it.
struct RecordPlace {
  Record *record;
  RecordHeader header;

  struct Reference {
    const RecordPlace &place;
    template <class T>
    __device__ void operator=(const T &total) const {
      Record::write(place.record->value, total);
      place.record->header = place.header;
    }
  };
  __device__ Reference operator*() const { return {*this}; }
};

// `unused` makes it a template, as kernels of headers must be.
template <class Unused = void>
__global__ void write_header_kernel(Record *to, RecordHeader header) {
  to->header = header;
}

// Runs finish(records of all ranks) in one thread.
template <class Finish>
__global__ void finish_kernel(const Record *all, Finish finish) {
  finish(all);
}

}  // namespace upsweep::distributed::detail
