// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages of calls, in addition to their error codes. Calls return OpenCL's codes:
//
//   CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT   not a host queue; memory of another context
//   CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE        no memory, a null pointer; an argument, which the message names
//   CL_INVALID_BUFFER_SIZE                         elements beyond the end of a buffer
//   CL_MISALIGNED_SUB_BUFFER_OFFSET                an SVM pointer that is not a multiple of its element's alignment
//   CL_MEM_COPY_OVERLAP                            arrays that overlap but must not
//   CL_INVALID_OPERATION                           double, half or an SVM pointer on a device without support
//   CL_BUILD_PROGRAM_FAILURE                       the caller's text; the message is the build log
//   CL_OUT_OF_HOST_MEMORY, and the errors of OpenCL's calls
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/handles.h>

#include <new>
#include <string>

namespace upsweep::opencl {

namespace detail {

inline std::string &thread_message() {
  thread_local std::string message;
  return message;
}

inline cl_int fail(cl_int code, std::string message) {
  thread_message() = std::move(message);
  return code;
}

// Names the failed call of OpenCL, once.
inline cl_int check(cl_int code, const char *call) {
  if (code == CL_SUCCESS) return code;
  return fail(code, std::string(call) + " returned " + std::to_string(code));
}

// Runs a call's body; lack of host memory becomes an error code.
template <class Body>
cl_int guarded(const Body &body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return CL_OUT_OF_HOST_MEMORY;
  } catch (...) {
    return CL_INVALID_VALUE;
  }
}

}  // namespace detail

// The message of this thread's last call that returned an error.
inline const char *last_message() { return detail::thread_message().c_str(); }

}  // namespace upsweep::opencl
#endif
