// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds and launches the kernels of rungs.cl.
#include "bench/textbooks/device_scans.h"

#include "examples/opencl/ladder/rungs.h"

namespace upsweep::cli::textbooks {

std::string options_of(const Device &device, const BlockScan &way) {
  const bool has_functions = device.device.getInfo<CL_DEVICE_VERSION>() >= "OpenCL 3";
  return fmt::format("-DITEMS={}u -DPADDED={} -DUNROLLED={} -DNUMBER={} -DNUMBER4={}4{}", way.items, way.is_padded ? 1 : 0,
                     way.is_unrolled ? 1 : 0, way.number, way.number, has_functions ? " -cl-std=CL3.0" : "");
}

Result<BlockScanner> BlockScanner::create(const Device &device, const BlockScan &way, size_t most_elements) {
  if (way.items > device.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>())
    return fail("{}: the device has no work-groups of {}", way.name, way.items);
  const auto program = build_program(device, kRungsSource, options_of(device, way));
  if (!program) return Failure(program.error());
  BlockScanner scanner;
  scanner.way_ = way;
  scanner.queue_ = device.queue;
  cl_int errors[2] = {};
  scanner.blocks_ = cl::Kernel(*program, way.kernel.c_str(), &errors[0]);
  scanner.add_ = cl::Kernel(*program, "add_sums", &errors[1]);
  for (const cl_int error : errors)
    if (auto done = check(error, "make the kernels of " + way.name); !done) return Failure(done.error());
  for (size_t n = most_elements; scanner.sums_.empty() || n > 1;) {
    n = (n + way.block() - 1) / way.block();
    cl_int error = CL_SUCCESS;
    scanner.sums_.emplace_back(device.context, CL_MEM_READ_WRITE, n * sizeof(cl_uint), nullptr, &error);
    if (auto done = check(error, "make a buffer"); !done) return Failure(done.error());
  }
  return scanner;
}

Result<void> BlockScanner::launch_blocks(const cl::Buffer &in, const cl::Buffer &out, const cl::Buffer &sums, size_t n,
                                         unsigned repeats) {
  blocks_.setArg(0, in);
  blocks_.setArg(1, out);
  blocks_.setArg(2, sums);
  blocks_.setArg(3, static_cast<cl_uint>(n));
  blocks_.setArg(4, static_cast<cl_uint>(way_.items * way_.tree_per_item));
  blocks_.setArg(5, static_cast<cl_uint>(repeats));
  const size_t blocks = (n + way_.block() - 1) / way_.block();
  return check(queue_.enqueueNDRangeKernel(blocks_, cl::NullRange, cl::NDRange(blocks * way_.items), cl::NDRange(way_.items)),
               "launch " + way_.name);
}

Result<void> BlockScanner::scan_level(const cl::Buffer &in, const cl::Buffer &out, size_t n, size_t level) {
  auto done = launch_blocks(in, out, sums_[level], n, 1);
  const size_t blocks = (n + way_.block() - 1) / way_.block();
  if (!done || blocks <= 1) return done;
  done = scan_level(sums_[level], sums_[level], blocks, level + 1);
  if (!done) return done;
  add_.setArg(0, out);
  add_.setArg(1, sums_[level]);
  add_.setArg(2, static_cast<cl_uint>(n));
  add_.setArg(3, static_cast<cl_uint>(way_.block()));
  const size_t items = (n + way_.items - 1) / way_.items * way_.items;
  return check(queue_.enqueueNDRangeKernel(add_, cl::NullRange, cl::NDRange(items), cl::NDRange(way_.items)), "add the sums");
}

Result<void> BlockScanner::scan(const cl::Buffer &in, const cl::Buffer &out, size_t n) { return scan_level(in, out, n, 0); }

Result<void> BlockScanner::scan_block(const cl::Buffer &in, const cl::Buffer &out, unsigned repeats) {
  return launch_blocks(in, out, sums_[0], way_.block(), repeats);
}

}  // namespace upsweep::cli::textbooks
