// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ICD dispatch table and the look-up of entry points by name, both generated from entry_points.def.
#include "base/handle.h"
#include <CL/cl.h>
#include <CL/cl_egl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <string_view>

namespace upsweep {

constexpr cl_icd_dispatch make_dispatch_table() {
  cl_icd_dispatch table{};
#define UPSWEEP_ENTRY(name) table.name = ::name;
#include "api/entry_points.def"
#undef UPSWEEP_ENTRY
  return table;
}

constinit const cl_icd_dispatch dispatch_table = make_dispatch_table();

namespace {

struct NamedFunction {
  std::string_view name;
  void *address;
};

void *find_function(std::string_view wanted) {
  static const NamedFunction kFunctions[] = {
#define UPSWEEP_ENTRY(name) {#name, reinterpret_cast<void *>(&::name)},
#include "api/entry_points.def"
#include "api/extension_functions.def"
#undef UPSWEEP_ENTRY
      {"clIcdGetPlatformIDsKHR", reinterpret_cast<void *>(&clIcdGetPlatformIDsKHR)},
  };
  for (const NamedFunction &function : kFunctions)
    if (function.name == wanted) return function.address;
  return nullptr;
}

}  // namespace
}  // namespace upsweep

[[gnu::visibility("default")]] void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  return name ? upsweep::find_function(name) : nullptr;
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  // "returns NULL if platform is not a valid platform"
  if (!upsweep::is_live_handle(platform, CL_INVALID_PLATFORM)) return nullptr;
  return clGetExtensionFunctionAddress(name);
}
