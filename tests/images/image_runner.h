// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random images on the default device, and kernels that read and write them.
#ifndef UPSWEEP_TESTS_IMAGES_IMAGE_RUNNER_H
#define UPSWEEP_TESTS_IMAGES_IMAGE_RUNNER_H

#include "../kernels/kernel_runner.h"
#include "guarded_memory.h"
#include "reference.h"

#include <random>

namespace upsweep::tests {

/// A type of the language, and the object and coordinates that belong to it.
struct ImageType {
  const char *name;
  cl_mem_object_type object;
  const char *coordinate;  ///< the components of a coordinate in a vector of four
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

/// How the texels of images of floats and halves are drawn.
enum class Contents {
  kAnyBits,  ///< with infinities, NaN and subnormal numbers
  kFinite    ///< of one size, so that filters can be compared closely
};

/// Bytes from row to row and from slice to slice.
struct Pitches {
  size_t row = 0, slice = 0;
};

/// An image object, and the host memory or the buffer that it was made of.
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

  /// What the device supports of the type; every format has to be known to the reference.
  std::vector<cl_image_format> formats(const ImageType &type, cl_mem_flags flags);

  Image random_image(const ImageType &type, const cl_image_format &format, Contents contents);
  /// An image object with those texels, made in one of the ways that there are: of host memory with gaps, used or copied, by a
  /// write, or of a buffer.
  DeviceImage create(const Image &image, cl_mem_flags access);
  /// The texels as the object has them now, by a read into rows with gaps.
  std::vector<unsigned char> texels_of(const Image &image, const DeviceImage &object);

  /// Whether what lies between rows and slices of the memory or buffer that the image was made of is as it was.
  bool gaps_are_untouched(const Image &image, DeviceImage &object);
  bool has_halves();

  /// Coordinates inside, at edges and out of the image; `sampler` says whether they are normalised, and whether they may be
  /// outside.
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

inline constexpr size_t kReads = 331;  ///< per kernel: whole sub-groups of all sizes, and a part of one

}  // namespace upsweep::tests
#endif
