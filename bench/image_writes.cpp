// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and copies of images by kernels, and stores and copies of the same bytes in buffers.
#include "bench/opencl/image_writes.h"
#include "bench/image_cases.h"

namespace upsweep::bench {
namespace {

// Colours are multiples of 1/255. In RGBA8 they may round by 0.6 of that; in the other formats they are exact.
double tolerance_of(const TexelFormat &format) { return format.type == CL_UNORM_INT8 ? 0.5 / 255 : 0; }

// The kernel's colours.
Colour colour_of(const TexelFormat &format, size_t x, size_t y) {
  const double unit = format.type == CL_UNORM_INT8 ? 255 : 256;
  auto part = [&](size_t value) { return static_cast<double>(value & 255) / unit; };
  return {part(x), part(y), part(x ^ y), part(x + y)};
}

struct Work {
  const TexelFormat *format;
  Extent extent;
  bool copies;
  bool images;  // rather than buffers
};

const char *kernel_name(const Work &what) {
  if (what.copies) return what.images ? "copy_image" : "copy_buffer";
  return what.images ? "write_image" : "write_buffer";
}

Result<cl::Memory> make_memory(const Device &device, const Work &what, const Texels *texels) {
  if (what.images) return make_image(device, *what.format, what.extent, texels);
  return make_buffer(device, what.extent.texels() * what.format->bytes, texels ? texels->data().data() : nullptr);
}

Result<Texels> read_memory(const Device &device, const Work &what, const cl::Memory &memory) {
  if (what.images) return read_image(device, memory, *what.format, what.extent);
  Texels texels(*what.format, what.extent);
  const cl_int error =
      clEnqueueReadBuffer(device.queue(), memory(), CL_TRUE, 0, texels.bytes(), texels.data().data(), 0, nullptr, nullptr);
  if (auto done = cli::check(error, "read a buffer"); !done) return Failure(done.error());
  return texels;
}

Result<Prepared> prepare(const Device &device, const Work &what) {
  const std::string options = fmt::format("{} -DFILTER=CLK_FILTER_NEAREST -DWIDTH={} -DHEIGHT={} -DDEPTH=1",
                                          what.format->option, what.extent.width, what.extent.height);
  auto kernel = make_kernel(device, kImageWritesSource, options, kernel_name(what));
  if (!kernel) return Failure(kernel.error());
  const auto from = random_texels(*what.format, what.extent);
  std::vector<cl::Memory> memory;
  if (what.copies) {
    const auto in = make_memory(device, what, from.get());
    if (!in) return Failure(in.error());
    memory.push_back(*in);
  }
  const auto out = make_memory(device, what, nullptr);
  if (!out) return Failure(out.error());
  memory.push_back(*out);
  for (cl_uint i = 0; i < memory.size(); ++i) kernel->setArg(i, memory[i]);
  const auto verify = [=, out = *out] {
    return read_memory(device, what, out).and_then([&](const Texels &got) -> Result<void> {
      if (what.copies && got.data() != from->data()) return cli::fail("the copy differs from the original");
      if (what.copies) return {};
      const auto colour = [&](size_t x, size_t y) { return colour_of(*what.format, x, y); };
      return compare_texels(got, colour, tolerance_of(*what.format), 1);
    });
  };
  const auto run = launch(device, *kernel, cl::NDRange(what.extent.width, what.extent.height), cl::NDRange(32, 8));
  return Prepared{run, verify, std::move(memory)};
}

void add(std::vector<Case> &cases, const Work &what) {
  const auto texels = static_cast<double>(what.extent.texels());
  const char *name = what.copies   ? what.images ? "copy by a kernel" : "copy of buffers by a kernel"
                     : what.images ? "write"
                                   : "plain stores";
  cases.push_back({.name = name,
                   .variant = fmt::format("{}, 2D, in rows", what.format->name),
                   .bound = Bound::Memory,
                   .bytes = (what.copies ? 2 : 1) * texels * static_cast<double>(what.format->bytes),
                   .elements = texels,
                   .prepare = [=](const Device &device) { return prepare(device, what); },
                   .is_ceiling = !what.images,
                   .group = fmt::format("{}, {}", what.copies ? "copy" : "write", what.format->name),
                   .unit = "Gtexel/s",
                   .is_yardstick = !what.images});
}

}  // namespace

void add_image_writes(std::vector<Case> &cases, const Options &options) {
  for (const bool copies : {false, true})
    for (const TexelFormat *format : kTexelFormats)
      for (const bool images : {false, true}) add(cases, {format, plane_extent(options), copies, images});
}

}  // namespace upsweep::bench
