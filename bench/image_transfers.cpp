// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's commands on images, and the same on buffers with as many bytes.
#include "bench/image_cases.h"

#include <cstring>

namespace upsweep::bench {
namespace {

enum class Way { Create, Write, Read, Copy, Fill, Map };

constexpr cl_float kFill[4] = {0.2f, 0.4f, 0.6f, 0.8f};  // 51, 102, 153 and 204 in RGBA8
constexpr std::array<uint8_t, 4> kFilled = {51, 102, 153, 204};

constexpr size_t kOrigin[3] = {0, 0, 0};

// Commands on an image or a buffer of the same bytes. Host memory is an ordinary vector.
struct Objects {
  Device device;
  Extent extent;
  bool images = false;
  size_t bytes = 0;
  cl::Memory from = {};
  cl::Memory to = {};
  std::shared_ptr<Texels> host = {};

  [[nodiscard]] cl_command_queue queue() const { return device.queue(); }

  [[nodiscard]] Result<cl::Memory> make(const Texels *texels) const {
    if (images) return make_image(device, kRgba8, extent, texels);
    return make_buffer(device, bytes, texels ? texels->data().data() : nullptr);
  }

  [[nodiscard]] cl_int write(const Texels &texels) const {
    const void *data = texels.data().data();
    const auto region = extent.region();
    return images ? clEnqueueWriteImage(queue(), to(), CL_FALSE, kOrigin, region.data(), 0, 0, data, 0, nullptr, nullptr)
                  : clEnqueueWriteBuffer(queue(), to(), CL_FALSE, 0, bytes, data, 0, nullptr, nullptr);
  }

  cl_int read(Texels &texels) const {
    void *data = texels.data().data();
    const auto region = extent.region();
    return images ? clEnqueueReadImage(queue(), to(), CL_FALSE, kOrigin, region.data(), 0, 0, data, 0, nullptr, nullptr)
                  : clEnqueueReadBuffer(queue(), to(), CL_FALSE, 0, bytes, data, 0, nullptr, nullptr);
  }

  [[nodiscard]] cl_int copy() const {
    const auto region = extent.region();
    return images ? clEnqueueCopyImage(queue(), from(), to(), kOrigin, kOrigin, region.data(), 0, nullptr, nullptr)
                  : clEnqueueCopyBuffer(queue(), from(), to(), 0, 0, bytes, 0, nullptr, nullptr);
  }

  [[nodiscard]] cl_int fill() const {
    const auto region = extent.region();
    return images ? clEnqueueFillImage(queue(), to(), kFill, kOrigin, region.data(), 0, nullptr, nullptr)
                  : clEnqueueFillBuffer(queue(), to(), kFilled.data(), kFilled.size(), 0, bytes, 0, nullptr, nullptr);
  }

  // Maps for reading, and reads the first and the last row.
  cl_int map(Texels &texels) const {
    cl_int error = CL_SUCCESS;
    const size_t row = extent.width * kRgba8.bytes, last = extent.height - 1;
    const auto region = extent.region();
    size_t pitch = row;
    const void *data = images ? clEnqueueMapImage(queue(), to(), CL_TRUE, CL_MAP_READ, kOrigin, region.data(), &pitch, nullptr,
                                                  0, nullptr, nullptr, &error)
                              : clEnqueueMapBuffer(queue(), to(), CL_TRUE, CL_MAP_READ, 0, bytes, 0, nullptr, nullptr, &error);
    if (error != CL_SUCCESS) return error;
    std::memcpy(texels.data().data(), data, row);
    std::memcpy(&texels.data()[last * row], static_cast<const uint8_t *>(data) + last * pitch, row);
    return clEnqueueUnmapMemObject(queue(), to(), const_cast<void *>(data), 0, nullptr, nullptr);
  }

  // Creates an object from the host's bytes, and releases the previous one.
  cl_int create(const Texels &texels) {
    auto made = make(nullptr);
    if (!made) return CL_OUT_OF_RESOURCES;
    to = *made;
    const cl_int error = write(texels);
    return error == CL_SUCCESS ? device.queue.finish() : error;
  }
};

// The expected bytes in `to`, or in the host's memory.
Result<void> verify(const Objects &objects, Way way, const Texels &original) {
  Texels got = *objects.host;
  if (way != Way::Read && way != Way::Map) {
    cl_int error = objects.read(got);
    if (error == CL_SUCCESS) error = objects.device.queue.finish();
    if (auto done = cli::check(error, "read the result"); !done) return done;
  }
  const size_t row = original.extent().width * kRgba8.bytes;
  for (size_t i = 0; i < got.bytes(); ++i) {
    if (way == Way::Map && i >= row && i < got.bytes() - row) continue;
    const uint8_t want = way == Way::Fill ? kFilled[i % 4] : original.data()[i];
    if (got.data()[i] != want) return cli::fail("byte {} is {}, and should be {}", i, got.data()[i], want);
  }
  return {};
}

Result<Prepared> prepare(const Device &device, Way way, bool images, const Extent &extent) {
  const auto original = random_texels(kRgba8, extent);
  const auto objects =
      std::make_shared<Objects>(Objects{.device = device, .extent = extent, .images = images, .bytes = original->bytes()});
  const auto from = objects->make(original.get()), to = objects->make(nullptr);
  if (!from || !to) return Failure(from ? to.error() : from.error());
  objects->from = *from;
  objects->to = *to;
  objects->host = std::make_shared<Texels>(kRgba8, extent);
  // Reads get bytes that the device has written: the host's bytes may still be in host memory.
  if (way == Way::Read || way == Way::Map)
    if (auto done = cli::check(objects->copy(), "copy an object"); !done) return Failure(done.error());
  const auto enqueue = [=]() -> cl_int {
    switch (way) {
    case Way::Create: return objects->create(*original);
    case Way::Write: return objects->write(*original);
    case Way::Read: return objects->read(*objects->host);
    case Way::Copy: return objects->copy();
    case Way::Fill: return objects->fill();
    case Way::Map: return objects->map(*objects->host);
    }
    return CL_INVALID_VALUE;
  };
  return Prepared{enqueue, [=] { return verify(*objects, way, *original); }, {*from, *to}};
}

}  // namespace

void add_image_transfers(std::vector<Case> &cases, const Options &options) {
  const Extent extent = plane_extent(options);
  const auto bytes = static_cast<double>(extent.texels() * kRgba8.bytes);
  auto add = [&](const char *name, Way way, double arrays) {
    for (const bool images : {false, true})
      cases.push_back({.name = fmt::format("{} {}", name, images ? "image" : "buffer"),
                       .variant = fmt::format("RGBA8, {}", extent.text()),
                       .bound = way == Way::Map ? Bound::None : Bound::Memory,
                       .bytes = arrays * bytes,
                       .prepare = [=](const Device &device) { return prepare(device, way, images, extent); },
                       .is_ceiling = !images,
                       .group = name,
                       .is_yardstick = !images});
  };
  add("create and write", Way::Create, 1);
  add("write", Way::Write, 1);
  add("read", Way::Read, 1);
  add("copy", Way::Copy, 2);
  add("fill", Way::Fill, 1);
  add("map and unmap", Way::Map, 0);
}

}  // namespace upsweep::bench
