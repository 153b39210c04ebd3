// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreatePipe, clGetPipeInfo, and pipes in the other calls. tests/kernels/pipes_test.cpp tests their use by kernels.
#include "object_fixture.h"
#include <algorithm>
#include <climits>
#include <cstdio>

namespace {

using namespace upsweep::tests;

class PipeObjectTest : public ObjectFixture {
protected:
  cl_int create_error(cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets,
                      const cl_pipe_properties *properties = nullptr) {
    cl_int error = -1;
    cl_mem pipe = clCreatePipe(context_, flags, packet_bytes, packets, properties, &error);
    EXPECT_EQ(pipe != nullptr, error == CL_SUCCESS);
    if (pipe) EXPECT_EQ(clReleaseMemObject(pipe), CL_SUCCESS);
    return error;
  }
  cl_mem make_pipe(cl_uint packet_bytes = 4, cl_uint packets = 10) {
    cl_int error = -1;
    cl_mem pipe = keep(clCreatePipe(context_, 0, packet_bytes, packets, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return pipe;
  }
};

TEST_F(PipeObjectTest, GivenAPipe_WhenQueried_ThenItsSizesAndTheDefaultsOfMemoryObjects) {
  cl_mem pipe = make_pipe(12, 77);
  EXPECT_EQ(value_of<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_PACKET_SIZE), 12u);
  EXPECT_EQ(value_of<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS), 77u);
  size_t bytes = 99;
  EXPECT_EQ(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof bytes, &bytes, nullptr), CL_INVALID_VALUE);
  cl_ushort narrow = 7;
  EXPECT_EQ(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof narrow, &narrow, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(narrow, 7);
  EXPECT_EQ(value_of<cl_mem_object_type>(clGetMemObjectInfo, pipe, CL_MEM_TYPE), cl_mem_object_type{CL_MEM_OBJECT_PIPE});
  EXPECT_EQ(value_of<cl_mem_flags>(clGetMemObjectInfo, pipe, CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS});
  EXPECT_EQ(value_of<void *>(clGetMemObjectInfo, pipe, CL_MEM_HOST_PTR), nullptr);
  EXPECT_EQ(value_of<cl_context>(clGetMemObjectInfo, pipe, CL_MEM_CONTEXT), context_);
  EXPECT_EQ(value_of<cl_mem>(clGetMemObjectInfo, pipe, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
}

/// The bytes of this process that are in physical memory.
size_t resident_bytes() {
  size_t pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    EXPECT_EQ(std::fscanf(file, "%*u %zu", &pages), 1);
    std::fclose(file);
  }
  return pages * 4096;
}

// A pipe has a state for each packet of its capacity. States of packets that were never written use no memory.
TEST_F(PipeObjectTest, GivenVeryManyPackets_WhenCreated_ThenTheirMemoryIsNotTouched) {
  const auto most = value_of<cl_ulong>(clGetDeviceInfo, device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const auto packets = static_cast<cl_uint>(std::min<cl_ulong>(most / 8, cl_ulong{1} << 29));
  const size_t before = resident_bytes();
  make_pipe(1, packets);
  EXPECT_LT(resident_bytes(), before + packets);  // a quarter of the states' bytes
}

TEST_F(PipeObjectTest, GivenBadArguments_WhenCreated_ThenTheSpecifiedErrors) {
  const cl_uint most = value_of<cl_uint>(clGetDeviceInfo, device_, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  EXPECT_GE(most, 1024u);
  EXPECT_EQ(create_error(0, 4, 0), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(create_error(0, 0, 4), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(create_error(0, most, 1), CL_SUCCESS);
  EXPECT_EQ(create_error(0, most + 1, 1), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(create_error(0, most, UINT_MAX), CL_MEM_OBJECT_ALLOCATION_FAILURE);  // 2^48 bytes
  EXPECT_EQ(create_error(CL_MEM_READ_WRITE, 4, 4), CL_SUCCESS);
  EXPECT_EQ(create_error(CL_MEM_HOST_NO_ACCESS, 4, 4), CL_SUCCESS);
  EXPECT_EQ(create_error(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 4, 4), CL_SUCCESS);
  for (cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_HOST_READ_ONLY, 1 << 30})
    EXPECT_EQ(create_error(flags, 4, 4), CL_INVALID_VALUE) << flags;
  const cl_pipe_properties none[] = {0};
  EXPECT_EQ(create_error(0, 4, 4, none), CL_INVALID_VALUE);
  cl_int error = -1;
  EXPECT_EQ(clCreatePipe(nullptr, 0, 4, 4, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clGetPipeInfo(nullptr, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetPipeInfo(make_buffer(4), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_F(PipeObjectTest, GivenPipeArguments_WhenSet_ThenOnlyPipesOfTheContextAreTaken) {
  cl_program program =
      build("kernel void f(read_only pipe int p, global int *o) { read_pipe(p, o); }", "-cl-std=CL3.0 -cl-kernel-arg-info");
  cl_kernel kernel = make_kernel(program, "f");
  cl_mem pipe = make_pipe(), buffer = make_buffer(64);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof pipe, &pipe), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, &pipe), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof pipe, nullptr), CL_INVALID_MEM_OBJECT);
  cl_context context = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  cl_mem other = clCreatePipe(context, 0, 4, 4, nullptr, nullptr);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof other, &other), CL_INVALID_MEM_OBJECT);
  clReleaseMemObject(other);
  clReleaseContext(context);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof pipe, &pipe), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof buffer, &buffer), CL_SUCCESS);
  EXPECT_EQ(clEnqueueTask(in_order_, kernel, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  cl_kernel_arg_access_qualifier access = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr), CL_SUCCESS);
  EXPECT_EQ(access, cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_READ_ONLY});
  cl_kernel_arg_type_qualifier type = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE});
}

TEST_F(PipeObjectTest, GivenAPipe_WhenUsedAsABufferOrAnImage_ThenInvalidMemObject) {
  cl_mem pipe = make_pipe(), buffer = make_buffer(64);
  char bytes[16] = {};
  cl_int error = -1;
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, pipe, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(in_order_, pipe, buffer, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(in_order_, pipe, bytes, 4, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueMapBuffer(in_order_, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueReadImage(in_order_, pipe, CL_TRUE, origin, region, 0, 0, bytes, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  const cl_buffer_region part{0, 4};
  EXPECT_EQ(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueMigrateMemObjects(in_order_, 1, &pipe, 0, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
}

}  // namespace
