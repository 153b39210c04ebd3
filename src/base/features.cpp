// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features, extensions and language versions as arrays and strings.
#include "base/features.h"
#include "base/across_fork.h"
#include "base/never_destroyed.h"
#include <array>
#include <string>
#include <vector>

namespace upsweep {
namespace {

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
  std::vector<cl_name_version> extensions, features;
  std::string extension_names;
};

struct Lists {
  std::array<DeviceLists, 2> devices;  ///< by FeatureColumn
  std::vector<cl_name_version> platform, versions;
  std::string platform_names;

  Lists() {
#define UPSWEEP_FEATURE(name, cpu, cuda) add_feature(named(kOpenClVersion, #name), {cpu, cuda});
#define UPSWEEP_EXTENSION(name, major, minor, patch, of_platform, cpu, cuda)                                                   \
  add_extension(named(CL_MAKE_VERSION(major, minor, patch), #name), of_platform, {cpu, cuda});
#include "base/features.def"
#undef UPSWEEP_FEATURE
#undef UPSWEEP_EXTENSION
    for (auto [major, minor] : {std::pair{1, 0}, {1, 1}, {1, 2}, {2, 0}, {3, 0}})
      versions.push_back(named(CL_MAKE_VERSION(major, minor, 0), "OpenCL C"));
    for (DeviceLists &device : devices) device.extension_names = join(device.extensions);
    platform_names = join(platform);
  }

  void add_feature(const cl_name_version &feature, const std::array<bool, 2> &has) {
    for (size_t i = 0; i < devices.size(); ++i)
      if (has[i]) devices[i].features.push_back(feature);
  }

  void add_extension(const cl_name_version &extension, bool of_platform, const std::array<bool, 2> &has) {
    if (of_platform) platform.push_back(extension);
    for (size_t i = 0; i < devices.size(); ++i)
      if (has[i]) devices[i].extensions.push_back(extension);
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
std::span<const cl_name_version> opencl_c_versions() { return lists().versions; }
std::string_view device_extension_names(FeatureColumn column) { return lists(column).extension_names; }
std::string_view platform_extension_names() { return lists().platform_names; }

}  // namespace upsweep
