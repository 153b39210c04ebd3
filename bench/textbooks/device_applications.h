// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chapter's applications of scans by the kernels of applications.cl, which use the kernels of rungs.cl.
#ifndef UPSWEEP_BENCH_TEXTBOOKS_DEVICE_APPLICATIONS_H
#define UPSWEEP_BENCH_TEXTBOOKS_DEVICE_APPLICATIONS_H

#include "bench/textbooks/device_scans.h"

#include <optional>

namespace upsweep::cli::textbooks {

// Applications for 32-bit words. All calls enqueue kernels, write nothing behind their results, and keep their inputs.
class Applications {
public:
  // `most`: the largest number of elements of a call, or of sums of a picture's channels; scratch arrays have `most` words.
  // Fails for devices without work-groups of kGroup.
  static Result<Applications> create(const Device &device, size_t most, const cl::Buffer &scratch, const cl::Buffer &other);

  // The words whose highest bit is set, and their number.
  Result<void> compact_by_gather(const cl::Buffer &in, const cl::Buffer &out, const cl::Buffer &kept, size_t n);
  Result<void> sort_by_splits(const cl::Buffer &in, const cl::Buffer &out, size_t n);
  Result<void> sort_by_merges(const cl::Buffer &in, const cl::Buffer &out, size_t n);
  // From three interleaved bytes for each pixel to three inclusive sums.
  Result<void> summed_area_table(const cl::Buffer &picture, const cl::Buffer &out, size_t height, size_t width);

  static constexpr size_t kGroup = 256;
  static constexpr size_t kChunkOfSort = 2 * kGroup;

private:
  template <class... Arguments>
  Result<void> launch(cl::Kernel &kernel, const cl::NDRange &groups, const Arguments &...arguments);
  // A work-item for each of n elements.
  template <class... Arguments>
  Result<void> launch_on(size_t n, cl::Kernel &kernel, const Arguments &...arguments);

  cl::CommandQueue queue_;
  cl::Buffer scratch_, other_;
  std::optional<BlockScanner> scanner_;
  cl::Kernel flag_, gather_, flag_zeros_, scatter_by_bit_, sort_chunks_, merge_runs_;
  cl::Kernel take_apart_, scan_rows_, transpose_, transpose_together_;
};

}  // namespace upsweep::cli::textbooks
#endif
