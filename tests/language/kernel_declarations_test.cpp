// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every order of the words that may declare a kernel: each such function is a kernel of the program, and runs.
#include "../default_device.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace upsweep::tests {
namespace {

/// The declarations without a name, each once. OpenCL C 1.0 has no `extern`.
std::set<std::string> declarations(bool has_extern) {
  std::set<std::string> all;
  for (const char *inlined : {"", "inline", "__inline", "__inline__"})
    for (const char *other : {"", has_extern ? "extern" : "", "__attribute__((always_inline))", "__attribute__((noinline))",
                              "__attribute__((weak))"}) {
      std::vector<std::string> words = {"kernel", "void", inlined, other};
      std::ranges::sort(words);
      do {
        std::string text;
        for (const std::string &word : words) text += word.empty() ? "" : word + " ";
        all.insert(text);
      } while (std::ranges::next_permutation(words).found);
    }
  return all;
}

class KernelDeclarations : public DefaultDevice, public testing::WithParamInterface<const char *> {};

TEST_P(KernelDeclarations, GivenEachOrderOfTheWords_WhenBuilt_ThenEachFunctionIsAKernel) {
  std::string source;
  cl_int number = 0;
  for (const std::string &declaration : declarations(GetParam() != std::string("-cl-std=CL1.0"))) {
    const std::string name = "k" + std::to_string(number++);
    // Every third function is declared before its definition, as in headers.
    if (number % 3 == 0) source += "kernel void " + name + "(global int *a);\n";
    source += declaration + name + "(global int *a) { a[0] += " + std::to_string(number) + "; }\n";
  }
  const char *text = source.c_str();
  cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
  const cl_int status = clBuildProgram(program, 1, &device_, GetParam(), nullptr, nullptr);
  std::string log(4000, '\0');
  clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
  ASSERT_EQ(status, CL_SUCCESS) << log.c_str();
  size_t count = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, static_cast<size_t>(number));

  cl_int sum = 0;
  cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, sizeof sum, &sum, nullptr);
  const size_t items = 1;
  for (cl_int i = 0; i < number; ++i) {
    cl_int error = -1;
    cl_kernel kernel = clCreateKernel(program, ("k" + std::to_string(i)).c_str(), &error);
    ASSERT_EQ(error, CL_SUCCESS) << i;
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    clReleaseKernel(kernel);
  }
  EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, sizeof sum, &sum, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(sum, number * (number + 1) / 2);
  clReleaseMemObject(buffer);
  clReleaseProgram(program);
}

INSTANTIATE_TEST_SUITE_P(Versions, KernelDeclarations,
                         testing::Values("-cl-std=CL1.0", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0",
                                         "-cl-std=CLC++2021", "-cl-std=CL1.2 -cl-opt-disable"));

}  // namespace
}  // namespace upsweep::tests
