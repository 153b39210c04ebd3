// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Owners of OpenCL's handles.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <utility>

namespace upsweep::opencl {

namespace detail {

inline void release(cl_context handle) { clReleaseContext(handle); }
inline void release(cl_command_queue handle) { clReleaseCommandQueue(handle); }
inline void release(cl_program handle) { clReleaseProgram(handle); }
inline void release(cl_kernel handle) { clReleaseKernel(handle); }
inline void release(cl_mem handle) { clReleaseMemObject(handle); }
inline void release(cl_event handle) { clReleaseEvent(handle); }

}  // namespace detail

// Releases the handle once, in the destructor.
template <class Handle>
class unique_handle {
public:
  unique_handle() = default;
  explicit unique_handle(Handle handle) : handle_(handle) {}
  unique_handle(unique_handle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  unique_handle &operator=(unique_handle &&other) noexcept {
    reset(std::exchange(other.handle_, nullptr));
    return *this;
  }
  ~unique_handle() { reset(); }

  Handle get() const { return handle_; }
  Handle leave() { return std::exchange(handle_, nullptr); }
  explicit operator bool() const { return handle_ != nullptr; }
  void reset(Handle handle = nullptr) {
    const Handle old = std::exchange(handle_, handle);
    if (old != nullptr) detail::release(old);
  }

private:
  Handle handle_ = nullptr;
};

}  // namespace upsweep::opencl
#endif
