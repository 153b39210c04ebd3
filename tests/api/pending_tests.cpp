// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that wait for an event which the application has released: they stay in the queue, and run when the event is set.
#include "../sanitizer.h"
#include "object_fixture.h"

namespace upsweep::tests {
namespace {

constexpr size_t kItems = 64;
/// The length of a chain of markers. Recursion over the chain would exceed any stack.
constexpr int kLength = kSanitized ? 50'000 : 300'000;

class PendingTest : public ObjectFixture {
protected:
  /// Enqueues data[i] += 1 behind `wait`, which may be null.
  void enqueue_increment(cl_command_queue queue, cl_mem data, cl_event wait, cl_event *event = nullptr) {
    if (!kernel_)
      kernel_ = make_kernel(build("kernel void increment(global int *data) { data[get_global_id(0)] += 1; }"), "increment");
    EXPECT_EQ(set_argument(kernel_, 0, data), CL_SUCCESS);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel_, 1, nullptr, &kItems, nullptr, wait ? 1 : 0, wait ? &wait : nullptr, event),
              CL_SUCCESS);
  }
  cl_mem make_zeros() {
    std::vector<int> zeros(kItems, 0);
    return make_buffer(kItems * sizeof(int), CL_MEM_COPY_HOST_PTR, zeros.data());
  }
  std::vector<int> ints_of(cl_mem buffer) {
    std::vector<int> values(kItems, -1);
    EXPECT_EQ(clEnqueueReadBuffer(make_reader(), buffer, CL_TRUE, 0, kItems * sizeof(int), values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return values;
  }
  void write_ints(cl_mem buffer, int value) {
    const std::vector<int> values(kItems, value);
    EXPECT_EQ(clEnqueueWriteBuffer(make_reader(), buffer, CL_TRUE, 0, kItems * sizeof(int), values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  /// A queue without unfinished commands.
  cl_command_queue make_reader() {
    if (!reader_) reader_ = make_queue(0);
    return reader_;
  }
  void TearDown() override {
    if (reader_) EXPECT_EQ(clReleaseCommandQueue(reader_), CL_SUCCESS);
    ObjectFixture::TearDown();
  }

  cl_kernel kernel_ = nullptr;
  cl_command_queue reader_ = nullptr;
};

TEST_F(PendingTest, GivenAKernelBehindAReleasedUserEvent_WhenOthersAreEnqueuedAndTheEventIsSet_ThenAllRun) {
  for (cl_command_queue queue : {out_of_order_, in_order_}) {
    cl_mem first = make_zeros(), second = make_zeros();
    cl_event gate = make_user_event(), done = nullptr;
    enqueue_increment(queue, first, gate);
    ASSERT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    for (int i = 0; i < 10; ++i) enqueue_increment(queue, second, done, nullptr);
    // "The event object is deleted once the reference count becomes zero … and there are no commands in command-queues that
    // require a wait for this event to complete": until then it can be set.
    ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(ints_of(first), std::vector<int>(kItems, 1));
  }
}

TEST_F(PendingTest, GivenAReleasedUserEventThatIsNotSet_WhenOtherCommandsRun_ThenTheWaitingOneStays) {
  cl_mem first = make_zeros(), second = make_zeros();
  cl_event gate = make_user_event(), waiting = nullptr, free = nullptr;
  enqueue_increment(out_of_order_, first, gate, &waiting);
  ASSERT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  enqueue_increment(out_of_order_, second, nullptr, &free);
  EXPECT_EQ(clWaitForEvents(1, &free), CL_SUCCESS);
  cl_event barrier = nullptr;
  EXPECT_EQ(clEnqueueBarrierWithWaitList(out_of_order_, 0, nullptr, &barrier), CL_SUCCESS);
  // The increment must read this value, so it must not run before.
  write_ints(first, 10);
  EXPECT_GT(status_of(waiting), CL_COMPLETE);
  EXPECT_GT(status_of(barrier), CL_COMPLETE);
  EXPECT_EQ(ints_of(first), std::vector<int>(kItems, 10));
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &barrier), CL_SUCCESS);
  EXPECT_EQ(ints_of(first), std::vector<int>(kItems, 11));
  EXPECT_EQ(ints_of(second), std::vector<int>(kItems, 1));
  for (cl_event event : {waiting, free, barrier}) EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(PendingTest, GivenAQueueReleasedBehindAReleasedUserEvent_WhenTheEventIsSet_ThenItsCommandsRun) {
  cl_mem data = make_zeros();
  cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event gate = make_user_event(), last = nullptr;
  enqueue_increment(queue, data, gate);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &last), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
  EXPECT_EQ(ints_of(data), std::vector<int>(kItems, 1));
  EXPECT_EQ(clReleaseEvent(last), CL_SUCCESS);
}

/// A stack frame for each marker, in completion or destruction, would overflow an 8 MiB stack.
TEST_F(PendingTest, GivenMarkersThatWaitForEachOther_WhenReleasedBeforeTheirUserEventIsSet_ThenNoStackOverflows) {
  for (const cl_int status : {CL_COMPLETE, -1}) {
    cl_event gate = make_user_event(), before = gate;
    for (int i = 0; i < kLength; ++i) {
      cl_event marker = nullptr;
      ASSERT_EQ(clEnqueueMarkerWithWaitList(out_of_order_, 1, &before, &marker), CL_SUCCESS);
      ASSERT_EQ(clReleaseEvent(before), CL_SUCCESS);
      before = marker;
    }
    EXPECT_EQ(clSetUserEventStatus(gate, status), CL_SUCCESS);
    EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
    EXPECT_EQ(status_of(before), status ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE);
    EXPECT_EQ(clReleaseEvent(before), CL_SUCCESS);
  }
}

TEST_F(PendingTest, GivenMarkersThatWaitForEachOther_WhenNobodyEverSetsTheirEvent_ThenReleasingEverythingIsNoCrash) {
  cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_event gate = make_user_event();
  cl_event before = gate;
  for (int i = 0; i < kLength; ++i) {
    cl_event marker = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &before, &marker), CL_SUCCESS);
    ASSERT_EQ(clReleaseEvent(before), CL_SUCCESS);
    before = marker;
  }
  EXPECT_EQ(clReleaseEvent(before), CL_SUCCESS);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);  // so that leak checkers find nothing
}

}  // namespace
}  // namespace upsweep::tests
