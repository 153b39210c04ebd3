// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses of variables of the widest types.
#include "kernel_runner.h"

namespace upsweep::tests {
namespace {

struct alignas(128) Wide {
  cl_char tag;
  alignas(128) cl_double16 wide;
};

TEST_F(KernelRunner, GivenTheWidestTypes_WhenTheyOutliveBarriers_ThenTheirAddressesAreMultiplesOfTheirSize) {
  build("alignment.cl", "addresses");
  Wide wide{};
  wide.tag = 1;
  set(1, cl_char{3});
  set(2, wide);
  set(3, wide);
  set(4, cl_double16{});
  for (size_t local : {2, 6, 34}) {
    set_local(5, local * sizeof(cl_long16));
    EXPECT_EQ(run({{3 * local, 1, 1}, {local, 1, 1}}, 3 * local), expected(3 * local, [](size_t) { return 1; })) << local;
  }
}

TEST_F(KernelRunner, GivenAVariableOfTheWidestTypesAlignment_WhenItOutlivesBarriers_ThenEachFrameAlignsIt) {
  build("alignment.cl", "frames");
  set(1, cl_int{5});
  for (size_t local : {2, 6, 34})
    EXPECT_EQ(run({{3 * local, 1, 1}, {local, 1, 1}}, 3 * local), expected(3 * local, [](size_t) { return 1; })) << local;
}

struct alignas(256) Apart {
  cl_char tag;
  alignas(256) cl_int value;
};

TEST_F(KernelRunner, GivenMoreThanTheWidestTypesAlignment_WhenVariablesAskForIt_ThenTheirAddressesHaveIt) {
  build("alignment.cl", "apart");
  const Apart value{1, 2};
  set(1, cl_char{3});
  set(2, value);
  set(3, value);
  for (size_t local : {2, 6, 34}) {
    set_local(4, local);
    set_local(5, 2 * sizeof(Apart));
    EXPECT_EQ(run({{3 * local, 1, 1}, {local, 1, 1}}, 3 * local), expected(3 * local, [](size_t) { return 1; })) << local;
  }
}

}  // namespace
}  // namespace upsweep::tests
