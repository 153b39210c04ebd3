// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ICD dispatch table and the look-up of entry points by name, both generated from entry_points.def.
#include "api/command_buffer_functions.h"
#include "api/newer_functions.h"
#include "base/handle.h"
#include "base/unified_svm.h"
#include <CL/cl.h>
#include <CL/cl_egl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <string_view>

namespace upsweep {

template <typename Table>
constexpr bool kHasSuggestedSize = requires(Table table) { table.clGetKernelSuggestedLocalWorkSize; };
static_assert(!kHasSuggestedSize<cl_icd_dispatch>, "cl_icd.h has the entry point of OpenCL 3.1: DispatchTable can go");

constexpr DispatchTable make_dispatch_table() {
  DispatchTable table{};
#define UPSWEEP_ENTRY(name) table.name = ::name;
#include "api/entry_points.def"
#undef UPSWEEP_ENTRY
  return table;
}

constinit const DispatchTable dispatch_table = make_dispatch_table();

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
#define UPSWEEP_ENTRY(name) {#name, reinterpret_cast<void *>(&upsweep::name)},
#include "api/command_buffer_functions.def"
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
