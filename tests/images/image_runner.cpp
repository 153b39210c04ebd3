// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image_runner.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace upsweep::tests {
namespace {

uint64_t seed() {
  const char *wanted = std::getenv("UPSWEEP_TEST_SEED");
  return wanted ? std::strtoull(wanted, nullptr, 0) : 1;
}

/// The extent in the order of clEnqueueReadImage: an array's size follows the dimensions of an image.
const std::array<size_t, 3> &region_of(const Image &image) { return image.size; }

cl_image_desc descriptor_of(const Image &image) {
  cl_image_desc descriptor{};
  descriptor.image_type = image.type;
  descriptor.image_width = image.size[0];
  switch (image.type) {
  case CL_MEM_OBJECT_IMAGE1D_ARRAY: descriptor.image_array_size = image.size[1]; break;
  case CL_MEM_OBJECT_IMAGE2D: descriptor.image_height = image.size[1]; break;
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    descriptor.image_height = image.size[1];
    descriptor.image_array_size = image.size[2];
    break;
  case CL_MEM_OBJECT_IMAGE3D:
    descriptor.image_height = image.size[1];
    descriptor.image_depth = image.size[2];
    break;
  default: break;
  }
  return descriptor;
}

/// The address of a row in memory with gaps. Layers of a 1D array are a slice apart.
size_t row_offset(const Image &image, const Pitches &pitches, size_t y, size_t z) {
  return image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? y * pitches.slice : y * pitches.row + z * pitches.slice;
}

size_t memory_bytes(const Image &image, const Pitches &pitches) {
  return pitches.slice * (image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? image.size[1] : image.size[2]);
}

constexpr unsigned char kGap = 0xcd;

}  // namespace

std::string ImageType::options() const {
  std::string text = std::string("-cl-std=CL3.0 -DIMAGE=") + name + " -DAT=" + coordinate;
  if (depth) text += " -DDEPTH";
  if (object == CL_MEM_OBJECT_IMAGE1D_BUFFER) text += " -DBUFFER";
  return text;
}

void ImageRunner::SetUp() {
  KernelRunner::SetUp();
  if (HasFatalFailure()) return;
  random_.seed(seed());
  RecordProperty("seed", std::to_string(seed()));
  std::printf("UPSWEEP_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed()));
  const char *is_exact = std::getenv("UPSWEEP_EXACT_FILTER");
  const bool has_texture_units = figure_of<cl_device_type>(device_, CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU;
  const bool are_inexact = has_texture_units && !(is_exact && *is_exact == '1');
  texture_units = {.are_used = has_texture_units, .filter = are_inexact, .decode_srgb = are_inexact};
  if (!figure_of<cl_bool>(device_, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "the device has no images";
}

std::vector<cl_image_format> ImageRunner::formats(const ImageType &type, cl_mem_flags flags) {
  cl_uint count = 0;
  EXPECT_EQ(clGetSupportedImageFormats(context_, flags, type.object, 0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_image_format> all(count), matching;
  EXPECT_EQ(clGetSupportedImageFormats(context_, flags, type.object, count, all.data(), nullptr), CL_SUCCESS);
  for (const cl_image_format &format : all) {
    EXPECT_TRUE(is_known(format)) << format.image_channel_order << " " << format.image_channel_data_type;
    if (is_known(format) && (format.image_channel_order == CL_DEPTH) == type.depth) matching.push_back(format);
  }
  EXPECT_FALSE(matching.empty()) << type.name;
  return matching;
}

Image ImageRunner::random_image(const ImageType &type, const cl_image_format &format, Contents contents) {
  static constexpr std::array<size_t, 8> kSizes{1, 2, 3, 5, 13, 16, 37, 61};  // 1, primes, and a composite number
  Image image;
  image.type = type.object;
  image.format = format;
  const unsigned extents = image.dimensions() + (image.is_array() ? 1 : 0);
  for (unsigned d = 0; d < extents; ++d) image.size[d] = kSizes[below(extents == 3 ? 5 : kSizes.size())];
  if (extents == 1) image.size[0] *= 1 + below(7);
  if (extents < 3 && one_in(8)) {  // longer than the tolerance of a coordinate's rounding
    image.size[0] = extents == 1 ? 4099 : 1021;
    image.size[1] = extents == 1 ? 1 : 1 + below(5);
  }
  image.bytes.resize(image.texels() * bytes_of_texel(format));
  static constexpr std::array<unsigned char, 5> kEnds{0x00, 0xff, 0x80, 0x81, 0x7f};
  for (unsigned char &byte : image.bytes) byte = one_in(6) ? kEnds[below(5)] : static_cast<unsigned char>(random_());
  if (contents == Contents::kFinite && format.image_channel_data_type == CL_FLOAT) {
    const auto scale = std::ldexp(1.0, static_cast<int>(below(40)) - 20);
    for (size_t i = 0; i < image.bytes.size(); i += 4) {
      const auto value = static_cast<float>(between(-scale, scale));
      std::memcpy(image.bytes.data() + i, &value, 4);
    }
  }
  if (contents == Contents::kFinite && format.image_channel_data_type == CL_HALF_FLOAT)
    for (size_t i = 0; i < image.bytes.size(); i += 2) {
      const uint16_t value = half_bits(between(-8, 8));
      std::memcpy(image.bytes.data() + i, &value, 2);
    }
  image.decode();
  return image;
}

Pitches ImageRunner::random_pitches(const Image &image) {
  const size_t bytes = bytes_of_texel(image.format);
  const size_t row = (image.size[0] + (one_in(2) ? 0 : below(4))) * bytes;
  const size_t rows = image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : image.size[1];
  return {row, row * (rows + (one_in(2) ? 0 : below(3)))};
}

DeviceImage ImageRunner::create(const Image &image, cl_mem_flags access) {
  DeviceImage object;
  const size_t row_bytes = image.size[0] * bytes_of_texel(image.format);
  Pitches pitches = random_pitches(image);
  const bool of_buffer =
      image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER || (image.type == CL_MEM_OBJECT_IMAGE2D && !image.is_depth() && one_in(4) &&
                                                     figure_of<cl_uint>(device_, CL_DEVICE_IMAGE_PITCH_ALIGNMENT) > 0);
  if (image.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) pitches = {row_bytes, row_bytes};
  if (of_buffer && image.type == CL_MEM_OBJECT_IMAGE2D) {  // the alignment in texels
    const size_t unit = figure_of<cl_uint>(device_, CL_DEVICE_IMAGE_PITCH_ALIGNMENT) * bytes_of_texel(image.format);
    pitches.row = (pitches.row + unit - 1) / unit * unit;
    pitches.slice = pitches.row * image.size[1];
  }
  // "The user is also responsible for ensuring image data passed is aligned to the granularity of the data representing a
  // single pixel
  // [...], except for CL_RGB and CL_RGBx images where the data must be aligned to the granularity of a single channel": host
  // specification, "Alignment of Application Data Types".
  const bool by_channel = image.format.image_channel_order == CL_RGB || image.format.image_channel_order == CL_RGBx;
  const size_t behind = by_channel && !of_buffer ? below(4) * bytes_of_channel(image.format) : 0;
  object.host = GuardedMemory(memory_bytes(image, pitches) + behind, kGap);
  object.pitches = pitches;
  unsigned char *const texels = object.host.bytes().data();
  for (size_t z = 0; z < image.size[2]; ++z)
    for (size_t y = 0; y < image.size[1]; ++y)
      std::memcpy(texels + row_offset(image, pitches, y, z), image.bytes.data() + (z * image.size[1] + y) * row_bytes,
                  row_bytes);

  cl_image_desc descriptor = descriptor_of(image);
  const bool rows = image.type != CL_MEM_OBJECT_IMAGE1D;
  const bool slices = image.is_array() || image.type == CL_MEM_OBJECT_IMAGE3D;
  cl_int status = CL_SUCCESS;
  if (of_buffer) {
    object.buffer = buffer_of(object.host.bytes().data(), object.host.bytes().size());
    descriptor.buffer = object.buffer;
    descriptor.image_row_pitch = image.type == CL_MEM_OBJECT_IMAGE2D ? pitches.row : 0;
    object.image = clCreateImage(context_, access, &image.format, &descriptor, nullptr, &status);
  } else if (one_in(3)) {
    object.image = clCreateImage(context_, access, &image.format, &descriptor, nullptr, &status);
    constexpr std::array<size_t, 3> origin{};
    EXPECT_EQ(clEnqueueWriteImage(queue_, object.image, CL_TRUE, origin.data(), region_of(image).data(), pitches.row,
                                  slices ? pitches.slice : 0, texels, 0, nullptr, nullptr),
              CL_SUCCESS);
  } else {
    descriptor.image_row_pitch = rows ? pitches.row : 0;
    descriptor.image_slice_pitch = slices ? pitches.slice : 0;
    const cl_mem_flags flags = access | (one_in(2) ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR);
    object.image = clCreateImage(context_, flags, &image.format, &descriptor, texels, &status);
  }
  EXPECT_EQ(status, CL_SUCCESS) << name_of(image.format);
  size_t bytes = 0;
  EXPECT_EQ(clGetImageInfo(object.image, CL_IMAGE_ELEMENT_SIZE, sizeof bytes, &bytes, nullptr), CL_SUCCESS);
  EXPECT_EQ(bytes, bytes_of_texel(image.format)) << name_of(image.format);
  return object;
}

std::vector<unsigned char> ImageRunner::texels_of(const Image &image, const DeviceImage &object) {
  const Pitches pitches = random_pitches(image);
  const bool slices = image.is_array() || image.type == CL_MEM_OBJECT_IMAGE3D;
  std::vector<unsigned char> memory(memory_bytes(image, pitches));
  constexpr std::array<size_t, 3> origin{};
  EXPECT_EQ(clEnqueueReadImage(queue_, object.image, CL_TRUE, origin.data(), region_of(image).data(), pitches.row,
                               slices ? pitches.slice : 0, memory.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  const size_t row_bytes = image.size[0] * bytes_of_texel(image.format);
  std::vector<unsigned char> packed(image.bytes.size());
  for (size_t z = 0; z < image.size[2]; ++z)
    for (size_t y = 0; y < image.size[1]; ++y)
      std::memcpy(packed.data() + (z * image.size[1] + y) * row_bytes, memory.data() + row_offset(image, pitches, y, z),
                  row_bytes);
  return packed;
}

bool ImageRunner::gaps_are_untouched(const Image &image, DeviceImage &object) {
  if (object.buffer)
    EXPECT_EQ(clEnqueueReadBuffer(queue_, object.buffer, CL_TRUE, 0, object.host.bytes().size(), object.host.bytes().data(), 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
  std::vector<unsigned char> memory(object.host.bytes().begin(), object.host.bytes().end());
  const size_t row_bytes = image.size[0] * bytes_of_texel(image.format);
  for (size_t z = 0; z < image.size[2]; ++z)
    for (size_t y = 0; y < image.size[1]; ++y)
      std::memset(memory.data() + row_offset(image, object.pitches, y, z), kGap, row_bytes);
  return std::ranges::all_of(memory, [](unsigned char byte) { return byte == kGap; });
}

bool ImageRunner::has_halves() {
  size_t bytes = 0;
  clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, 0, nullptr, &bytes);
  std::string extensions(bytes, '\0');
  clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, bytes, extensions.data(), nullptr);
  return extensions.find("cl_khr_fp16") != std::string::npos;
}

float ImageRunner::random_place(const Image &image, const Sampler &sampler, unsigned dimension) {
  const auto size = static_cast<double>(image.size[dimension]);
  const auto scaled = [&](double u) { return static_cast<float>(sampler.normalised ? u / size : u); };
  const auto stepped = [&](float x) {
    const uint64_t way = below(3);
    return way == 0 ? x : std::nextafter(x, way == 1 ? HUGE_VALF : -HUGE_VALF);
  };
  static constexpr std::array kFar{0x1p24, 0x1p31, 0x1p31 - 128, 0x1p32, 0x1p63, 1e5, 1e10, 3e38};
  switch (below(16)) {
  case 0:
  case 1:
  case 2:
  case 3: return scaled(between(0, size));
  case 4:
  case 5: return scaled(between(-2 * size, 3 * size));
  case 6:
  case 7: return stepped(scaled(one_in(2) ? 0 : size));
  case 8: return stepped(scaled((one_in(2) ? 0 : size) + (one_in(2) ? 0.5 : -0.5)));
  case 9:
  case 10: return stepped(scaled(static_cast<double>(below(image.size[dimension] + 1))));
  case 11: return stepped(scaled(static_cast<double>(below(image.size[dimension])) + 0.5));
  case 12: return stepped(scaled(size * (static_cast<double>(below(9)) - 4)));  // where repetition starts again
  case 13: return static_cast<float>(one_in(2) ? kFar[below(kFar.size())] : -kFar[below(kFar.size())]);
  case 14: return one_in(2) ? scaled(between(-1, 1)) : std::bit_cast<float>(static_cast<uint32_t>(random_()));
  default:
    if (!one_in(3)) return scaled(between(0, size));
    return std::array{std::numeric_limits<float>::quiet_NaN(), HUGE_VALF, -HUGE_VALF}[below(3)];
  }
}

float ImageRunner::random_layer(size_t layers) {
  const double layer = static_cast<double>(below(layers + 4)) - 2;
  static constexpr std::array<double, 5> kOffsets{0, 0.5, -0.5, 0.499, -0.499};
  if (one_in(20)) return one_in(2) ? 3e38F : -3e38F;
  return static_cast<float>(layer + kOffsets[below(5)]);
}

std::vector<Coordinate> ImageRunner::random_coordinates(const Image &image, const Sampler &sampler) {
  std::vector<Coordinate> coordinates(kReads);
  for (Coordinate &at : coordinates) {
    // Without an addressing mode, a read outside of the image is undefined, but must not fault.
    const bool anywhere = sampler.addressing != CL_ADDRESS_NONE || one_in(8);
    for (int attempt = 0; attempt < 100; ++attempt) {
      at = {static_cast<float>(between(-9, 9)), 7, -3, 5};  // unused components may have any value
      for (unsigned d = 0; d < image.dimensions(); ++d) at[d] = random_place(image, sampler, d);
      if (image.is_array()) at[image.dimensions()] = random_layer(image.size[image.dimensions()]);
      if (anywhere || is_defined(image, sampler, at)) break;
    }
  }
  return coordinates;
}

std::vector<IntCoordinate> ImageRunner::random_int_coordinates(const Image &image, const Sampler &sampler) {
  std::vector<IntCoordinate> coordinates(kReads);
  static constexpr std::array kFar{INT32_MIN, INT32_MAX, INT32_MIN + 1, INT32_MAX - 1, 1 << 24, -(1 << 16)};
  for (IntCoordinate &at : coordinates) {
    at = {7, -3, 1 << 30, -5};
    for (unsigned d = 0; d < image.dimensions() + (image.is_array() ? 1 : 0); ++d) {
      const auto size = static_cast<int32_t>(image.size[d]);
      const auto inside = static_cast<int32_t>(below(image.size[d]));
      at[d] = (sampler.addressing == CL_ADDRESS_NONE && !one_in(8)) || one_in(2) ? inside
              : one_in(3)                                                        ? kFar[below(kFar.size())]
                          : static_cast<int32_t>(below(image.size[d] + 6)) - 3;
      if (one_in(4)) at[d] = one_in(2) ? 0 : size - 1;
    }
  }
  return coordinates;
}

cl_mem ImageRunner::buffer_of(const void *data, size_t bytes) {
  return clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes, const_cast<void *>(data), nullptr);
}

void ImageRunner::use_kernel(const std::string &name) {
  if (kernel_) clReleaseKernel(kernel_);
  kernel_ = clCreateKernel(program_, name.c_str(), nullptr);
  ASSERT_NE(kernel_, nullptr) << name;
}

void ImageRunner::launch(size_t work_items) {
  constexpr size_t kLocal = 64;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &work_items, &kLocal, 0, nullptr, nullptr), CL_SUCCESS);
}

std::vector<Components> ImageRunner::read(const std::string &kernel, const DeviceImage &image, const void *at, size_t bytes,
                                          size_t count, cl_sampler sampler) {
  std::vector<Components> result(count, Components{0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef});
  const size_t result_bytes = count * sizeof(Components);
  cl_mem coordinates = buffer_of(at, bytes), out = buffer_of(result.data(), result_bytes);
  use_kernel(kernel);
  set(0, image.image);
  set(1, coordinates);
  set(2, out);
  if (sampler) set(3, sampler);
  launch(count);
  EXPECT_EQ(clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, result_bytes, result.data(), 0, nullptr, nullptr), CL_SUCCESS);
  clReleaseMemObject(coordinates);
  clReleaseMemObject(out);
  return result;
}

}  // namespace upsweep::tests
