// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stable sorts of elements of any type, in memory: applies the radix sorts of the libraries for CPU threads and OpenCL queues
// to the types of files.
#ifndef UPSWEEP_CLI_FILES_SORT_KEYS_H
#define UPSWEEP_CLI_FILES_SORT_KEYS_H

#include "cli/files/key_codec.h"
#include "cli/files/progress.h"
#include "cli/files/work_device.h"

#include <cstdint>
#include <vector>

namespace upsweep::cli {

// The keys of an array (key_codec.h).
class Keys {
public:
  // Reads all elements of the array in C's order.
  Keys(const Array &array, bool is_descending);

  // Sorts on the device, or on the processors if it is null. Only the processors show their progress.
  Result<void> sort(WorkDevice *device, Progress &progress);
  // Sorts, and returns the original index of each key.
  Result<void> sort(std::vector<uint32_t> &indices, WorkDevice *device, Progress &progress);
  Result<void> sort(std::vector<uint64_t> &indices, WorkDevice *device, Progress &progress);
  // Converts keys back to elements in native byte order.
  void take(size_t begin, size_t n, std::byte *to) const;

private:
  template <class F>
  void with_keys(F f);
  template <class Index>
  Result<void> sort_indices(std::vector<Index> &indices, WorkDevice *device, Progress &progress);

  KeyCodec codec_;
  bool is_descending_;
  size_t count_;
  std::vector<std::byte> keys_;
};

}  // namespace upsweep::cli
#endif
