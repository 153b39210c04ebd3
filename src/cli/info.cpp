// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries the driver and prints the results, for people or as JSON.
#include "cli/info.h"

#include "cli/info_images.h"
#include "usage/command.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace upsweep::cli {
namespace {

using nlohmann::ordered_json;

struct Flag {
  cl_ulong bit;
  std::string_view name;
};

constexpr size_t kNameColumn = 16;

constexpr Flag kSvm[] = {{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "coarse-grain buffer"},
                         {CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine-grain buffer"},
                         {CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "fine-grain system"},
                         {CL_DEVICE_SVM_ATOMICS, "atomics"}};

std::vector<std::string> names_of(cl_ulong bits, std::span<const Flag> flags) {
  std::vector<std::string> names;
  for (const Flag &flag : flags)
    if (bits & flag.bit) names.emplace_back(flag.name);
  return names;
}

// Drivers older than OpenCL 3.0 lack some queries; properties without an answer are omitted.
template <typename T>
T ask(const cl::Device &device, cl_device_info what) {
  T value{};
  return clGetDeviceInfo(device(), what, sizeof(T), &value, nullptr) == CL_SUCCESS ? value : T{};
}

std::string ask_text(const cl::Device &device, cl_device_info what) {
  std::string text;
  device.getInfo(what, &text);
  text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
  return text;
}

std::vector<std::string> ask_names(const cl::Device &device, cl_device_info what) {
  size_t bytes = 0;
  if (clGetDeviceInfo(device(), what, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
  std::vector<cl_name_version> entries(bytes / sizeof(cl_name_version));
  clGetDeviceInfo(device(), what, bytes, entries.data(), nullptr);
  std::vector<std::string> names;
  for (const auto &entry : entries) names.emplace_back(entry.name);
  return names;
}

std::string_view type_of(const cl::Device &device) {
  const auto type = ask<cl_device_type>(device, CL_DEVICE_TYPE);
  return type & CL_DEVICE_TYPE_CPU ? "cpu" : type & CL_DEVICE_TYPE_GPU ? "gpu" : "other";
}

// Bytes in the largest binary unit that gives an integer or one decimal.
std::string format_bytes(cl_ulong bytes) {
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

ordered_json device_json(const cl::Device &device, size_t number) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  ordered_json entry;
  entry["number"] = number;
  entry["name"] = ask_text(device, CL_DEVICE_NAME);
  entry["type"] = type_of(device);
  entry["vendor"] = ask_text(device, CL_DEVICE_VENDOR);
  entry["platform"] = platform.getInfo<CL_PLATFORM_NAME>();
  entry["version"] = ask_text(device, CL_DEVICE_VERSION);
  entry["driver_version"] = ask_text(device, CL_DRIVER_VERSION);
  entry["compute_units"] = ask<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  entry["global_memory_bytes"] = ask<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  entry["max_allocation_bytes"] = ask<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  entry["local_memory_bytes"] = ask<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  entry["cache_bytes"] = ask<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  entry["max_work_group_size"] = ask<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  entry["max_sub_groups"] = ask<cl_uint>(device, CL_DEVICE_MAX_NUM_SUB_GROUPS);
  entry["sub_group_forward_progress"] = ask<cl_bool>(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS) != CL_FALSE;
  entry["half"] = ask<cl_device_fp_config>(device, CL_DEVICE_HALF_FP_CONFIG) != 0;
  entry["double"] = ask<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  entry["work_group_collectives"] = ask<cl_bool>(device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) != CL_FALSE;
  entry["generic_address_space"] = ask<cl_bool>(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) != CL_FALSE;
  entry["non_uniform_work_groups"] = ask<cl_bool>(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) != CL_FALSE;
  entry["images"] = ask<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT) != CL_FALSE;
  entry["pipes"] = ask<cl_bool>(device, CL_DEVICE_PIPE_SUPPORT) != CL_FALSE;
  entry["device_enqueue"] = ask<cl_bitfield>(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0;
  entry["svm"] = names_of(ask<cl_bitfield>(device, CL_DEVICE_SVM_CAPABILITIES), kSvm);
  if (entry["images"].get<bool>()) entry["image"] = images_json(device);
  entry["opencl_c_features"] = ask_names(device, CL_DEVICE_OPENCL_C_FEATURES);
  entry["extensions"] = ask_names(device, CL_DEVICE_EXTENSIONS_WITH_VERSION);
  return entry;
}

void print_names(const Terminal &terminal, std::string_view title, const ordered_json &names) {
  const std::string start = fmt::format("  {:<14}", title);
  print_words(names.empty() ? start + " " + terminal.paint(Colour::Dim, "none") : start, kNameColumn,
              names.get<std::vector<std::string>>());
}

void print_device(const cl::Device &device, size_t number, const Terminal &terminal) {
  print_summary(device, terminal);
  fmt::print("  {:<15}{}\n", "number", number);
  const ordered_json entry = device_json(device, number);
  const auto svm = entry["svm"].get<std::vector<std::string>>();
  fmt::print("  {:<15}{}\n", "shared memory", svm.empty() ? std::string("none") : fmt::format("{}", fmt::join(svm, ", ")));
  constexpr std::pair<std::string_view, std::string_view> kYesOrNo[] = {
      {"half", "half"},
      {"double", "double"},
      {"work_group_collectives", "work-group collectives"},
      {"sub_group_forward_progress", "sub-groups' forward progress"},
      {"generic_address_space", "generic address space"},
      {"non_uniform_work_groups", "non-uniform work-groups"},
      {"images", "images"},
      {"pipes", "pipes"},
      {"device_enqueue", "device-side enqueue"}};
  for (const auto &[key, title] : kYesOrNo) {
    const bool has = entry[std::string(key)].get<bool>();
    fmt::print("  {} {}\n", terminal.paint(has ? Colour::Good : Colour::Dim, has ? "yes" : " no"), title);
  }
  print_images(device, terminal);
  print_names(terminal, "language", entry["opencl_c_features"]);
  print_names(terminal, "extensions", entry["extensions"]);
}

}  // namespace

void print_words(std::string line, size_t indent, const std::vector<std::string> &words) {
  const size_t columns = usage::line_width(STDOUT_FILENO);
  for (const std::string &word : words) {
    if (line.size() + 1 + word.size() > columns) {
      fmt::print("{}\n", line);
      line = std::string(indent, ' ');
    }
    line += " " + word;
  }
  fmt::print("{}\n", line);
}

void print_summary(const cl::Device &device, const Terminal &terminal) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  fmt::print("{}\n", terminal.paint(Colour::Bold, ask_text(device, CL_DEVICE_NAME)));
  fmt::print("  {:<15}{}\n", "type", type_of(device));
  fmt::print("  {:<15}{}, {}\n", "driver", platform.getInfo<CL_PLATFORM_NAME>(), ask_text(device, CL_DRIVER_VERSION));
  fmt::print("  {:<15}{}, {}\n", "version", ask_text(device, CL_DEVICE_VERSION), ask_text(device, CL_DEVICE_OPENCL_C_VERSION));
  fmt::print("  {:<15}{}\n", "compute units", ask<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS));
  fmt::print("  {:<15}{} global, {} local, {} cache\n", "memory",
             format_bytes(ask<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE)),
             format_bytes(ask<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE)),
             format_bytes(ask<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)));
  fmt::print("  {:<15}up to {} work-items, {} sub-groups\n", "work-group", ask<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE),
             ask<cl_uint>(device, CL_DEVICE_MAX_NUM_SUB_GROUPS));
}

Result<void> info(bool json, const std::string &choice) {
  const auto chosen = choose_device(choice);
  const auto devices = find_devices();
  if (!chosen || !devices) return Failure(chosen ? devices.error() : chosen.error());
  const Terminal terminal = Terminal::of_stdout();
  ordered_json all = ordered_json::array();
  for (size_t number = 0; number < devices->size(); ++number) {
    const cl::Device &device = (*devices)[number];
    if (!choice.empty() && device() != (*chosen)()) continue;
    if (json)
      all.push_back(device_json(device, number));
    else
      print_device(device, number, terminal);
  }
  if (json) fmt::print("{}\n", all.dump(2));
  return {};
}

}  // namespace upsweep::cli
