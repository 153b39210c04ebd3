// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features, extensions and language versions as arrays and strings.
#include "base/features.h"
#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace upsweep {
namespace {

/// The version that queries give for feature macros, all of which belong to OpenCL C 3.0.
constexpr cl_version kFeatureVersion = CL_MAKE_VERSION(3, 0, 0);

struct Columns {
  bool of_cpu, of_cuda;
};

// "The following Khronos extension names must be returned by all devices that support OpenCL 3.1 or newer": the extensions that
// became core in 3.1.
constexpr Columns kReports31 = [] {
  Columns reports{};
#define UPSWEEP_LANGUAGE(major, minor, cpu, cuda)                                                                              \
  if (CL_MAKE_VERSION(major, minor, 0) >= CL_MAKE_VERSION(3, 1, 0))                                                            \
    reports = {reports.of_cpu || (cpu), reports.of_cuda || (cuda)};
#include "base/features.def"
  return reports;
}();
constexpr Columns kHasCore31 = [] {
  Columns has{true, true};
#define UPSWEEP_EXTENSION(name, major, minor, patch, core, of_platform, cpu, cuda)                                             \
  if ((core) == 310) has = {has.of_cpu && (cpu), has.of_cuda && (cuda)};
#include "base/features.def"
  return has;
}();
static_assert(kHasCore31.of_cpu || !kReports31.of_cpu);
static_assert(kHasCore31.of_cuda || !kReports31.of_cuda);

cl_name_version named(cl_version version, std::string_view name) {
  cl_name_version entry{version, {}};
  name.copy(entry.name, CL_NAME_VERSION_MAX_NAME_SIZE - 1);
  return entry;
}

std::string join(const std::vector<cl_name_version> &list) {
  std::string names;
  for (const cl_name_version &entry : list) names += (names.empty() ? "" : " ") + std::string(entry.name);
  return names;
}

struct DeviceLists {
  std::vector<cl_name_version> extensions, features, languages;
  std::string extension_names;
};

struct Lists {
  std::array<DeviceLists, 2> devices;  ///< by FeatureColumn
  std::vector<cl_name_version> platform;
  std::string platform_names;

  Lists() {
#define UPSWEEP_LANGUAGE(major, minor, cpu, cuda)                                                                              \
  add(&DeviceLists::languages, named(CL_MAKE_VERSION(major, minor, 0), "OpenCL C"), {cpu, cuda});
#define UPSWEEP_FEATURE(name, cpu, cuda) add(&DeviceLists::features, named(kFeatureVersion, #name), {cpu, cuda});
#define UPSWEEP_EXTENSION(name, major, minor, patch, core, of_platform, cpu, cuda)                                             \
  add(&DeviceLists::extensions, named(CL_MAKE_VERSION(major, minor, patch), #name), {cpu, cuda});                              \
  if (of_platform) platform.push_back(named(CL_MAKE_VERSION(major, minor, patch), #name));
#include "base/features.def"
    for (DeviceLists &device : devices) device.extension_names = join(device.extensions);
    platform_names = join(platform);
  }

  void add(std::vector<cl_name_version> DeviceLists::*list, const cl_name_version &row, const std::array<bool, 2> &has) {
    for (size_t i = 0; i < devices.size(); ++i)
      if (has[i]) (devices[i].*list).push_back(row);
  }
};

const Lists &lists() {
  static NeverDestroyed<Lists> made_once;
  return *made_once;
}

const MadeWithPlatform lists_made([] { static_cast<void>(lists()); });

const DeviceLists &lists(FeatureColumn column) { return lists().devices[static_cast<size_t>(column)]; }

}  // namespace

std::span<const cl_name_version> device_extensions(FeatureColumn column) { return lists(column).extensions; }
std::span<const cl_name_version> platform_extensions() { return lists().platform; }
std::span<const cl_name_version> opencl_c_features(FeatureColumn column) { return lists(column).features; }
std::span<const cl_name_version> opencl_c_versions(FeatureColumn column) { return lists(column).languages; }

cl_version device_version(FeatureColumn column) {
  return std::ranges::max(lists(column).languages, {}, &cl_name_version::version).version;
}

cl_version platform_version() { return std::max(device_version(FeatureColumn::kCpu), device_version(FeatureColumn::kCuda)); }

std::string opencl_version_name(cl_version version) {
  return "OpenCL " + std::to_string(CL_VERSION_MAJOR(version)) + "." + std::to_string(CL_VERSION_MINOR(version));
}

std::string_view device_extension_names(FeatureColumn column) { return lists(column).extension_names; }
std::string_view platform_extension_names() { return lists().platform_names; }

bool has_extension(FeatureColumn column, std::string_view name) {
  return std::ranges::any_of(lists(column).extensions,
                             [&](const cl_name_version &extension) { return name == extension.name; });
}

bool has_feature(FeatureColumn column, std::string_view name) {
  return std::ranges::any_of(lists(column).features, [&](const cl_name_version &feature) { return name == feature.name; });
}

}  // namespace upsweep
