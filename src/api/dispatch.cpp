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
#include <CL/cl_icd.h>
#include <string_view>
#include <type_traits>

namespace upsweep {

namespace {

/// The table of OpenCL 3.0, which Debian 12's cl_icd.h has, with the entry point of OpenCL 3.1.
template <typename Table>
struct WithSuggestedSize : Table {
  decltype(&::clGetKernelSuggestedLocalWorkSize) clGetKernelSuggestedLocalWorkSize;
};

/// Newer headers have the entry point. Its type is void * there, as long as CL_TARGET_OPENCL_VERSION is 300.
template <typename Table>
concept HasSuggestedSize = requires(Table table) { table.clGetKernelSuggestedLocalWorkSize; };

using CompleteTable =
    std::conditional_t<HasSuggestedSize<cl_icd_dispatch>, cl_icd_dispatch, WithSuggestedSize<cl_icd_dispatch>>;

template <typename Field, typename Function>
void set(Field &field, Function *function) {
  field = reinterpret_cast<Field>(function);
}

}  // namespace

struct DispatchTable : CompleteTable {
  DispatchTable() : CompleteTable{} {
#define UPSWEEP_ENTRY(name) set(this->name, ::name);
#include "api/entry_points.def"
#undef UPSWEEP_ENTRY
  }
};

const DispatchTable dispatch_table;

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
