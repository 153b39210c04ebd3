// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boost.Compute's calls, in a translation unit of their own.
#ifndef UPSWEEP_BENCH_OPENCL_LIBRARY_BOOST_CALLS_H
#define UPSWEEP_BENCH_OPENCL_LIBRARY_BOOST_CALLS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <functional>
#include <vector>

struct BoostCall {
  const char *call, *type;
  double bytes;
  std::function<void()> run;
};

std::vector<BoostCall> boost_calls(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem in, cl_mem out,
                                   std::size_t n);

#endif
