// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The capability SubgroupDispatch: required numbers and sizes of sub-groups, and queries about functions to enqueue.
#include "fixture.h"

#include <CL/cl_ext.h>

#include <algorithm>

namespace upsweep::tests {
namespace {

using spv::BuiltIn;
using spv::ExecutionMode;
using Storage = spv::StorageClass;

class SubGroupDispatchTest : public SpirvTest {
protected:
  static constexpr size_t kColumns = 3;

  /// Each work-item writes its sub-group's id, the number of sub-groups and their largest size.
  static void make_kernel(KernelModule &m) {
    m.capability(spv::Capability::SubgroupDispatch);
    const std::vector<Id> k = m.begin_kernel("k", {m.global_i32});
    const Id row = m.op(Op::OpIMul, m.i64, {m.global_id(), m.constant(64, kColumns)});
    uint64_t column = 0;
    for (const BuiltIn variable : {BuiltIn::SubgroupId, BuiltIn::NumSubgroups, BuiltIn::SubgroupMaxSize})
      m.put_at(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), m.load(m.i32, m.built_in(variable, m.i32)));
    m.end_kernel();
  }

  size_t info(cl_kernel kernel, cl_kernel_sub_group_info query, size_t input = 0) {
    size_t answer = 77;
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device_, query, input ? sizeof input : 0, input ? &input : nullptr, sizeof answer,
                                      &answer, nullptr),
              CL_SUCCESS);
    return answer;
  }

  cl_int enqueue(cl_kernel kernel, size_t global, size_t local) {
    return clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, local ? &local : nullptr, 0, nullptr, nullptr);
  }

  void check_launch(cl_kernel kernel, size_t groups, size_t lanes, size_t local) {
    const size_t items = 2 * groups * lanes;
    cl_mem output = buffer(items * kColumns * sizeof(cl_int));
    set(kernel, 0, output);
    ASSERT_EQ(enqueue(kernel, items, local), CL_SUCCESS);
    const auto found = values_of<cl_uint>(content_of(output));
    for (size_t n = 0; n < items; ++n) {
      EXPECT_EQ(found[n * kColumns], n / lanes % groups) << n;
      EXPECT_EQ(found[n * kColumns + 1], groups) << n;
      EXPECT_EQ(found[n * kColumns + 2], lanes) << n;
    }
  }
};

TEST_F(SubGroupDispatchTest, GivenARequiredNumberOfSubGroups_WhenLaunched_ThenWorkGroupsHaveIt) {
  for (const bool by_id : {false, true})
    for (const uint32_t required : {1u, 3u, 8u}) {
      SCOPED_TRACE(required);
      KernelModule m;
      make_kernel(m);
      if (by_id)
        m.mode_by_id(m.kernel(), ExecutionMode::SubgroupsPerWorkgroupId, {m.number(required)});
      else
        m.mode(m.kernel(), ExecutionMode::SubgroupsPerWorkgroup, {required});
      cl_kernel kernel = kernel_of(build(m.words()), "k");
      EXPECT_EQ(info(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS), required);
      EXPECT_EQ(info(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS), required);
      const size_t size = info(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, required), lanes = size / required;
      ASSERT_GT(lanes, 0u);
      EXPECT_EQ(info(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, required + 1), 0u);
      check_launch(kernel, required, lanes, size);
      check_launch(kernel, required, lanes, 0);
      for (const size_t wrong : {size + 1, size - lanes, size + lanes})
        if (wrong != 0) EXPECT_EQ(enqueue(kernel, 2 * size, wrong), CL_INVALID_WORK_GROUP_SIZE) << wrong;
      if (lanes > 1) EXPECT_EQ(enqueue(kernel, 2 * size, size - 1), CL_SUCCESS);  // the last sub-group has fewer work-items
      EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
    }
}

TEST_F(SubGroupDispatchTest, GivenTwoDimensions_WhenLaunched_ThenTheProductCounts) {
  KernelModule m;
  make_kernel(m);
  m.mode(m.kernel(), ExecutionMode::SubgroupsPerWorkgroup, {2});
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  const size_t lanes = info(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 2) / 2;
  cl_mem output = buffer(lanes * 4 * kColumns * sizeof(cl_int));
  set(kernel, 0, output);
  const size_t global[] = {lanes, 4}, right[] = {lanes, 2}, wrong[] = {lanes, 4}, long_line[] = {lanes, 1};
  const auto enqueue2 = [&](const size_t *local) {
    return clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, global, local, 0, nullptr, nullptr);
  };
  EXPECT_EQ(enqueue2(right), CL_SUCCESS);
  EXPECT_EQ(enqueue2(nullptr), CL_SUCCESS);
  EXPECT_EQ(enqueue2(wrong), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue2(long_line), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(SubGroupDispatchTest, GivenASizeOfSubGroups_WhenLaunched_ThenTheyHaveIt) {
  for (const uint32_t lanes : {4u, 8u, 16u, 32u}) {
    if (tests_a_gpu() && lanes < 8) continue;
    KernelModule m;
    make_kernel(m);
    m.mode(m.kernel(), ExecutionMode::SubgroupSize, {lanes});
    m.mode(m.kernel(), ExecutionMode::SubgroupsPerWorkgroup, {5});
    cl_kernel kernel = kernel_of(build(m.words()), "k");
    EXPECT_EQ(info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL), lanes);
    EXPECT_EQ(info(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 5), 5 * lanes);
    check_launch(kernel, 5, lanes, 0);
  }
}

TEST_F(SubGroupDispatchTest, GivenMoreSubGroupsThanFit_WhenLaunched_ThenNoWorkGroupIsLargeEnough) {
  KernelModule m;
  make_kernel(m);
  m.mode(m.kernel(), ExecutionMode::SubgroupsPerWorkgroup, {1U << 30});
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  set(kernel, 0, buffer(64));
  EXPECT_EQ(info(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 1U << 30), 0u);
  EXPECT_NE(enqueue(kernel, 4, 0), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel, 4, 4), CL_INVALID_WORK_GROUP_SIZE);
}

TEST_F(SubGroupDispatchTest, GivenANumberOfZero_WhenBuilt_ThenItIsRefused) {
  KernelModule m;
  make_kernel(m);
  m.mode(m.kernel(), ExecutionMode::SubgroupsPerWorkgroup, {0});
  EXPECT_NE(failure_of(m.words()).find("a required number of sub-groups is 0"), std::string::npos);
}

// A kernel asks about a function to enqueue. The number of sub-groups of a range with the answer as its local size is the
// reference.
TEST_F(SubGroupDispatchTest, GivenAFunctionToEnqueue_WhenAskedForSizes_ThenTheyGiveTheNumbersOfSubGroups) {
  KernelModule m;
  for (const spv::Capability each : {spv::Capability::SubgroupDispatch, spv::Capability::DeviceEnqueue}) m.capability(each);
  const Id i8 = m.integer(8), sizes = m.array(m.i64, 3);
  const Id parameter = m.pointer(Storage::Generic, i8), range = m.structure({m.i32, sizes, sizes, sizes});
  std::vector<Id> p;
  const Id invoked = m.begin_function(m.void_type(), {parameter}, p);
  m.block();
  m.statement(Op::OpReturn);
  m.end_function();
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id captured = m.variable(i8, {m.constant(8, 7)});
  const Words block = {invoked, captured, m.number(1), m.number(1)};
  const Id index = m.global_id(), count = m.get_at(k[1], index);
  constexpr size_t kAnswers = 5;
  const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, kAnswers)});
  uint64_t column = 0;
  const auto put = [&](Id answer) { m.put_at(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), answer); };
  const Id size = m.op(Op::OpGetKernelLocalSizeForSubgroupCount, m.i32, Words{count} + block);
  put(size);
  put(m.op(Op::OpGetKernelMaxNumSubgroups, m.i32, block));
  put(m.op(Op::OpGetKernelWorkGroupSize, m.i32, block));
  put(m.op(Op::OpGetKernelPreferredWorkGroupSizeMultiple, m.i32, block));
  const Id wide = m.op(Op::OpUConvert, m.i64, {size});
  const Id local =
      m.op(Op::OpSelect, m.i64, {m.op(Op::OpINotEqual, m.boolean, {wide, m.constant(64, 0)}), wide, m.constant(64, 1)});
  const Id of_range = m.op(Op::OpBuildNDRange, range, {m.constant(64, 1U << 20), local, m.constant(64, 0)});
  put(m.op(Op::OpGetKernelNDrangeSubGroupCount, m.i32, Words{of_range} + block));
  m.end_kernel();

  const std::vector<cl_int> counts = {0, 1, 2, 3, 7, 1000, 1 << 20, -1, 1 << 30};
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(counts.size() * kAnswers * sizeof(cl_int));
  set(kernel, 0, output);
  set(kernel, 1, buffer(bytes_of(counts)));
  run(kernel, counts.size());
  const auto found = values_of<cl_uint>(content_of(output));
  const auto most = figure_of<size_t>(device_, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  for (size_t n = 0; n < counts.size(); ++n) {
    const cl_uint *answer = &found[n * kAnswers], lanes = answer[3], count = static_cast<cl_uint>(counts[n]);
    EXPECT_EQ(answer[2], most);
    ASSERT_GT(lanes, 0u);
    EXPECT_EQ(answer[1], (most + lanes - 1) / lanes);
    const bool exists = count != 0 && uint64_t{count} * lanes <= most;
    EXPECT_EQ(answer[0], exists ? count * lanes : 0) << count;
    if (exists) EXPECT_EQ(answer[4], count);
  }
}

}  // namespace
}  // namespace upsweep::tests
