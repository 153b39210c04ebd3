// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetPlatformIDs, clGetPlatformInfo, clUnloadPlatformCompiler, clUnloadCompiler.
#include "runtime/objects/platform.h"
#include "api/entry.h"
#include "api/info.h"
#include "base/features.h"
#include "runtime/memory/svm_types.h"
#include <CL/cl_ext.h>

using namespace upsweep;

namespace {

const InfoEntry<Platform> kPlatformInfo[] = {
    {CL_PLATFORM_PROFILE, [](const Platform &, const InfoOut &out) { return out.write_string("FULL_PROFILE"); }},
    {CL_PLATFORM_VERSION,
     [](const Platform &, const InfoOut &out) {
       return out.write_string(opencl_version_name(platform_version()) + " Upsweep " UPSWEEP_VERSION);
     }},
    {CL_PLATFORM_NUMERIC_VERSION,
     [](const Platform &, const InfoOut &out) { return out.write<cl_version>(platform_version()); }},
    {CL_PLATFORM_NAME, [](const Platform &, const InfoOut &out) { return out.write_string("Upsweep"); }},
    {CL_PLATFORM_VENDOR, [](const Platform &, const InfoOut &out) { return out.write_string("The Upsweep project"); }},
    {CL_PLATFORM_EXTENSIONS, [](const Platform &, const InfoOut &out) { return out.write_string(platform_extension_names()); }},
    {CL_PLATFORM_EXTENSIONS_WITH_VERSION,
     [](const Platform &, const InfoOut &out) { return out.write_array(platform_extensions()); }},
    {CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR,
     [](const Platform &, const InfoOut &out) {
       return out.write_array<cl_svm_capabilities_khr>(platform_svm_capabilities());
     }},
    // clGetDeviceAndHostTimer's clock has a resolution of 1 ns.
    {CL_PLATFORM_HOST_TIMER_RESOLUTION, [](const Platform &, const InfoOut &out) { return out.write<cl_ulong>(1); }},
    {CL_PLATFORM_ICD_SUFFIX_KHR, [](const Platform &, const InfoOut &out) { return out.write_string("UPSWEEP"); }},
};

}  // namespace

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
  return entry(__func__, [&]() -> Result<void> {
    // "CL_INVALID_VALUE if num_entries is equal to zero and platforms is not NULL or if both num_platforms and platforms are
    // NULL"
    if ((num_entries == 0 && platforms) || (!platforms && !num_platforms))
      return fail(CL_INVALID_VALUE, "num_entries is 0 with platforms, or platforms and num_platforms are null");
    if (platforms) platforms[0] = &Platform::get();
    if (num_platforms) *num_platforms = 1;
    return {};
  });
}

[[gnu::visibility("default")]] cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                                                         cl_uint *num_platforms) {
  return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

[[gnu::visibility("default")]] cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                                                    size_t param_value_size, void *param_value,
                                                                    size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    // "platform ... can be NULL. If platform is NULL, the behavior is implementation-defined": null means this platform.
    auto object = platform ? Platform::from(platform) : Result<Platform *>(&Platform::get());
    if (!object) return fail(object);
    return answer_info(kPlatformInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
  return entry(__func__, [&]() -> Result<void> {
    // A hint that needs no action: the compiler is another process and holds no resources of the application.
    auto object = Platform::from(platform);
    if (!object) return fail(object);
    return {};
  });
}

cl_int CL_API_CALL clUnloadCompiler() { return CL_SUCCESS; }
