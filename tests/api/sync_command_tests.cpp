// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers and barriers.
#include "fixture.h"

namespace upsweep::tests {
namespace {

using SyncCommandTest = Fixture;

TEST_F(SyncCommandTest, GivenOutOfOrderQueue_WhenABarrierWaits_ThenLaterCommandsWaitAndEarlierOnesDoNot) {
  cl_event user = make_user_event(), before = nullptr, barrier = nullptr, after = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(out_of_order_, 0, nullptr, &before), CL_SUCCESS);
  ASSERT_EQ(clEnqueueBarrierWithWaitList(out_of_order_, 1, &user, &barrier), CL_SUCCESS);
  ASSERT_EQ(clEnqueueMarkerWithWaitList(out_of_order_, 0, nullptr, &after), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &before), CL_SUCCESS);
  EXPECT_GT(status_of(barrier), CL_COMPLETE);
  EXPECT_GT(status_of(after), CL_COMPLETE);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
  EXPECT_EQ(status_of(after), CL_COMPLETE);
  for (cl_event event : {user, before, barrier, after}) EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(SyncCommandTest, GivenOutOfOrderQueue_WhenAMarkerWaits_ThenLaterCommandsOvertakeIt) {
  cl_event user = make_user_event(), other = make_user_event(), marker = nullptr, after = nullptr;
  ASSERT_EQ(clSetUserEventStatus(other, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clEnqueueMarkerWithWaitList(out_of_order_, 1, &user, &marker), CL_SUCCESS);
  ASSERT_EQ(clEnqueueMarkerWithWaitList(out_of_order_, 1, &other, &after), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &after), CL_SUCCESS);
  EXPECT_GT(status_of(marker), CL_COMPLETE);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
  for (cl_event event : {user, other, marker, after}) EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(SyncCommandTest, GivenOldFunctions_WhenArgumentsAreMissing_ThenErrors) {
  EXPECT_EQ(clEnqueueMarker(in_order_, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWaitForEvents(in_order_, 0, nullptr), CL_INVALID_VALUE);
  cl_event not_an_event = reinterpret_cast<cl_event>(context_);
  EXPECT_EQ(clEnqueueWaitForEvents(in_order_, 1, &not_an_event), CL_INVALID_EVENT);
  EXPECT_EQ(clEnqueueBarrier(in_order_), CL_SUCCESS);
  cl_event marker = nullptr;
  EXPECT_EQ(clEnqueueMarker(in_order_, &marker), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &marker), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(marker), CL_SUCCESS);
}

}  // namespace
}  // namespace upsweep::tests
