// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers, which come with images: no device supports them.
#include "api/absent.h"

using namespace upsweep;

namespace {

// "CL_INVALID_OPERATION if images are not supported by any device associated with context"
cl_sampler refuse(const char *name, cl_context context, cl_int *errcode_ret) {
  return refuse_creation<cl_sampler>(name, context, CL_INVALID_OPERATION, "no device supports images", errcode_ret);
}

cl_int no_sampler(const char *name) {
  return entry(name, []() -> Result<void> { return fail(CL_INVALID_SAMPLER, "there are no samplers"); });
}

}  // namespace

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode, cl_int *errcode_ret) {
  return refuse(__func__, context, errcode_ret);
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *, cl_int *errcode_ret) {
  return refuse(__func__, context, errcode_ret);
}

cl_int CL_API_CALL clRetainSampler(cl_sampler) { return no_sampler(__func__); }
cl_int CL_API_CALL clReleaseSampler(cl_sampler) { return no_sampler(__func__); }
cl_int CL_API_CALL clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void *, size_t *) { return no_sampler(__func__); }
