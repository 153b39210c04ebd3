// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters of images: convolution, bicubic scaling, and a projection of a volume.
#include "bench/opencl/image_filters.h"
#include "bench/image_cases.h"

namespace upsweep::bench {
namespace {

constexpr size_t kPicture = 512;  // side of the volume

// A little more than one step of 1/255, since operations may be fused. Texels are read exactly.
constexpr double kTolerance = 1.1 / 255;
// GPUs' filters have weights of 8 bits, and a ray that ends a sample earlier lacks 1 % of the colour.
constexpr double kVolumeTolerance = 4.0 / 255;

using Reference = std::function<Colour(size_t x, size_t y)>;

struct Filter {
  const char *kernel;
  std::shared_ptr<const Texels> in;
  const TexelFormat *format;                                                                   // of the result
  Extent extent;                                                                               // of the result
  std::function<Result<std::vector<cl::Memory>>(const Device &, cl::Kernel &)> set_arguments;  // after the two images
  Reference expected;
  double tolerance;
};

Result<Prepared> prepare(const Device &device, const Filter &what) {
  auto kernel = make_kernel(device, kImageFiltersSource, "", what.kernel);
  if (!kernel) return Failure(kernel.error());
  const auto in = make_image(device, what.in->format(), what.in->extent(), what.in.get());
  const auto out = make_image(device, *what.format, what.extent, nullptr);
  if (!in || !out) return Failure(in ? out.error() : in.error());
  kernel->setArg(0, *in);
  kernel->setArg(1, *out);
  auto memory = what.set_arguments(device, *kernel);
  if (!memory) return Failure(memory.error());
  memory->insert(memory->end(), {*in, *out});
  const auto verify = [=, out = *out] {
    return read_image(device, out, *what.format, what.extent).and_then([&](const Texels &got) {
      return compare_texels(got, what.expected, what.tolerance, step_of(what.extent.texels()));
    });
  };
  const auto run = launch(device, *kernel, cl::NDRange(what.extent.width, what.extent.height), cl::NDRange(32, 8));
  return Prepared{run, verify, std::move(*memory)};
}

// The colour as the format stores it.
Colour stored(const TexelFormat &format, Colour colour) {
  if (format.type == CL_UNORM_INT8)
    for (double &channel : colour) channel = std::clamp(channel, 0.0, 1.0);
  return colour;
}

void accumulate(Colour &sum, double weight, const Colour &colour) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += weight * colour[i];
}

Filter convolution(const TexelFormat &format, const Extent &extent) {
  std::vector<float> weights;  // some of them negative: a sharpening filter
  for (int i = 0; i < 25; ++i) weights.push_back(i == 12 ? 2.0f : (static_cast<float>(i % 5) - 3.0f) / 24.0f);
  const auto in = random_texels(format, extent);
  const auto set_arguments = [=](const Device &device, cl::Kernel &kernel) -> Result<std::vector<cl::Memory>> {
    const auto buffer = make_buffer(device, weights.size() * sizeof(float), weights.data());
    if (!buffer) return Failure(buffer.error());
    kernel.setArg(2, *buffer);
    return std::vector<cl::Memory>{*buffer};
  };
  const auto expected = [=](size_t x, size_t y) {
    Colour sum = {};
    for (size_t i = 0; i < weights.size(); ++i) {
      const size_t column = x + i % 5, row = y + i / 5;
      const Colour colour = in->nearest(static_cast<double>(column) - 2, static_cast<double>(row) - 2, 0, Edge::Clamp);
      accumulate(sum, static_cast<double>(weights[i]), colour);
    }
    return stored(in->format(), sum);
  };
  return {"convolution", in, &in->format(), extent, set_arguments, expected, kTolerance};
}

// Catmull and Rom's cubic at a distance from a texel's centre.
double cubic(double distance) {
  const double t = std::abs(distance);
  if (t >= 2) return 0;
  return t < 1 ? (1.5 * t - 2.5) * t * t + 1 : ((-0.5 * t + 2.5) * t - 4) * t + 2;
}

Filter bicubic(const TexelFormat &format, const Extent &extent) {
  const auto in = random_texels(format, {extent.width / 2, extent.height / 2});
  const auto set_arguments = [](const Device &, cl::Kernel &kernel) -> Result<std::vector<cl::Memory>> {
    kernel.setArg(2, 0.5f);
    return std::vector<cl::Memory>();
  };
  const auto expected = [=](size_t x, size_t y) {
    const double u = (static_cast<double>(x) + 0.5) / 2 - 0.5, v = (static_cast<double>(y) + 0.5) / 2 - 0.5;
    Colour sum = {};
    for (int neighbour = 0; neighbour < 16; ++neighbour) {
      const double i = std::floor(u) - 1 + neighbour % 4, j = std::floor(v) - 1 + (neighbour >> 2);
      accumulate(sum, cubic(u - i) * cubic(v - j), in->nearest(i, j, 0, Edge::Clamp));
    }
    return stored(in->format(), sum);
  };
  return {"bicubic", in, &in->format(), extent, set_arguments, expected, kTolerance};
}

// A smooth volume with waves along each axis.
std::shared_ptr<const Texels> make_volume(size_t size) {
  Texels texels(kR8, {size, size, size});
  std::vector<double> waves;
  for (size_t i = 0; i < size; ++i) waves.push_back(std::sin(static_cast<double>(i) * 0.1));
  for (size_t i = 0; i < texels.bytes(); ++i) {
    const double product = waves[i % size] * waves[i / size % size] * waves[i / size / size];
    texels.data()[i] = static_cast<uint8_t>(255 * (0.5 + 0.5 * product));
  }
  return std::make_shared<const Texels>(std::move(texels));
}

using Vector = std::array<double, 3>;

// Rotated by 30 degrees about one axis, then about another.
constexpr Vector kRight = {0.8660254, 0, -0.5}, kDown = {0.25, 0.8660254, 0.4330127}, kForward = {0.4330127, -0.5, 0.75};

Colour cast_ray(const Texels &volume, size_t x, size_t y) {
  const auto size = static_cast<double>(volume.extent().width);
  const double u = (static_cast<double>(x) + 0.5) * size / kPicture - size / 2,
               v = (static_cast<double>(y) + 0.5) * size / kPicture - size / 2;
  double near = -1e9, far = 1e9;
  Vector start = {};
  for (size_t i = 0; i < 3; ++i) {
    start[i] = size / 2 + u * kRight[i] + v * kDown[i];
    const double low = -start[i] / kForward[i], high = (size - start[i]) / kForward[i];
    near = std::max(near, std::min(low, high));
    far = std::min(far, std::max(low, high));
  }
  Colour sum = {};
  for (double t = near; t < far && sum[3] < 0.99; ++t) {
    const double density =
        volume.linear(start[0] + t * kForward[0], start[1] + t * kForward[1], start[2] + t * kForward[2], Edge::Black)[0];
    accumulate(sum, (1 - sum[3]) * 0.1 * density * density, {density, 1 - density, 0.5, 1});
  }
  return sum;
}

Filter ray_casting(size_t size) {
  const auto volume = make_volume(size);
  const auto set_arguments = [=](const Device &, cl::Kernel &kernel) -> Result<std::vector<cl::Memory>> {
    auto vector = [](const Vector &v) {
      return cl_float4{{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]), 0}};
    };
    kernel.setArg(2, static_cast<float>(size));
    kernel.setArg(3, vector(kRight));
    kernel.setArg(4, vector(kDown));
    kernel.setArg(5, vector(kForward));
    return std::vector<cl::Memory>();
  };
  const auto expected = [=](size_t x, size_t y) { return cast_ray(*volume, x, y); };
  return {"ray_casting", volume, &kRgba8, {kPicture, kPicture}, set_arguments, expected, kVolumeTolerance};
}

void add(std::vector<Case> &cases, const char *name, const Filter &what) {
  const auto pixels = static_cast<double>(what.extent.texels());
  const bool flat = !what.in->extent().is_volume();
  cases.push_back({.name = name,
                   .variant = fmt::format("{}, {} to {}", what.in->format().name, what.in->extent().text(), what.extent.text()),
                   .bound = flat ? Bound::Memory : Bound::None,
                   .bytes = static_cast<double>(what.in->bytes()) + pixels * static_cast<double>(what.format->bytes),
                   .elements = pixels,
                   .prepare = [=](const Device &device) { return prepare(device, what); },
                   .group = fmt::format("copy, {}", what.format->name),  // whose bandwidth bounds it
                   .unit = "Mpixel/s"});
}

}  // namespace

void add_image_filters(std::vector<Case> &cases, const Options &options) {
  const Extent extent = plane_extent(options);
  for (const TexelFormat *format : {&kRgba8, &kRFloat}) add(cases, "convolution, 5 x 5", convolution(*format, extent));
  add(cases, "bicubic scaling", bicubic(kRgba8, extent));
  add(cases, "ray casting", ray_casting(options.on_gpu() ? 256 : 128));
}

}  // namespace upsweep::bench
