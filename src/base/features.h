// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of features.def in the forms that queries return.
#ifndef UPSWEEP_BASE_FEATURES_H
#define UPSWEEP_BASE_FEATURES_H

#include <CL/cl.h>
#include <span>
#include <string_view>

namespace upsweep {

constexpr cl_version kOpenClVersion = CL_MAKE_VERSION(3, 0, 0);

/// The column of features.def for a device and for code compiled for it.
enum class FeatureColumn { kCpu, kCuda };

std::span<const cl_name_version> device_extensions(FeatureColumn column);
std::span<const cl_name_version> platform_extensions();
std::span<const cl_name_version> opencl_c_features(FeatureColumn column);
/// OpenCL C 1.0 to 3.0.
std::span<const cl_name_version> opencl_c_versions();

/// The names, separated by spaces.
std::string_view device_extension_names(FeatureColumn column);
std::string_view platform_extension_names();

}  // namespace upsweep
#endif
