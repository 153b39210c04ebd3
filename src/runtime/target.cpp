// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Defaults of targets that work in host memory.
#include "runtime/target.h"
#include "runtime/memory/residency.h"

namespace upsweep {
namespace {

/// Only memory objects call these, after has_own_memory().
tl::unexpected<Error> no_own_memory() { return fail(CL_OUT_OF_RESOURCES, "the device works in host memory"); }

}  // namespace

Result<std::unique_ptr<DeviceMemory>> Target::allocate(size_t, cl_mem_flags) { return no_own_memory(); }
Result<void> Target::download(void *, const DeviceMemory &, size_t, size_t) { return no_own_memory(); }
Result<void> Target::upload(DeviceMemory &, size_t, const void *, size_t) { return no_own_memory(); }

}  // namespace upsweep
