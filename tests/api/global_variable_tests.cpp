// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_global_variable_access: the host reads and writes variables of program scope by name.
#include "api/newer_functions.h"
#include "object_fixture.h"

namespace {

using namespace upsweep::tests;

class GlobalVariableTest : public ObjectFixture {
protected:
  void SetUp() override {
    ObjectFixture::SetUp();
    look_up(get_pointer_, "clGetDeviceGlobalVariablePointerINTEL");
    look_up(read_, "clEnqueueReadGlobalVariableINTEL");
    look_up(write_, "clEnqueueWriteGlobalVariableINTEL");
  }

  template <typename Function>
  void look_up(Function &function, const char *name) {
    function = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
    ASSERT_NE(function, nullptr) << name;
  }

  cl_program build_counter() {
    return build(R"(
      global int counter = 5;
      global int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
      static global int hidden = 1;
      constant int fixed = 3;
      kernel void k(global int *out) { out[0] = counter; counter += 10; out[1] = table[7] + hidden + fixed; })");
  }
  std::vector<cl_int> run_counter(cl_program program) {
    cl_kernel kernel = make_kernel(program, "k");
    cl_mem out = make_buffer(2 * sizeof(cl_int));
    EXPECT_EQ(set_argument(kernel, 0, out), CL_SUCCESS);
    run(kernel, 1);
    std::vector<cl_int> values(2, -1);
    EXPECT_EQ(clEnqueueReadBuffer(in_order_, out, CL_TRUE, 0, 8, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
    return values;
  }

  decltype(&clGetDeviceGlobalVariablePointerINTEL) get_pointer_ = nullptr;
  decltype(&clEnqueueReadGlobalVariableINTEL) read_ = nullptr;
  decltype(&clEnqueueWriteGlobalVariableINTEL) write_ = nullptr;
};

TEST_F(GlobalVariableTest, GivenAVariable_WhenHostAndKernelsChangeIt_ThenEachSeesTheOther) {
  cl_program program = build_counter();
  cl_int seen = -1;
  EXPECT_EQ(read_(in_order_, program, "counter", CL_TRUE, 4, 0, &seen, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(run_counter(program), (std::vector<cl_int>{5, 12}));
  EXPECT_EQ(read_(in_order_, program, "counter", CL_TRUE, 4, 0, &seen, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(seen, 15);
  const cl_int number = 100, last = 50;
  EXPECT_EQ(write_(in_order_, program, "counter", CL_TRUE, 4, 0, &number, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(write_(in_order_, program, "table", CL_TRUE, 4, 28, &last, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(run_counter(program), (std::vector<cl_int>{100, 54}));
  std::vector<cl_int> table(10, -1);
  EXPECT_EQ(read_(in_order_, program, "table", CL_TRUE, 32, 0, &table[1], 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(table, (std::vector<cl_int>{-1, 1, 2, 3, 4, 5, 6, 7, 50, -1}));
}

TEST_F(GlobalVariableTest, GivenTwoBuildsOfASource_WhenOneIsWritten_ThenTheOtherKeepsItsVariable) {
  cl_program first = build_counter(), second = build_counter();
  const cl_int number = 77;
  EXPECT_EQ(write_(in_order_, first, "counter", CL_TRUE, 4, 0, &number, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(run_counter(first).front(), 77);
  EXPECT_EQ(run_counter(second).front(), 5);
}

TEST_F(GlobalVariableTest, GivenAPointer_WhenTheHostUsesIt_ThenItIsTheVariable) {
  cl_program program = build_counter();
  size_t bytes = 0;
  void *pointer = nullptr;
  EXPECT_EQ(get_pointer_(device_, program, "table", &bytes, &pointer), CL_SUCCESS);
  EXPECT_EQ(bytes, 32u);
  ASSERT_NE(pointer, nullptr);
  if (tests_a_gpu()) return;  // the pointer is the GPU's address
  EXPECT_EQ(static_cast<cl_int *>(pointer)[7], 8);
  EXPECT_EQ(get_pointer_(device_, program, "counter", nullptr, &pointer), CL_SUCCESS);
  *static_cast<cl_int *>(pointer) = 9;
  EXPECT_EQ(run_counter(program).front(), 9);
  EXPECT_EQ(*static_cast<cl_int *>(pointer), 19);
}

TEST_F(GlobalVariableTest, GivenAQueue_WhenAccessesAreEnqueued_ThenTheirOrderAndEventsHold) {
  cl_program program = build_counter();
  cl_event gate = make_user_event(), write = nullptr, read = nullptr;
  const cl_int number = 31;
  cl_int seen = -1;
  EXPECT_EQ(write_(in_order_, program, "counter", CL_FALSE, 4, 0, &number, 1, &gate, &write), CL_SUCCESS);
  EXPECT_EQ(read_(in_order_, program, "counter", CL_FALSE, 4, 0, &seen, 0, nullptr, &read), CL_SUCCESS);
  EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, write, CL_EVENT_COMMAND_TYPE),
            cl_command_type{CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL});
  EXPECT_EQ(value_of<cl_command_type>(clGetEventInfo, read, CL_EVENT_COMMAND_TYPE),
            cl_command_type{CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL});
  EXPECT_EQ(seen, -1);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &read), CL_SUCCESS);
  EXPECT_EQ(seen, 31);
  for (cl_event event : {gate, write, read}) EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(GlobalVariableTest, GivenBadArguments_WhenAccessed_ThenTheErrorSaysWhich) {
  cl_program program = build_counter();
  cl_program unbuilt = make_program("global int counter; kernel void k(global int *out) { *out = counter; }");
  cl_int number = 0;
  void *pointer = nullptr;
  EXPECT_EQ(get_pointer_(nullptr, program, "counter", nullptr, &pointer), CL_INVALID_DEVICE);
  EXPECT_EQ(get_pointer_(device_, nullptr, "counter", nullptr, &pointer), CL_INVALID_PROGRAM);
  EXPECT_EQ(get_pointer_(device_, program, "counter", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(get_pointer_(device_, program, nullptr, nullptr, &pointer), CL_INVALID_VALUE);
  EXPECT_EQ(get_pointer_(device_, unbuilt, "counter", nullptr, &pointer), CL_INVALID_PROGRAM_EXECUTABLE);
  for (const char *name : {"", "count", "counter1", "hidden", "fixed", "k"})
    EXPECT_EQ(get_pointer_(device_, program, name, nullptr, &pointer), CL_INVALID_ARG_VALUE) << name;
  cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  cl_command_queue foreign = clCreateCommandQueueWithProperties(other, device_, nullptr, nullptr);
  const auto both = [&](cl_command_queue queue, cl_program of, const char *name, size_t size, size_t offset, void *ptr,
                        cl_int expected) {
    EXPECT_EQ(read_(queue, of, name, CL_TRUE, size, offset, ptr, 0, nullptr, nullptr), expected);
    EXPECT_EQ(write_(queue, of, name, CL_TRUE, size, offset, ptr, 0, nullptr, nullptr), expected);
  };
  both(nullptr, program, "counter", 4, 0, &number, CL_INVALID_COMMAND_QUEUE);
  both(in_order_, nullptr, "counter", 4, 0, &number, CL_INVALID_PROGRAM);
  both(foreign, program, "counter", 4, 0, &number, CL_INVALID_CONTEXT);
  both(in_order_, unbuilt, "counter", 4, 0, &number, CL_INVALID_PROGRAM_EXECUTABLE);
  both(in_order_, program, nullptr, 4, 0, &number, CL_INVALID_VALUE);
  both(in_order_, program, "counter", 4, 0, nullptr, CL_INVALID_VALUE);
  both(in_order_, program, "missing", 4, 0, &number, CL_INVALID_ARG_VALUE);
  both(in_order_, program, "counter", 4, 1, &number, CL_INVALID_VALUE);
  both(in_order_, program, "counter", 5, 0, &number, CL_INVALID_VALUE);
  both(in_order_, program, "counter", 1, SIZE_MAX, &number, CL_INVALID_VALUE);
  both(in_order_, program, "counter", 0, 4, &number, CL_SUCCESS);
  EXPECT_EQ(read_(in_order_, program, "counter", CL_TRUE, 4, 0, &number, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clReleaseCommandQueue(foreign), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

TEST_F(GlobalVariableTest, GivenABinary_WhenBuilt_ThenItHasTheVariables) {
  cl_program program = build_counter();
  size_t bytes = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr), CL_SUCCESS);
  std::vector<unsigned char> binary(bytes);
  unsigned char *data = binary.data();
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr), CL_SUCCESS);
  const unsigned char *from = binary.data();
  cl_program copy = clCreateProgramWithBinary(context_, 1, &device_, &bytes, &from, nullptr, nullptr);
  programs_.push_back(copy);
  EXPECT_EQ(clBuildProgram(copy, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  cl_int seen = -1;
  EXPECT_EQ(read_(in_order_, copy, "table", CL_TRUE, 4, 12, &seen, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(seen, 4);
}

}  // namespace
