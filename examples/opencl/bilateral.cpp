// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a picture with noise, filters it with bilateral.cl, and checks every pixel against the same filter in double precision
// on the host. It only needs an OpenCL loader:
//
//     c++ -std=c++17 examples/opencl/bilateral.cpp -lOpenCL -o bilateral
//     ./bilateral examples/opencl/bilateral.cl [SIZE] [cpu|gpu] [FOLDER]
//
// With a FOLDER the pictures are written there as noisy.ppm and filtered.ppm.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int kRadius = 6;  // as in bilateral.cl
constexpr float kNoise = 0.2f, kSpace = 3.0f, kColour = 0.25f;

void require(cl_int error, const char *doing) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "cannot %s: error %d\n", doing, error);
  std::exit(1);
}

cl_device_id find_device(cl_device_type type) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  require(clGetPlatformIDs(16, platforms, &count), "find a platform");
  for (cl_uint i = 0; i < count; ++i) {
    cl_device_id device = nullptr;
    cl_bool has_images = CL_FALSE;
    if (clGetDeviceIDs(platforms[i], type, 1, &device, nullptr) != CL_SUCCESS) continue;
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has_images), &has_images, nullptr);
    if (has_images) return device;
  }
  std::fprintf(stderr, "no device has images\n");
  std::exit(77);  // the exit status of a skipped test
}

// A square picture of 8 bits for red, green, blue and alpha.
struct Picture {
  size_t size;
  std::vector<unsigned char> bytes;

  // A channel in 0 to 1; beyond an edge the pixel at the edge.
  double at(long x, long y, size_t channel) const {
    const auto clamp = [&](long place) { return static_cast<size_t>(std::clamp(place, 0L, static_cast<long>(size) - 1)); };
    return bytes[(clamp(y) * size + clamp(x)) * 4 + channel] / 255.0;
  }
};

class Images {
public:
  Images(const std::string &source, cl_device_type type, size_t size) : size_(size) {
    cl_int error = CL_SUCCESS;
    cl_device_id device = find_device(type);
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    require(error, "make a context");
    queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, &error);
    require(error, "make a queue");
    const char *text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &error);
    require(error, "make a program");
    require(clBuildProgram(program_, 1, &device, "-cl-std=CL1.2", nullptr, nullptr), "build the program");
  }
  ~Images() {
    clReleaseProgram(program_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }
  Images(const Images &) = delete;
  Images &operator=(const Images &) = delete;

  Picture draw(float noise) {
    cl_mem picture = make(nullptr);
    cl_kernel kernel = make_kernel("draw");
    set(kernel, 0, picture);
    set(kernel, 1, noise);
    return finish(kernel, picture);
  }
  Picture filter(const Picture &noisy) {
    cl_mem in = make(&noisy), out = make(nullptr);
    cl_kernel kernel = make_kernel("bilateral");
    set(kernel, 0, in);
    set(kernel, 1, out);
    set(kernel, 2, kSpace);
    set(kernel, 3, kColour);
    Picture filtered = finish(kernel, out);
    clReleaseMemObject(in);
    return filtered;
  }

private:
  cl_mem make(const Picture *content) {
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = size_;
    cl_int error = CL_SUCCESS;
    void *bytes = content ? const_cast<unsigned char *>(content->bytes.data()) : nullptr;
    cl_mem image = clCreateImage(context_, content ? CL_MEM_COPY_HOST_PTR : 0, &format, &desc, bytes, &error);
    require(error, "make an image");
    return image;
  }
  cl_kernel make_kernel(const char *name) {
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program_, name, &error);
    require(error, "make a kernel");
    return kernel;
  }
  template <typename T>
  void set(cl_kernel kernel, cl_uint index, const T &value) {
    require(clSetKernelArg(kernel, index, sizeof(value), &value), "set an argument");
  }
  // Runs the kernel and returns the resulting image.
  Picture finish(cl_kernel kernel, cl_mem image) {
    const size_t global[] = {size_, size_}, origin[3] = {}, region[] = {size_, size_, 1};
    require(clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, global, nullptr, 0, nullptr, nullptr), "launch the kernel");
    Picture picture{size_, std::vector<unsigned char>(size_ * size_ * 4)};
    require(clEnqueueReadImage(queue_, image, CL_TRUE, origin, region, 0, 0, picture.bytes.data(), 0, nullptr, nullptr),
            "read the image");
    clReleaseMemObject(image);
    clReleaseKernel(kernel);
    return picture;
  }

  size_t size_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

// The filter by its definition.
double reference(const Picture &noisy, long x, long y, size_t channel) {
  double sum = 0, weights = 0;
  for (long dy = -kRadius; dy <= kRadius; ++dy) {
    for (long dx = -kRadius; dx <= kRadius; ++dx) {
      double change = 0;
      for (size_t c = 0; c < 3; ++c) change += std::pow(noisy.at(x + dx, y + dy, c) - noisy.at(x, y, c), 2);
      const double weight = std::exp(-static_cast<double>(dx * dx + dy * dy) / (2 * kSpace * kSpace)) *
                            std::exp(-change / (2 * static_cast<double>(kColour) * kColour));
      sum += weight * noisy.at(x + dx, y + dy, channel);
      weights += weight;
    }
  }
  return sum / weights;
}

// The number of pixels that differ by more than one step of 1/255. It checks every 7th pixel of both axes, and the edges.
size_t count_wrong(const Picture &noisy, const Picture &filtered) {
  size_t wrong = 0;
  const auto size = static_cast<long>(noisy.size);
  const auto is_checked = [&](long place) { return place % 7 == 0 || place < kRadius || place >= size - kRadius; };
  for (long y = 0; y < size; ++y)
    for (long x = 0; x < size; ++x)
      for (size_t c = 0; c < 4; ++c)
        if (is_checked(x) && is_checked(y) && std::fabs(filtered.at(x, y, c) - reference(noisy, x, y, c)) * 255 > 1) ++wrong;
  return wrong;
}

double mean_error(const Picture &picture, const Picture &clean) {
  double sum = 0;
  for (size_t i = 0; i < clean.bytes.size(); ++i) sum += std::abs(picture.bytes[i] - clean.bytes[i]);
  return sum / (static_cast<double>(clean.bytes.size()) * 0.75);  // alpha has no noise
}

void write(const std::string &path, const Picture &picture) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << picture.size << " " << picture.size << "\n255\n";
  for (size_t i = 0; i < picture.bytes.size(); i += 4) file.write(reinterpret_cast<const char *>(&picture.bytes[i]), 3);
  require(file ? CL_SUCCESS : CL_INVALID_VALUE, "write a picture");
}

}  // namespace

int main(int argc, char **argv) {
  const size_t size = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 512;
  const bool on_gpu = argc > 3 && std::string(argv[3]) == "gpu";
  std::ifstream file(argc > 1 ? argv[1] : "bilateral.cl");
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  if (source.empty() || size == 0) {
    std::fprintf(stderr, "usage: bilateral bilateral.cl [SIZE] [cpu|gpu] [FOLDER]\n");
    return 2;
  }
  Images images(source, on_gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU, size);
  const Picture clean = images.draw(0), noisy = images.draw(kNoise), filtered = images.filter(noisy);
  std::printf("mean error by noise, of 255: %.2f before, %.2f after\n", mean_error(noisy, clean), mean_error(filtered, clean));
  if (argc > 4) {
    write(std::string(argv[4]) + "/noisy.ppm", noisy);
    write(std::string(argv[4]) + "/filtered.ppm", filtered);
  }
  const size_t wrong = count_wrong(noisy, filtered);
  std::printf("%zu values differ from the host's\n", wrong);
  // Most of a small picture is edges.
  const bool is_better = size < 64 || 2 * mean_error(filtered, clean) < mean_error(noisy, clean);
  return wrong == 0 && is_better ? 0 : 1;
}
