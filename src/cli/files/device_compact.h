// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections, runs and sorts of elements of files on an OpenCL device.
#ifndef UPSWEEP_CLI_FILES_DEVICE_COMPACT_H
#define UPSWEEP_CLI_FILES_DEVICE_COMPACT_H

#include "cli/files/comparison.h"
#include "cli/files/work_device.h"

#include <cstdint>

namespace upsweep::cli {

class DeviceSelect {
public:
  // Keeps the elements for which the comparison is true, of themselves or of the flags.
  DeviceSelect(WorkDevice &device, ElementType elements, ElementType flags, bool has_flags, const Comparison &comparison);

  // Writes the kept elements of n to `to`, without gaps, and returns their number.
  Result<size_t> keep(const std::byte *elements, const std::byte *flags, std::byte *to, size_t n);

private:
  WorkDevice &device_;
  const ElementType elements_, flags_;
  const bool has_flags_;
  const Comparison comparison_;
};

// The runs of equal adjacent elements among n > 0: writes the first of each to `firsts` and their lengths to `lengths`, which
// must have space for n.
Result<size_t> find_runs(WorkDevice &device, ElementType type, const std::byte *elements, size_t n, std::byte *firsts,
                         uint64_t *lengths);

}  // namespace upsweep::cli
#endif
