// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits and formats of images.
#include "cli/info_images.h"

#include "cli/info.h"
#include "formats/image_format.h"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <map>

namespace upsweep::cli {
namespace {

using nlohmann::ordered_json;

struct Type {
  cl_mem_object_type type;
  std::string_view name;
};
constexpr Type kTypes[] = {
    {CL_MEM_OBJECT_IMAGE1D, "1D"}, {CL_MEM_OBJECT_IMAGE1D_BUFFER, "1D buffer"}, {CL_MEM_OBJECT_IMAGE1D_ARRAY, "1D array"},
    {CL_MEM_OBJECT_IMAGE2D, "2D"}, {CL_MEM_OBJECT_IMAGE2D_ARRAY, "2D array"},   {CL_MEM_OBJECT_IMAGE3D, "3D"}};
struct Access {
  cl_mem_flags flags;
  std::string_view name;
};
constexpr Access kAccesses[] = {
    {CL_MEM_READ_ONLY, "read"}, {CL_MEM_WRITE_ONLY, "write"}, {CL_MEM_KERNEL_READ_AND_WRITE, "read_write"}};

struct Limit {
  std::string_view key;
  cl_device_info what;
  size_t bytes;  // of the answer
};
constexpr size_t kTypeColumn = 6;
constexpr Limit kLimits[] = {
    {"max_2d_width", CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(size_t)},  // also for 1D
    {"max_2d_height", CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof(size_t)},
    {"max_3d_width", CL_DEVICE_IMAGE3D_MAX_WIDTH, sizeof(size_t)},
    {"max_3d_height", CL_DEVICE_IMAGE3D_MAX_HEIGHT, sizeof(size_t)},
    {"max_3d_depth", CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof(size_t)},
    {"max_buffer_texels", CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof(size_t)},
    {"max_array_layers", CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof(size_t)},
    {"max_read_arguments", CL_DEVICE_MAX_READ_IMAGE_ARGS, sizeof(cl_uint)},
    {"max_write_arguments", CL_DEVICE_MAX_WRITE_IMAGE_ARGS, sizeof(cl_uint)},
    {"max_read_write_arguments", CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, sizeof(cl_uint)},
    {"max_samplers", CL_DEVICE_MAX_SAMPLERS, sizeof(cl_uint)},
    {"pitch_alignment_texels", CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof(cl_uint)},
    {"base_alignment_texels", CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, sizeof(cl_uint)},
};

std::string name_of(const char *constant) { return std::string(constant).substr(std::string_view("CL_").size()); }

// For each access, a bit mask of the supported image types, indexed as kTypes.
using Use = std::array<unsigned, std::size(kAccesses)>;

// The uses of the formats in the table; skips unknown formats of other drivers.
std::vector<std::pair<ImageFormat, Use>> ask_formats(const cl::Device &device) {
  std::vector<std::pair<ImageFormat, Use>> formats;
  const cl::Context context(device);
  if (!context()) return formats;
  for (const ImageFormat &format : image_formats()) formats.emplace_back(format, Use{});
  for (size_t access = 0; access < std::size(kAccesses); ++access) {
    for (size_t type = 0; type < std::size(kTypes); ++type) {
      std::vector<cl::ImageFormat> supported;
      if (context.getSupportedImageFormats(kAccesses[access].flags, kTypes[type].type, &supported) != CL_SUCCESS) continue;
      for (const cl_image_format &value : supported)
        for (auto &[format, use] : formats)
          if (format.order().value == value.image_channel_order && format.type().value == value.image_channel_data_type)
            use[access] |= 1u << type;
    }
  }
  std::erase_if(formats, [](const auto &entry) { return entry.second == Use{}; });
  return formats;
}

std::vector<std::string_view> type_names(unsigned types) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < std::size(kTypes); ++i)
    if (types >> i & 1) names.push_back(kTypes[i].name);
  return names;
}

// "read, write of 1D, 2D; read_write of 2D"
std::string use_text(const Use &use) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < use.size(); ++i) {
    if (use[i] == 0 || std::find(use.begin(), use.begin() + i, use[i]) != use.begin() + i) continue;
    std::vector<std::string_view> accesses;
    for (size_t j = i; j < use.size(); ++j)
      if (use[j] == use[i]) accesses.push_back(kAccesses[j].name);
    parts.push_back(fmt::format("{} of {}", fmt::join(accesses, ", "), fmt::join(type_names(use[i]), ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Prints formats with the same use; orders with the same data types share a line.
void print_formats(const std::vector<ImageFormat> &formats) {
  std::vector<std::pair<std::string, std::vector<std::string>>> orders;
  for (const ImageFormat &format : formats) {
    const std::string order = name_of(format.order().name);
    if (orders.empty() || orders.back().first != order) orders.push_back({order, {}});
    orders.back().second.push_back(name_of(format.type().name));
  }
  while (!orders.empty()) {
    const auto types = orders.front().second;
    std::vector<std::string> names;
    for (const auto &[order, own] : orders)
      if (own == types) names.push_back(order);
    print_words(fmt::format("    {}:", fmt::join(names, " ")), kTypeColumn, types);
    std::erase_if(orders, [&](const auto &entry) { return entry.second == types; });
  }
}

bool has_images(const cl::Device &device) { return device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() != CL_FALSE; }

size_t ask_limit(const cl::Device &device, const Limit &limit) {
  size_t value = 0;  // little-endian, so an answer of four bytes fills the lower half
  clGetDeviceInfo(device(), limit.what, limit.bytes, &value, nullptr);
  return value;
}

}  // namespace

ordered_json images_json(const cl::Device &device) {
  ordered_json json = ordered_json::object();
  if (!has_images(device)) return json;
  for (const Limit &limit : kLimits) json[std::string(limit.key)] = ask_limit(device, limit);
  json["formats"] = ordered_json::array();
  for (const auto &[format, use] : ask_formats(device)) {
    ordered_json entry;
    entry["order"] = name_of(format.order().name);
    entry["data_type"] = name_of(format.type().name);
    for (size_t i = 0; i < use.size(); ++i) entry[std::string(kAccesses[i].name)] = type_names(use[i]);
    json["formats"].push_back(std::move(entry));
  }
  return json;
}

void print_images(const cl::Device &device, const Terminal &terminal) {
  if (!has_images(device)) return;
  std::map<cl_device_info, size_t> limits;
  for (const Limit &limit : kLimits) limits[limit.what] = ask_limit(device, limit);
  fmt::print("  {:<15}2D {} x {}, 3D {} x {} x {}, arrays of {} layers, buffers of {} texels\n", "image sizes",
             limits[CL_DEVICE_IMAGE2D_MAX_WIDTH], limits[CL_DEVICE_IMAGE2D_MAX_HEIGHT], limits[CL_DEVICE_IMAGE3D_MAX_WIDTH],
             limits[CL_DEVICE_IMAGE3D_MAX_HEIGHT], limits[CL_DEVICE_IMAGE3D_MAX_DEPTH], limits[CL_DEVICE_IMAGE_MAX_ARRAY_SIZE],
             limits[CL_DEVICE_IMAGE_MAX_BUFFER_SIZE]);
  fmt::print("  {:<15}{} arguments to read, {} to write, {} for both, {} samplers\n", "image limits",
             limits[CL_DEVICE_MAX_READ_IMAGE_ARGS], limits[CL_DEVICE_MAX_WRITE_IMAGE_ARGS],
             limits[CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS], limits[CL_DEVICE_MAX_SAMPLERS]);
  std::vector<std::pair<Use, std::vector<ImageFormat>>> groups;
  for (const auto &[format, use] : ask_formats(device)) {
    auto group = std::ranges::find(groups, use, &std::pair<Use, std::vector<ImageFormat>>::first);
    if (group == groups.end()) group = groups.insert(group, {use, {}});
    group->second.push_back(format);
  }
  for (const auto &[use, formats] : groups) {
    fmt::print("  {} {}\n", terminal.paint(Colour::Bold, "image formats"), use_text(use));
    print_formats(formats);
  }
}

}  // namespace upsweep::cli
