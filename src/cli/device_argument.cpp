// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers, images and samplers of `upsweep run`.
#include "cli/device_argument.h"

#include "cli/image_argument.h"
#include "cli/texels.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace upsweep::cli {
namespace {

using Kind = HostArgument::Kind;

// Devices support formats by access: sRGB, for example, often only for reading.
cl_mem_flags flags_of(cl_kernel_arg_access_qualifier access) {
  switch (access) {
  case CL_KERNEL_ARG_ACCESS_READ_ONLY: return CL_MEM_READ_ONLY;
  case CL_KERNEL_ARG_ACCESS_WRITE_ONLY: return CL_MEM_WRITE_ONLY;
  default: return CL_MEM_READ_WRITE;
  }
}

Result<cl::Memory> make_buffer(const Device &device, size_t bytes) {
  cl_int error = CL_SUCCESS;
  const cl::Memory buffer(clCreateBuffer(device.context(), CL_MEM_READ_WRITE, bytes, nullptr, &error), false);
  return check(error, fmt::format("make a buffer of {} bytes", bytes)).map([&] { return buffer; });
}

Result<DeviceArgument> make_image(const Device &device, const Parameter &parameter, HostArgument &argument) {
  const ImageTypeName &type = *find_image_type(parameter.type);
  const ImageFormat format = *ImageFormat::find(argument.format);
  const size_t bytes =
      std::accumulate(argument.extent.begin(), argument.extent.end(), format.texel_bytes(), std::multiplies<>());
  DeviceArgument made;
  std::ranges::copy(argument.extent, made.region.begin());
  cl_image_desc desc = describe_image(type, argument.extent);
  if (type.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
    auto parent = make_buffer(device, bytes);
    if (!parent) return Failure(parent.error());
    made.parent = *parent;
    desc.mem_object = made.parent();
  }
  cl_int error = CL_SUCCESS;
  made.memory =
      cl::Memory(clCreateImage(device.context(), flags_of(parameter.access), &argument.format, &desc, nullptr, &error), false);
  const auto what = fmt::format("make an image of {} texels ({}) for {}", extent_text(argument.extent), format_name(format),
                                parameter.declaration());
  if (auto done = check(error, what); !done) return Failure(done.error());
  argument.bytes.resize(bytes);
  return made;
}

Result<DeviceArgument> make(const Device &device, const Parameter &parameter, HostArgument &argument) {
  DeviceArgument made;
  cl_int error = CL_SUCCESS;
  switch (argument.kind) {
  case Kind::Image: return make_image(device, parameter, argument);
  case Kind::Buffer:
    return make_buffer(device, argument.bytes.size()).map([&](const cl::Memory &buffer) {
      made.memory = buffer;
      return made;
    });
  case Kind::Sampler:
    made.sampler =
        cl::Sampler(device.context, argument.sampler.normalized, argument.sampler.addressing, argument.sampler.filter, &error);
    return check(error, "make a sampler").map([&] { return made; });
  default: return made;
  }
}

}  // namespace

Result<DeviceArgument> make_device_argument(const Device &device, const cl::Kernel &kernel, cl_uint index,
                                            const Parameter &parameter, HostArgument &argument) {
  auto made = make(device, parameter, argument);
  if (!made) return made;
  size_t size = sizeof(cl_mem);
  const void *value = nullptr;
  switch (argument.kind) {
  case Kind::Buffer:
  case Kind::Image: value = &made->memory(); break;
  case Kind::Sampler: value = &made->sampler(); break;
  case Kind::Value:
    size = argument.bytes.size();
    value = argument.bytes.data();
    break;
  case Kind::Local: size = argument.local_bytes; break;
  }
  if (auto done = check(clSetKernelArg(kernel(), index, size, value), fmt::format("set argument {}", index)); !done)
    return Failure(done.error());
  return made;
}

Result<void> write_to_device(const Device &device, const DeviceArgument &on_device, const HostArgument &argument) {
  constexpr size_t kOrigin[3] = {};
  const auto &bytes = argument.bytes;
  if (argument.kind == Kind::Buffer)
    return check(
        clEnqueueWriteBuffer(device.queue(), on_device.memory(), CL_FALSE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
        "fill a buffer");
  if (argument.kind == Kind::Image)
    return check(clEnqueueWriteImage(device.queue(), on_device.memory(), CL_FALSE, kOrigin, on_device.region.data(), 0, 0,
                                     bytes.data(), 0, nullptr, nullptr),
                 "fill an image");
  return {};
}

Result<void> read_from_device(const Device &device, const DeviceArgument &on_device, HostArgument &argument) {
  constexpr size_t kOrigin[3] = {};
  auto &bytes = argument.bytes;
  if (argument.kind == Kind::Buffer)
    return check(
        clEnqueueReadBuffer(device.queue(), on_device.memory(), CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr),
        "read a buffer");
  if (argument.kind == Kind::Image)
    return check(clEnqueueReadImage(device.queue(), on_device.memory(), CL_TRUE, kOrigin, on_device.region.data(), 0, 0,
                                    bytes.data(), 0, nullptr, nullptr),
                 "read an image");
  return {};
}

}  // namespace upsweep::cli
