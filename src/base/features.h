// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of features.def in the forms that queries return.
#ifndef UPSWEEP_BASE_FEATURES_H
#define UPSWEEP_BASE_FEATURES_H

#include <CL/cl.h>
#include <span>
#include <string>
#include <string_view>

namespace upsweep {

/// The column of features.def for a device and for code compiled for it.
enum class FeatureColumn { kCpu, kCuda };

std::span<const cl_name_version> device_extensions(FeatureColumn column);
std::span<const cl_name_version> platform_extensions();
std::span<const cl_name_version> opencl_c_features(FeatureColumn column);
std::span<const cl_name_version> opencl_c_versions(FeatureColumn column);

/// The versions of OpenCL.
cl_version device_version(FeatureColumn column);
cl_version platform_version();
/// "OpenCL 3.0".
std::string opencl_version_name(cl_version version);

/// The names, separated by spaces.
std::string_view device_extension_names(FeatureColumn column);
std::string_view platform_extension_names();

bool has_extension(FeatureColumn column, std::string_view name);
bool has_feature(FeatureColumn column, std::string_view name);

}  // namespace upsweep
#endif
