// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of a device that the library queries once for a context.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/error.h>
#include <upsweep/opencl/options.h>

#include <algorithm>
#include <string_view>

namespace upsweep::opencl::detail {

struct Device {
  cl_device_id id = nullptr;
  bool is_cpu = false;
  // A CPU whose sub-groups are vector lanes, with sub-group and work-group functions.
  bool has_lanes = false;
  unsigned lanes = 16;
  bool has_sub_groups = false;
  unsigned group_multiple = 1;  // preferred size: on GPUs the work-items of a sub-group
  bool has_double = false, has_half = false, has_long_atomics = false, has_svm = false;
  // Waiting work-groups let earlier ones continue (detail/progress.h).
  bool makes_progress = false;
  std::vector<int> languages;  // versions of OpenCL C, the newest last
  cl_uint units = 1;
  std::size_t max_group = 1;
  cl_ulong local_bytes = 0;

  int language() const { return languages.empty() ? 0 : languages.back(); }
  bool has_language(int version) const { return std::find(languages.begin(), languages.end(), version) != languages.end(); }
  // Whether a call may use a single launch: this needs 64-bit atomics across work-groups, and progress.
  bool has_one_launch() const { return has_long_atomics && makes_progress; }
};

template <class T>
T device_value(cl_device_id device, cl_device_info name) {
  T answer{};
  return clGetDeviceInfo(device, name, sizeof answer, &answer, nullptr) == CL_SUCCESS ? answer : T{};
}

inline std::string device_text(cl_device_id device, cl_device_info name) {
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device, name, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return {};
  std::string text(bytes, '\0');
  if (clGetDeviceInfo(device, name, bytes, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

// The versions of OpenCL C that a device has, out of 120, 200 and 300. A device of 3.0 lists them, and may lack 2.0. An older
// device has all versions up to its reported version ("OpenCL C 1.2 ...").
inline std::vector<int> languages_of(cl_device_id device) {
  std::vector<int> languages;
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, nullptr, &bytes) == CL_SUCCESS && bytes > 0) {
    std::vector<cl_name_version> versions(bytes / sizeof(cl_name_version));
    if (clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, bytes, versions.data(), nullptr) != CL_SUCCESS)
      return languages;
    for (const cl_name_version &version : versions) {
      const int number = static_cast<int>(CL_VERSION_MAJOR(version.version) * 100 + CL_VERSION_MINOR(version.version) * 10);
      if (number == 120 || number == 200 || number == 300) languages.push_back(number);
    }
  } else {
    const std::string text = device_text(device, CL_DEVICE_OPENCL_C_VERSION);
    if (text.size() < 12 || !text.starts_with("OpenCL C ")) return languages;
    const int newest = (text[9] - '0') * 100 + (text[11] - '0') * 10;
    if (newest >= 120) languages.push_back(120);
    if (newest >= 200) languages.push_back(200);
  }
  std::sort(languages.begin(), languages.end());
  return languages;
}

inline Device describe(cl_device_id id) {
  const std::string extensions = " " + device_text(id, CL_DEVICE_EXTENSIONS) + " ";
  const auto has = [&](std::string_view name) { return extensions.find(" " + std::string(name) + " ") != std::string::npos; };
  Device device;
  device.id = id;
  device.is_cpu = (device_value<cl_device_type>(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  device.has_double = device_value<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  device.has_half = has("cl_khr_fp16");
  device.has_svm = device_value<cl_device_svm_capabilities>(id, CL_DEVICE_SVM_CAPABILITIES) != 0;
  device.has_long_atomics = has("cl_khr_int64_base_atomics");
  device.languages = languages_of(id);
  device.has_lanes = device.is_cpu && device_value<cl_uint>(id, CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0 &&
                     device_value<cl_bool>(id, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) != CL_FALSE;
  const auto multiple = device_value<std::size_t>(id, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  if (multiple == 8 || multiple == 16) device.lanes = static_cast<unsigned>(multiple);
  device.group_multiple = static_cast<unsigned>(std::clamp<std::size_t>(multiple, 1, 1024));
  device.has_sub_groups = device_value<cl_uint>(id, CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0;
  device.units = std::max<cl_uint>(1, device_value<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS));
  device.max_group = std::max<std::size_t>(1, device_value<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  device.local_bytes = device_value<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE);
  return device;
}

}  // namespace upsweep::opencl::detail
#endif
