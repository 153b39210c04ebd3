// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chapter's scans of whole arrays by the kernels of rungs.cl: blocks, their sums, and a uniform addition.
#ifndef UPSWEEP_BENCH_TEXTBOOKS_DEVICE_SCANS_H
#define UPSWEEP_BENCH_TEXTBOOKS_DEVICE_SCANS_H

#include "cli/opencl.h"

#include <array>
#include <vector>

namespace upsweep::cli::textbooks {

// A way to scan a block, and the block's size.
struct BlockScan {
  std::string name;
  std::string kernel;
  size_t items = 256;  // work-items of a work-group
  size_t elements_per_item = 1;
  bool is_padded = false;
  bool is_unrolled = false;
  size_t tree_per_item = 2;  // elements of local memory that a tree has for each work-item
  std::string number = "float";

  [[nodiscard]] size_t block() const { return items * elements_per_item; }
};

// The build options of the kernels' program. Without -cl-std some compilers of OpenCL 3.0 report work-group functions that they
// lack.
std::string options_of(const Device &device, const BlockScan &way);

class BlockScanner {
public:
  // Fails for kernels that the device does not have.
  static Result<BlockScanner> create(const Device &device, const BlockScan &way, size_t most_elements);

  // An exclusive scan of n elements, enqueued.
  Result<void> scan(const cl::Buffer &in, const cl::Buffer &out, size_t n);
  // The first block alone, several times.
  Result<void> scan_block(const cl::Buffer &in, const cl::Buffer &out, unsigned repeats);

private:
  Result<void> launch_blocks(const cl::Buffer &in, const cl::Buffer &out, const cl::Buffer &sums, size_t n, unsigned repeats);
  Result<void> scan_level(const cl::Buffer &in, const cl::Buffer &out, size_t n, size_t level);

  BlockScan way_;
  cl::CommandQueue queue_;
  cl::Kernel blocks_, add_;
  std::vector<cl::Buffer> sums_;  // of each level
};

}  // namespace upsweep::cli::textbooks
#endif
