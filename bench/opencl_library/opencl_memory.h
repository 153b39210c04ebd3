// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors and buffers of OpenCL.
#ifndef UPSWEEP_BENCH_OPENCL_LIBRARY_OPENCL_MEMORY_H
#define UPSWEEP_BENCH_OPENCL_LIBRARY_OPENCL_MEMORY_H

#include "call.h"

#include <stdexcept>

namespace upsweep::bench {

inline void require_success(cl_int code, const char *what) {
  if (code != CL_SUCCESS) throw std::runtime_error("error " + std::to_string(code) + ": " + what);
}

// A buffer with these contents, or none; it lives as long as the process.
inline cl_mem memory_of(cl_command_queue queue, std::size_t bytes, const void *contents) {
  cl_context context = nullptr;
  require_success(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr), "clGetCommandQueueInfo");
  cl_int code = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  require_success(code, "clCreateBuffer");
  if (contents != nullptr) {
    code = clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes, contents, 0, nullptr, nullptr);
    require_success(code, "clEnqueueWriteBuffer");
  }
  return memory;
}

}  // namespace upsweep::bench

#endif
