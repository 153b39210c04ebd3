// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks that wait: for other callbacks, and for commands.
#include "object_fixture.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <thread>

namespace upsweep::tests {
namespace {

template <typename Condition>
bool comes_true(const Condition &condition) {
  for (int ms = 0; ms < 20000 && !condition(); ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

/// A callback that ends when its flag is set.
struct Waiting {
  std::atomic<bool> may_end{false};
  std::atomic<bool> has_begun{false};
  std::atomic<bool> has_ended{false};

  static void CL_CALLBACK call(cl_event, cl_int, void *data) {
    auto &self = *static_cast<Waiting *>(data);
    self.has_begun = true;
    self.has_ended = comes_true([&] { return self.may_end.load(); });
  }
};

void CL_CALLBACK set_flag(cl_event, cl_int, void *flag) { *static_cast<std::atomic<bool> *>(flag) = true; }

class CallbackTest : public ObjectFixture {
protected:
  cl_event make_complete_event() {
    cl_event event = make_user_event();
    EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
    return event;
  }
};

TEST_F(CallbackTest, GivenACallbackThatWaitsForAnother_WhenBothAreDue_ThenBothReturn) {
  cl_event event = make_complete_event();
  Waiting first;
  ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, Waiting::call, &first), CL_SUCCESS);
  ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, set_flag, &first.may_end), CL_SUCCESS);
  EXPECT_TRUE(comes_true([&] { return first.has_ended.load(); }));
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(CallbackTest, GivenCallbacksThatEachWaitForTheNext_WhenAllAreDue_ThenAllReturn) {
  constexpr size_t kCallbacks = 50;
  struct Link {
    std::atomic<bool> *next_has_begun;
    std::atomic<bool> has_begun{false}, has_ended{false};
    static void CL_CALLBACK call(cl_event, cl_int, void *data) {
      auto &self = *static_cast<Link *>(data);
      self.has_begun = true;
      self.has_ended = !self.next_has_begun || comes_true([&] { return self.next_has_begun->load(); });
    }
  };
  std::deque<Link> links(kCallbacks);
  for (size_t i = 0; i < kCallbacks; ++i) links[i].next_has_begun = i + 1 < kCallbacks ? &links[i + 1].has_begun : nullptr;
  cl_event event = make_user_event();
  for (Link &link : links) ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, Link::call, &link), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
  for (Link &link : links) EXPECT_TRUE(comes_true([&] { return link.has_ended.load(); }));
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(CallbackTest, GivenCallbacksThatDoNotWait_WhenTheyRun_ThenOneAtATimeAndInTheOrderOfTheirEvents) {
  struct Log {
    std::atomic<int> running{0}, overlaps{0};
    std::vector<int> order;  // no lock: callbacks do not overlap
  } log;
  struct Call {
    Log *log;
    int number;
    static void CL_CALLBACK call(cl_event, cl_int, void *data) {
      auto &self = *static_cast<Call *>(data);
      if (self.log->running++ != 0) ++self.log->overlaps;
      self.log->order.push_back(self.number);
      --self.log->running;
    }
  };
  constexpr int kCalls = 2000;
  std::vector<Call> calls;
  for (int i = 0; i < kCalls; ++i) calls.push_back({&log, i});
  for (Call &call : calls) {
    cl_event event = make_complete_event();
    ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, Call::call, &call), CL_SUCCESS);
    ASSERT_EQ(clReleaseEvent(event), CL_SUCCESS);
  }
  std::atomic<bool> is_over{false};
  cl_event last = make_complete_event();
  ASSERT_EQ(clSetEventCallback(last, CL_COMPLETE, set_flag, &is_over), CL_SUCCESS);
  ASSERT_TRUE(comes_true([&] { return is_over.load(); }));
  // A busy machine may delay a callback for longer than the driver waits for it.
  if (log.overlaps == 0) EXPECT_TRUE(log.order.size() == kCalls && std::ranges::is_sorted(log.order));
  EXPECT_LE(log.overlaps, 2);
  EXPECT_EQ(clReleaseEvent(last), CL_SUCCESS);
}

/// The specification leaves this undefined; the driver should not hang if it can avoid that.
TEST_F(CallbackTest, GivenACallbackThatCallsClFinish_WhenTheQueueNeedsAnotherCallback_ThenItReturns) {
  cl_event gate = make_user_event(), trigger = make_complete_event(), marker = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(in_order_, 1, &gate, &marker), CL_SUCCESS);
  struct Finish {
    cl_command_queue queue;
    std::atomic<bool> has_begun{false}, has_ended{false};
    static void CL_CALLBACK call(cl_event, cl_int, void *data) {
      auto &self = *static_cast<Finish *>(data);
      self.has_begun = true;
      self.has_ended = clFinish(self.queue) == CL_SUCCESS;
    }
  } finish{.queue = in_order_};
  auto open_gate = [](cl_event, cl_int, void *event) { clSetUserEventStatus(static_cast<cl_event>(event), CL_COMPLETE); };
  ASSERT_EQ(clSetEventCallback(trigger, CL_COMPLETE, Finish::call, &finish), CL_SUCCESS);
  ASSERT_TRUE(comes_true([&] { return finish.has_begun.load(); }));
  ASSERT_EQ(clSetEventCallback(trigger, CL_COMPLETE, open_gate, gate), CL_SUCCESS);
  EXPECT_TRUE(comes_true([&] { return finish.has_ended.load(); }));
  for (cl_event event : {gate, trigger, marker}) EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(CallbackTest, GivenACallbackThatWaitsForItsOwnQueue_WhenItRuns_ThenItReturns) {
  struct Wait {
    cl_command_queue queue;
    std::atomic<bool> has_ended{false};
    static void CL_CALLBACK call(cl_event event, cl_int, void *data) {
      auto &self = *static_cast<Wait *>(data);
      cl_event marker = nullptr;
      self.has_ended = clWaitForEvents(1, &event) == CL_SUCCESS &&
                       clEnqueueMarkerWithWaitList(self.queue, 0, nullptr, &marker) == CL_SUCCESS &&
                       clWaitForEvents(1, &marker) == CL_SUCCESS && clReleaseEvent(marker) == CL_SUCCESS;
    }
  } wait{.queue = in_order_};
  cl_mem buffer = make_buffer(64);
  const int value = 1;
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueFillBuffer(in_order_, buffer, &value, 4, 0, 64, 0, nullptr, &event), CL_SUCCESS);
  ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, Wait::call, &wait), CL_SUCCESS);
  EXPECT_TRUE(comes_true([&] { return wait.has_ended.load(); }));
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

TEST_F(CallbackTest, GivenADestructorOrBuildCallbackThatWaitsForAnEventCallback_WhenItRuns_ThenItReturns) {
  cl_event gate = make_user_event(), trigger = make_complete_event();
  struct Destroyed {
    std::atomic<bool> may_end{false}, has_ended{false};
    static void CL_CALLBACK call(cl_mem, void *data) {
      auto &self = *static_cast<Destroyed *>(data);
      self.has_ended = comes_true([&] { return self.may_end.load(); });
    }
  } destroyed;
  cl_mem buffer = clCreateBuffer(context_, 0, 64, nullptr, nullptr);
  ASSERT_EQ(clSetMemObjectDestructorCallback(buffer, Destroyed::call, &destroyed), CL_SUCCESS);
  const int value = 1;
  ASSERT_EQ(clEnqueueFillBuffer(in_order_, buffer, &value, 4, 0, 64, 1, &gate, nullptr), CL_SUCCESS);
  ASSERT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  std::thread opener([&] { EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS); });
  ASSERT_EQ(clSetEventCallback(trigger, CL_COMPLETE, set_flag, &destroyed.may_end), CL_SUCCESS);
  EXPECT_TRUE(comes_true([&] { return destroyed.has_ended.load(); }));
  opener.join();
  struct Built {
    std::atomic<bool> may_end{false}, has_ended{false};
    static void CL_CALLBACK call(cl_program, void *data) {
      auto &self = *static_cast<Built *>(data);
      self.has_ended = comes_true([&] { return self.may_end.load(); });
    }
  } built;
  cl_program program = make_program("kernel void nothing() {}");
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", Built::call, &built), CL_SUCCESS);
  ASSERT_EQ(clSetEventCallback(trigger, CL_COMPLETE, set_flag, &built.may_end), CL_SUCCESS);
  EXPECT_TRUE(comes_true([&] { return built.has_ended.load(); }));
  for (cl_event event : {gate, trigger}) EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

/// The command that drops the last reference is complete before the callback runs: the waiting thread may hold locks that the
/// callback takes.
TEST_F(CallbackTest, GivenADestructorCallbackThatWantsALock_WhenItsHolderWaitsForTheCommand_ThenBothGoOn) {
  struct Lock {
    std::timed_mutex mutex;
    std::atomic<int> outcome{0};
    static void CL_CALLBACK call(cl_mem, void *data) {
      auto &self = *static_cast<Lock *>(data);
      const bool taken = self.mutex.try_lock_for(std::chrono::seconds(5));
      if (taken) self.mutex.unlock();
      self.outcome = taken ? 1 : -1;
    }
  } lock;
  for (int i = 0; i < 4; ++i) {
    lock.outcome = 0;
    cl_event gate = make_user_event();
    cl_mem buffer = clCreateBuffer(context_, 0, 64, nullptr, nullptr);
    ASSERT_EQ(clSetMemObjectDestructorCallback(buffer, Lock::call, &lock), CL_SUCCESS);
    const int value = 1;
    ASSERT_EQ(clEnqueueFillBuffer(in_order_, buffer, &value, 4, 0, 64, 1, &gate, nullptr), CL_SUCCESS);
    ASSERT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
    {
      std::lock_guard held(lock.mutex);
      std::thread opener([&] { EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS); });
      EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
      opener.join();
    }
    EXPECT_TRUE(comes_true([&] { return lock.outcome != 0; }));
    EXPECT_EQ(lock.outcome, 1);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  }
}

/// "When the callback function is called by the implementation, this memory object is not longer valid."
TEST_F(CallbackTest, GivenADestructorCallback_WhenItUsesItsHandle_ThenTheHandleIsRefused) {
  struct Answers {
    cl_int retained = 0, released = 0, asked = 0;
  } memory, context;
  cl_mem buffer = clCreateBuffer(context_, 0, 64, nullptr, nullptr);
  auto of_memory = [](cl_mem handle, void *data) {
    size_t bytes = 0;
    *static_cast<Answers *>(data) = {clRetainMemObject(handle), clReleaseMemObject(handle),
                                     clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr)};
  };
  ASSERT_EQ(clSetMemObjectDestructorCallback(buffer, of_memory, &memory), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  for (cl_int answer : {memory.retained, memory.released, memory.asked}) EXPECT_EQ(answer, CL_INVALID_MEM_OBJECT);
  cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  auto of_context = [](cl_context handle, void *data) {
    cl_uint count = 0;
    *static_cast<Answers *>(data) = {clRetainContext(handle), clReleaseContext(handle),
                                     clGetContextInfo(handle, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr)};
  };
  ASSERT_EQ(clSetContextDestructorCallback(other, of_context, &context), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
  for (cl_int answer : {context.retained, context.released, context.asked}) EXPECT_EQ(answer, CL_INVALID_CONTEXT);
}

}  // namespace
}  // namespace upsweep::tests
