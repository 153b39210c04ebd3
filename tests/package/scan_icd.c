// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program for the tests of packages: scans on each platform of the ICD loader, checks the results and prints the platforms'
// names.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

enum { kCount = 64 };
// Hillis and Steele's scan, which works with every OpenCL C 1.2.
static const char *kSource = "kernel void scan(global int *data, local int *sums) {\n"
                             "  int i = get_local_id(0);\n"
                             "  sums[i] = data[i];\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  for (int step = 1; step < 64; step *= 2) {\n"
                             "    int left = i >= step ? sums[i - step] : 0;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    sums[i] += left;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  }\n"
                             "  data[i] = sums[i];\n"
                             "}\n";

static int wrong(const char *step, cl_int status) {
  fprintf(stderr, "%s: %d\n", step, status);
  return 1;
}

static int scan(cl_device_id device) {
  cl_int status = 0;
  int data[kCount];
  for (int i = 0; i < kCount; ++i) data[i] = i * i - 100;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  if (status) return wrong("clCreateContext", status);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
  if (status) return wrong("clCreateCommandQueueWithProperties", status);
  cl_program program = clCreateProgramWithSource(context, 1, &kSource, NULL, &status);
  char log[4096] = "";
  if ((status = clBuildProgram(program, 1, &device, "", NULL, NULL))) {
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fputs(log, stderr);
    return wrong("clBuildProgram", status);
  }
  cl_kernel kernel = clCreateKernel(program, "scan", &status);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &status);
  size_t size = kCount;
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clSetKernelArg(kernel, 1, sizeof data, NULL);
  if ((status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL))) return wrong("launch", status);
  if ((status = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL))) return wrong("read", status);
  for (int i = 0, sum = 0; i < kCount; ++i)
    if (data[i] != (sum += i * i - 100)) return wrong("wrong sum at", i);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}

int main(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_int status = clGetPlatformIDs(16, platforms, &count);
  if (status) return wrong("clGetPlatformIDs", status);
  int failed = 0;
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    char name[256] = "";
    cl_device_id device;
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if ((status = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL))) return wrong(name, status);
    failed |= scan(device);
    printf("%s\n", name);
  }
  return failed;
}
