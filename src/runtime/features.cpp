// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features, extensions and language versions as arrays and strings.
#include "runtime/features.h"
#include "base/never_destroyed.h"
#include <string>
#include <vector>

namespace upsweep {
namespace {

cl_name_version named(cl_version version, std::string_view name) {
  cl_name_version entry{version, {}};
  name.copy(entry.name, CL_NAME_VERSION_MAX_NAME_SIZE - 1);
  return entry;
}

struct Lists {
  std::vector<cl_name_version> device, platform, features, versions;
  std::string device_names, platform_names;

  Lists() {
#define UPSWEEP_FEATURE(name) features.push_back(named(kOpenClVersion, #name));
#define UPSWEEP_EXTENSION(name, major, minor, patch, of_platform)                                                              \
  device.push_back(named(CL_MAKE_VERSION(major, minor, patch), #name));                                                        \
  if (of_platform) platform.push_back(device.back());
#include "runtime/features.def"
#undef UPSWEEP_FEATURE
#undef UPSWEEP_EXTENSION
    for (auto [major, minor] : {std::pair{1, 0}, {1, 1}, {1, 2}, {2, 0}, {3, 0}})
      versions.push_back(named(CL_MAKE_VERSION(major, minor, 0), "OpenCL C"));
    device_names = join(device);
    platform_names = join(platform);
  }

  static std::string join(const std::vector<cl_name_version> &list) {
    std::string names;
    for (const cl_name_version &entry : list) names += (names.empty() ? "" : " ") + std::string(entry.name);
    return names;
  }
};

const Lists &lists() {
  static NeverDestroyed<Lists> made_once;
  return *made_once;
}

}  // namespace

std::span<const cl_name_version> device_extensions() { return lists().device; }
std::span<const cl_name_version> platform_extensions() { return lists().platform; }
std::span<const cl_name_version> opencl_c_features() { return lists().features; }
std::span<const cl_name_version> opencl_c_versions() { return lists().versions; }
std::string_view device_extension_names() { return lists().device_names; }
std::string_view platform_extension_names() { return lists().platform_names; }

}  // namespace upsweep
