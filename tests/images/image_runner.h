// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random images on the default device, and kernels that read and write them.
#ifndef UPSWEEP_TESTS_IMAGES_IMAGE_RUNNER_H
#define UPSWEEP_TESTS_IMAGES_IMAGE_RUNNER_H

#include "../kernels/kernel_runner.h"
#include "guarded_memory.h"
#include "reference.h"

#include <random>

namespace upsweep::tests {

/// An image type of the language, with its object and coordinates.
struct ImageType {
  const char *name;
  cl_mem_object_type object;
  const char *coordinate;  ///< the components of a coordinate within a vector of four
  bool depth;
  [[nodiscard]] std::string options() const;
  friend void PrintTo(const ImageType &type, std::ostream *out) { *out << type.name; }
};

inline constexpr std::array kImageTypes{
    ImageType{"image1d_t", CL_MEM_OBJECT_IMAGE1D, "x", false},
    ImageType{"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, "x", false},
    ImageType{"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, "xy", false},
    ImageType{"image2d_t", CL_MEM_OBJECT_IMAGE2D, "xy", false},
    ImageType{"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, "xyzw", false},
    ImageType{"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, "xy", true},
    ImageType{"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, "xyzw", true},
    ImageType{"image3d_t", CL_MEM_OBJECT_IMAGE3D, "xyzw", false},
};

/// The distribution of texels in images of floats and halves.
enum class Contents {
  kAnyBits,  ///< with infinities, NaN and subnormal numbers
  kFinite    ///< of similar size, so that filters can be compared closely
};

/// Bytes between rows and between slices.
struct Pitches {
  size_t row = 0, slice = 0;
};

/// An image object, and the host memory or buffer behind it.
class DeviceImage {
public:
  DeviceImage() = default;
  DeviceImage(DeviceImage &&other) noexcept { *this = std::move(other); }
  DeviceImage &operator=(DeviceImage &&other) noexcept {
    std::swap(image, other.image);
    std::swap(buffer, other.buffer);
    std::swap(host, other.host);
    std::swap(pitches, other.pitches);
    return *this;
  }
  ~DeviceImage() {
    if (image) clReleaseMemObject(image);
    if (buffer) clReleaseMemObject(buffer);
  }

  cl_mem image = nullptr;
  cl_mem buffer = nullptr;
  GuardedMemory host;
  Pitches pitches;
};

class ImageRunner : public KernelRunner {
protected:
  bool has_extension(const std::string &name) {
    size_t bytes = 0;
    clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, 0, nullptr, &bytes);
    std::string names(bytes, ' ');
    clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, bytes, names.data(), nullptr);
    return names.find(name) != std::string::npos;
  }

  void SetUp() override;

  /// The formats that the device supports for this type. The reference must know each of them.
  std::vector<cl_image_format> formats(const ImageType &type, cl_mem_flags flags);

  Image random_image(const ImageType &type, const cl_image_format &format, Contents contents);
  /// An image object with these texels, created in a random way: from host memory with gaps, used or copied, by a write, or
  /// from a buffer.
  DeviceImage create(const Image &image, cl_mem_flags access);
  /// The current texels of the object, read into rows with gaps.
  std::vector<unsigned char> texels_of(const Image &image, const DeviceImage &object);

  /// Whether the gaps between rows and slices of the image's memory or buffer are unchanged.
  bool gaps_are_untouched(const Image &image, DeviceImage &object);
  bool has_halves();

  /// Coordinates inside of the image, at its edges and outside; `sampler` says whether they are normalised, and whether they
  /// may be outside.
  std::vector<Coordinate> random_coordinates(const Image &image, const Sampler &sampler);
  std::vector<IntCoordinate> random_int_coordinates(const Image &image, const Sampler &sampler);

  /// Runs the named kernel of the program, `kernel(image, at, out[, sampler])`, for each coordinate.
  template <typename At>
  std::vector<Components> read(const std::string &kernel, const DeviceImage &image, const std::vector<At> &at,
                               cl_sampler sampler = nullptr) {
    return read(kernel, image, at.data(), at.size() * sizeof(At), at.size(), sampler);
  }

  void use_kernel(const std::string &name);
  /// Work-groups of 64; the last may have fewer.
  void launch(size_t work_items);

  cl_mem buffer_of(const void *data, size_t bytes);
  uint64_t below(uint64_t limit) { return std::uniform_int_distribution<uint64_t>(0, limit - 1)(random_); }
  bool one_in(uint64_t n) { return below(n) == 0; }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  std::mt19937_64 random_;

private:
  Pitches random_pitches(const Image &image);
  float random_place(const Image &image, const Sampler &sampler, unsigned dimension);
  float random_layer(size_t layers);
  std::vector<Components> read(const std::string &kernel, const DeviceImage &image, const void *at, size_t bytes, size_t count,
                               cl_sampler sampler);
};

inline constexpr size_t kReads = 331;  ///< in each kernel: whole sub-groups of all sizes, and a partial one

}  // namespace upsweep::tests
#endif
