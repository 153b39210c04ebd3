// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the CUDA driver's library.
#include "targets/cuda/cuda_driver.h"
#include <cstdlib>
#include <dlfcn.h>

namespace upsweep {
namespace {

constexpr CUresult kAssertionFailed = 710;  // CUDA_ERROR_ASSERT

bool load(CudaDriver &driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  bool complete = true;
#define UPSWEEP_CUDA(member, symbol, parameters)                                                                               \
  driver.member = reinterpret_cast<decltype(driver.member)>(dlsym(library, #symbol));                                          \
  complete &= driver.member != nullptr;
#include "targets/cuda/cuda_driver.def"
#undef UPSWEEP_CUDA
  return complete && driver.init(0) == 0;
}

}  // namespace

const CudaDriver *CudaDriver::get() {
  static CudaDriver driver;
  static const bool is_there = load(driver);
  return is_there ? &driver : nullptr;
}

Result<void> CudaDriver::check(CUresult result, cl_int code, const char *what) const {
  if (result == 0) return {};
  // A failed assertion of a kernel, whose message the CUDA driver has printed. SYCL promises the end of the program
  // (docs/decisions/assertions.md).
  if (result == kAssertionFailed) std::abort();
  const char *name = nullptr;
  if (get_error_name(result, &name) != 0 || !name) name = "unknown error";
  return fail(code, std::string(what) + ": " + name);
}

}  // namespace upsweep
