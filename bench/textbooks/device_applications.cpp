// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds and launches the kernels of applications.cl.
#include "bench/textbooks/device_applications.h"

#include "examples/opencl/ladder/applications.h"
#include "examples/opencl/ladder/rungs.h"

#include <utility>

namespace upsweep::cli::textbooks {
namespace {

constexpr size_t kSide = 32;  // of a tile of a transpose

size_t divide_up(size_t a, size_t b) { return (a + b - 1) / b; }

template <class T>
cl_int set(cl::Kernel &kernel, cl_uint place, const T &value) {
  if constexpr (std::is_integral_v<T>)
    return kernel.setArg(place, static_cast<cl_uint>(value));
  else
    return kernel.setArg(place, value);
}

}  // namespace

Result<Applications> Applications::create(const Device &device, size_t most, const cl::Buffer &scratch,
                                          const cl::Buffer &other) {
  Applications made;
  made.queue_ = device.queue;
  made.scratch_ = scratch;
  made.other_ = other;
  BlockScan way{"work-efficient, 8 elements an item", "quad_blocks", kGroup, 8, true, true};
  way.number = "uint";
  auto scanner = BlockScanner::create(device, way, most);
  if (!scanner) return Failure(scanner.error());
  made.scanner_ = std::move(*scanner);
  const auto program =
      build_program(device, std::string(kRungsSource) + std::string(kApplicationsSource), options_of(device, way));
  if (!program) return Failure(program.error());
  for (auto [kernel, name] : {std::pair(&made.flag_, "flag"),
                              {&made.gather_, "gather"},
                              {&made.flag_zeros_, "flag_zeros"},
                              {&made.scatter_by_bit_, "scatter_by_bit"},
                              {&made.sort_chunks_, "sort_chunks"},
                              {&made.merge_runs_, "merge_runs"},
                              {&made.take_apart_, "take_apart"},
                              {&made.scan_rows_, "scan_rows"},
                              {&made.transpose_, "transpose"},
                              {&made.transpose_together_, "transpose_together"}}) {
    cl_int error = CL_SUCCESS;
    *kernel = cl::Kernel(*program, name, &error);
    if (auto done = check(error, fmt::format("make the kernel {}", name)); !done) return Failure(done.error());
  }
  return made;
}

template <class... Arguments>
Result<void> Applications::launch(cl::Kernel &kernel, const cl::NDRange &groups, const Arguments &...arguments) {
  cl_uint place = 0;
  cl_int error = CL_SUCCESS;
  ((error = error == CL_SUCCESS ? set(kernel, place++, arguments) : error), ...);
  const cl::NDRange items(groups.get()[0] * kGroup, groups.get()[1], groups.get()[2]);
  if (error == CL_SUCCESS) error = queue_.enqueueNDRangeKernel(kernel, cl::NullRange, items, cl::NDRange(kGroup, 1, 1));
  return check(error, "launch " + kernel.getInfo<CL_KERNEL_FUNCTION_NAME>());
}
template <class... Arguments>
Result<void> Applications::launch_on(size_t n, cl::Kernel &kernel, const Arguments &...arguments) {
  return launch(kernel, cl::NDRange(divide_up(n, kGroup), 1, 1), arguments...);
}

Result<void> Applications::compact_by_gather(const cl::Buffer &in, const cl::Buffer &out, const cl::Buffer &kept, size_t n) {
  if (n == 0) return check(queue_.enqueueFillBuffer(kept, cl_uint{0}, 0, sizeof(cl_uint)), "fill a buffer");
  return launch_on(n, flag_, in, scratch_, n).and_then([&] { return scanner_->scan(scratch_, scratch_, n); }).and_then([&] {
    return launch_on(n, gather_, in, scratch_, out, kept, n);
  });
}

Result<void> Applications::sort_by_splits(const cl::Buffer &in, const cl::Buffer &out, size_t n) {
  const cl::Buffer *from = &in;
  for (unsigned bit = 0; n > 0 && bit < 32; ++bit) {
    const cl::Buffer *const to = bit % 2 == 0 ? &other_ : &out;  // the last one is `out`
    auto done = launch_on(n, flag_zeros_, *from, scratch_, n, bit)
                    .and_then([&] { return scanner_->scan(scratch_, scratch_, n); })
                    .and_then([&] { return launch_on(n, scatter_by_bit_, *from, scratch_, *to, n, bit); });
    if (!done) return done;
    from = to;
  }
  return {};
}

Result<void> Applications::sort_by_merges(const cl::Buffer &in, const cl::Buffer &out, size_t n) {
  if (n == 0) return {};
  int passes = 0;
  for (size_t width = kChunkOfSort; width < n; width *= 2) ++passes;
  // So that the last pass writes `out`.
  const cl::Buffer *from = passes % 2 == 0 ? &out : &other_, *to = passes % 2 == 0 ? &other_ : &out;
  auto done = launch(sort_chunks_, cl::NDRange(divide_up(n, kChunkOfSort), 1, 1), in, *from, n);
  for (size_t width = kChunkOfSort; done && width < n; width *= 2) {
    done = launch(merge_runs_, cl::NDRange(divide_up(n, 2 * width), 1, 1), *from, *to, n, width);
    std::swap(from, to);
  }
  return done;
}

Result<void> Applications::summed_area_table(const cl::Buffer &picture, const cl::Buffer &out, size_t height, size_t width) {
  const size_t pixels = height * width;
  if (pixels == 0) return {};
  const size_t across = divide_up(width, kSide), down = divide_up(height, kSide);
  return launch_on(pixels, take_apart_, picture, scratch_, pixels)
      .and_then([&] { return launch(scan_rows_, cl::NDRange(3 * height, 1, 1), scratch_, width); })
      .and_then([&] { return launch(transpose_, cl::NDRange(across, down, 3), scratch_, other_, height, width); })
      .and_then([&] { return launch(scan_rows_, cl::NDRange(3 * width, 1, 1), other_, height); })
      .and_then([&] { return launch(transpose_together_, cl::NDRange(down, across, 1), other_, out, width, height); });
}

}  // namespace upsweep::cli::textbooks
