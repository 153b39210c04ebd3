// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of images by all kinds of coordinates, and loads of the same texels from a buffer.
#include "bench/opencl/image_reads.h"
#include "bench/image_cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kReads = 16;  // reads of a work-item, equal to READS in image_reads.cl

// Filters with the 8 bits of GPUs pass; a single wrong texel among kReads fails. In volumes three weights have errors.
constexpr double kTolerance = 2e-3, kVolumeTolerance = 4e-3;

enum class Pattern { Rows, Rotated, Random };

// A way to read a texel.
struct Way {
  const char *name;
  const char *options;
  bool loads = false;  // from a buffer
  bool linear = false;
  bool repeats = false;
};

constexpr Way kLoads = {.name = "plain loads", .options = "-DFROM_BUFFER", .loads = true};
constexpr Way kNearest = {.name = "nearest", .options = "-DFILTER=CLK_FILTER_NEAREST"};
constexpr Way kLinear = {.name = "linear", .options = "-DFILTER=CLK_FILTER_LINEAR", .linear = true};
constexpr Way kIntegers = {.name = "integer coordinates", .options = "-DFILTER=CLK_FILTER_NEAREST -DINTEGER_PLACES"};
constexpr Way kNoSampler = {.name = "without a sampler", .options = "-DFILTER=CLK_FILTER_NEAREST -DNO_SAMPLER"};
constexpr Way kArgument = {
    .name = "linear, sampler argument", .options = "-DFILTER=CLK_FILTER_LINEAR -DSAMPLER_ARGUMENT", .linear = true};
constexpr Way kRepeating = {.name = "linear, normalised, repeated",
                            .options = "-DFILTER=CLK_FILTER_LINEAR -DNORMALISED_PLACES",
                            .linear = true,
                            .repeats = true};

struct Read {
  const TexelFormat *format;
  Extent extent;
  Pattern pattern;
  Way way;
};

std::string options_of(const Read &what) {
  constexpr const char *kPatterns[] = {"", "-DROTATED", "-DRANDOM"};
  return fmt::format("{} {} {} {} -DWIDTH={} -DHEIGHT={} -DDEPTH={}", what.format->option, what.way.options,
                     kPatterns[static_cast<int>(what.pattern)], what.extent.is_volume() ? "-DVOLUME" : "", what.extent.width,
                     what.extent.height, what.extent.depth);
}

// The sum that work-item `item` stores: the kernel's places, in double precision, in which nothing rounds either.
Colour expected(const Read &what, const Texels &texels, size_t item) {
  const auto [width, height, depth] = what.extent;
  const size_t x = item % width, row = item / width % (height / kReads) * kReads, z = item / width / (height / kReads);
  auto state = static_cast<uint32_t>((z * height + row) * width + x) * 2654435761u;
  const auto middle = static_cast<double>(width) / 2;
  Colour sum = {};
  for (size_t y = row; y < row + kReads; ++y) {
    auto u = static_cast<double>(x), v = static_cast<double>(y), w = static_cast<double>(z);
    if (what.pattern == Pattern::Rotated) {
      const double across = u - middle, down = v - middle;  // planes are squares
      u = 111 / 128.0 * across - 0.5 * down + middle;
      v = 0.5 * across + 111 / 128.0 * down + middle;
    } else if (what.pattern == Pattern::Random) {
      state = state * 1664525u + 1013904223u;
      u = static_cast<double>((state >> 8) & (width - 1));
      v = static_cast<double>((state >> 19) & (height - 1));
      w = static_cast<double>(((state >> 13) * 5) & (depth - 1));
    }
    const Edge edge = what.way.repeats ? Edge::Repeat : Edge::Clamp;
    const auto read = what.way.linear ? &Texels::linear : &Texels::nearest;
    const Colour colour = (texels.*read)(u + 197 / 256.0, v + 101 / 256.0, w + 59 / 256.0, edge);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += colour[i];
  }
  return sum;
}

Result<Prepared> prepare(const Device &device, const Read &what) {
  auto kernel = make_kernel(device, kImageReadsSource, options_of(what), "read");
  if (!kernel) return Failure(kernel.error());
  const auto texels = random_texels(*what.format, what.extent);
  const size_t items = what.extent.texels() / kReads, results = items * what.format->channels;
  const auto out = make_buffer(device, results * sizeof(float), nullptr);
  if (!out) return Failure(out.error());
  std::vector<cl::Memory> memory = {*out};
  kernel->setArg(1, *out);
  cl::Sampler sampler;
  if (what.way.loads) {
    const auto in = make_buffer(device, texels->bytes(), texels->data().data());
    if (!in) return Failure(in.error());
    kernel->setArg(0, *in);
    memory.push_back(*in);
  } else {
    const auto in = make_image(device, *what.format, what.extent, texels.get());
    if (!in) return Failure(in.error());
    cl_int error = CL_SUCCESS;
    sampler = cl::Sampler(device.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                          what.way.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &error);
    if (auto done = cli::check(error, "make a sampler"); !done) return Failure(done.error());
    kernel->setArg(0, *in);
    kernel->setArg(2, sampler);
    memory.push_back(*in);
  }
  const auto verify = [=, out = *out] {
    return read_buffer<float>(device, out, results).and_then([&](const std::vector<float> &got) {
      const size_t channels = what.format->channels;
      const auto sum = [&](size_t i) { return expected(what, *texels, i / channels)[i % channels]; };
      return compare(got, sum, what.extent.is_volume() ? kVolumeTolerance : kTolerance, step_of(results));
    });
  };
  const cl::NDRange global = what.extent.is_volume()
                                 ? cl::NDRange(what.extent.width, what.extent.height / kReads, what.extent.depth)
                                 : cl::NDRange(what.extent.width, what.extent.height / kReads);
  const cl::NDRange local = what.extent.is_volume() ? cl::NDRange(32, 8, 1) : cl::NDRange(32, 8);
  return Prepared{[run = launch(device, *kernel, global, local), sampler] { return run(); }, verify, std::move(memory)};
}

void add(std::vector<Case> &cases, const Read &what) {
  constexpr const char *kPatterns[] = {"in rows", "rotated by 30 degrees", "at random"};
  const auto texels = static_cast<double>(what.extent.texels());
  const std::string variant = fmt::format("{}, {}, {}", what.format->name, what.extent.is_volume() ? "3D" : "2D",
                                          kPatterns[static_cast<int>(what.pattern)]);
  cases.push_back({.name = what.way.name,
                   .variant = variant,
                   .bound = Bound::Memory,
                   .bytes = texels * static_cast<double>(what.format->bytes),
                   .elements = texels,
                   .prepare = [=](const Device &device) { return prepare(device, what); },
                   .is_ceiling = what.way.loads,
                   .group = variant,
                   .unit = "Gtexel/s",
                   .is_yardstick = what.way.loads});
}

}  // namespace

void add_image_reads(std::vector<Case> &cases, const Options &options) {
  const Extent plane = plane_extent(options), volume = volume_extent(options);
  for (const TexelFormat *format : kTexelFormats)
    for (const Pattern pattern : {Pattern::Rows, Pattern::Rotated, Pattern::Random}) {
      for (const Way &way : {kLoads, kNearest, kLinear}) add(cases, {format, plane, pattern, way});
      if (pattern != Pattern::Rows) continue;
      for (const Way &way : {kIntegers, kNoSampler}) add(cases, {format, plane, pattern, way});
      if (format == &kRgba8)
        for (const Way &way : {kArgument, kRepeating}) add(cases, {format, plane, pattern, way});
    }
  for (const TexelFormat *format : kTexelFormats)
    for (const Pattern pattern : {Pattern::Rows, Pattern::Random})
      for (const Way &way : {kLoads, kNearest, kLinear}) add(cases, {format, volume, pattern, way});
}

}  // namespace upsweep::bench
