// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that use a memory object without an order between them are found, by the order that the program made and not by the
// order in which they happened to run.
#include "kernel_runner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace upsweep::tests {
namespace {

using Json = nlohmann::json;

std::string command_race_log() {
  static const std::string path = testing::TempDir() + "upsweep_command_races_" + std::to_string(getpid()) + ".json";
  return path;
}

// The driver reads its environment when it is loaded.
const bool is_checked = [] {
  return setenv("UPSWEEP_CHECK", "race", 1) == 0 && setenv("UPSWEEP_CHECK_LOG", command_race_log().c_str(), 1) == 0;
}();

constexpr size_t kInts = 1024, kBytes = kInts * sizeof(cl_int);

class CommandRaces : public KernelRunner {
protected:
  void SetUp() override {
    if (tested_device_type() != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "only the CPU device checks kernels";
    KernelRunner::SetUp();
    std::remove(command_race_log().c_str());
    other_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
    const cl_queue_properties any_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    loose_ = clCreateCommandQueueWithProperties(context_, device_, any_order, nullptr);
    build("command_races.cl", "fill");
    fill_ = std::exchange(kernel_, nullptr);
    copy_ = clCreateKernel(program_, "copy", nullptr);
    paint_ = clCreateKernel(program_, "paint", nullptr);
    look_ = clCreateKernel(program_, "look", nullptr);
    buffer_ = buffer();
    second_ = buffer();
  }
  void TearDown() override {
    if (!context_) return;
    for (cl_command_queue queue : {queue_, other_, loose_}) clFinish(queue);
    for (cl_event event : events_) clReleaseEvent(event);
    for (cl_kernel kernel : {fill_, copy_, paint_, look_}) clReleaseKernel(kernel);
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    for (cl_command_queue queue : {other_, loose_}) clReleaseCommandQueue(queue);
    std::remove(command_race_log().c_str());
    KernelRunner::TearDown();
  }

  cl_mem buffer() {
    memory_.push_back(clCreateBuffer(context_, CL_MEM_READ_WRITE, kBytes, nullptr, nullptr));
    return memory_.back();
  }
  cl_mem part(cl_mem whole, size_t begin, size_t bytes) {
    const cl_buffer_region region{begin, bytes};
    memory_.push_back(clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
    return memory_.back();
  }
  cl_mem image() {
    const cl_image_format format{CL_R, CL_SIGNED_INT32};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 16;
    memory_.push_back(clCreateImage(context_, CL_MEM_READ_WRITE, &format, &desc, nullptr, nullptr));
    return memory_.back();
  }

  /// Launches a kernel of one or two memory objects; returns its event.
  cl_event launch(cl_command_queue queue, cl_kernel kernel, std::initializer_list<cl_mem> arguments,
                  const std::vector<cl_event> &waits = {}, size_t items = 256) {
    cl_uint index = 0;
    for (cl_mem memory : arguments) EXPECT_EQ(clSetKernelArg(kernel, index++, sizeof memory, &memory), CL_SUCCESS);
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, static_cast<cl_uint>(waits.size()),
                                     waits.empty() ? nullptr : waits.data(), &event),
              CL_SUCCESS);
    events_.push_back(event);
    return event;
  }

  static std::vector<std::string> races() {
    std::vector<std::string> found;
    std::ifstream file(command_race_log());
    for (std::string line; std::getline(file, line);) {
      const Json finding = Json::parse(line);
      if (finding["kind"] == "race-of-commands") found.push_back(finding["message"]);
      EXPECT_EQ(finding["kind"], "race-of-commands") << line;
    }
    std::remove(command_race_log().c_str());
    return found;
  }
  static void expect_none(const char *what) { EXPECT_EQ(races(), std::vector<std::string>()) << what; }
  /// Expects a single race, whose message has these words.
  static void expect_race(std::initializer_list<const char *> words) {
    const std::vector<std::string> found = races();
    ASSERT_EQ(found.size(), 1U) << (found.empty() ? "" : found[1]);
    for (const char *word : words) EXPECT_NE(found[0].find(word), std::string::npos) << word << " is missing: " << found[0];
  }

  cl_command_queue other_ = nullptr, loose_ = nullptr;
  cl_kernel fill_ = nullptr, copy_ = nullptr, paint_ = nullptr, look_ = nullptr;
  cl_mem buffer_ = nullptr, second_ = nullptr;
  std::vector<cl_mem> memory_;
  std::vector<cl_event> events_;
};

TEST_F(CommandRaces, GivenTwoQueues_WhenAWriteAndAReadHaveNoOrder_ThenBothKernelsAreNamed) {
  launch(queue_, fill_, {buffer_});
  launch(other_, copy_, {second_, buffer_});
  expect_race(
      {"read by kernel 'copy', argument 'in'", "write by kernel 'fill', argument 'out'", "bytes 0 to 4095 of the same buffer"});
}

TEST_F(CommandRaces, GivenTwoQueues_WhenAnEventOrdersThem_ThenNothingIsFound) {
  cl_event filled = launch(queue_, fill_, {buffer_});
  launch(other_, copy_, {second_, buffer_}, {filled});
  expect_none("an event");
  // Through a third command, and a queue's order.
  cl_event copied = launch(other_, copy_, {buffer(), second_});
  launch(loose_, fill_, {buffer_}, {copied});
  expect_none("a chain");
}

TEST_F(CommandRaces, GivenTwoQueues_WhenTheHostWaitsBetweenThem_ThenNothingIsFound) {
  launch(queue_, fill_, {buffer_});
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  cl_event copied = launch(other_, copy_, {second_, buffer_});
  expect_none("clFinish");
  ASSERT_EQ(clWaitForEvents(1, &copied), CL_SUCCESS);
  cl_event filled = launch(queue_, fill_, {buffer_});
  expect_none("clWaitForEvents");
  cl_int status = CL_QUEUED;
  while (status != CL_COMPLETE)
    ASSERT_EQ(clGetEventInfo(filled, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  launch(other_, fill_, {buffer_});
  expect_none("a loop that asks for the status");
  std::vector<cl_int> numbers(kInts);
  ASSERT_EQ(clEnqueueReadBuffer(other_, buffer_, CL_TRUE, 0, kBytes, numbers.data(), 0, nullptr, nullptr), CL_SUCCESS);
  launch(loose_, fill_, {buffer_});
  expect_none("a blocking read of the same queue");
}

TEST_F(CommandRaces, GivenTwoReads_WhenTheyHaveNoOrder_ThenNothingIsFound) {
  launch(queue_, copy_, {second_, buffer_});
  launch(other_, copy_, {buffer(), buffer_});
  expect_none("two reads");
}

TEST_F(CommandRaces, GivenOneQueue_WhenItIsInOrder_ThenNothingIsFound) {
  for (int i = 0; i < 3; ++i) {
    launch(queue_, fill_, {buffer_});
    launch(queue_, copy_, {second_, buffer_});
  }
  expect_none("an in-order queue");
}

TEST_F(CommandRaces, GivenAQueueOutOfOrder_WhenNothingOrdersItsCommands_ThenTheyAreFound) {
  launch(loose_, copy_, {second_, buffer_});
  launch(loose_, fill_, {buffer_});
  expect_race({"write by kernel 'fill', argument 'out', and read by kernel 'copy', argument 'in'"});
  ASSERT_EQ(clFinish(loose_), CL_SUCCESS);
  launch(loose_, fill_, {buffer_});
  ASSERT_EQ(clEnqueueBarrierWithWaitList(loose_, 0, nullptr, nullptr), CL_SUCCESS);
  launch(loose_, copy_, {second_, buffer_});
  expect_none("a barrier");
}

TEST_F(CommandRaces, GivenTransfers_WhenTheyMeetKernels_ThenTheirBytesCount) {
  std::vector<cl_int> numbers(kInts);
  launch(queue_, fill_, {part(buffer_, 0, kBytes / 2)});
  ASSERT_EQ(clEnqueueReadBuffer(other_, buffer_, CL_TRUE, kBytes / 2, kBytes / 2, numbers.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  expect_none("the other half");
  ASSERT_EQ(clEnqueueReadBuffer(other_, buffer_, CL_TRUE, kBytes / 2 - 4, 8, numbers.data(), 0, nullptr, nullptr), CL_SUCCESS);
  expect_race({"read by clEnqueueReadBuffer", "'fill'", "bytes 2044 to 2047 of the same buffer"});
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  ASSERT_EQ(clEnqueueWriteBuffer(queue_, buffer_, CL_FALSE, 0, 1, numbers.data(), 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clEnqueueCopyBuffer(other_, second_, buffer_, 0, 0, kBytes, 0, nullptr, nullptr), CL_SUCCESS);
  expect_race({"write by clEnqueueCopyBuffer", "write by clEnqueueWriteBuffer", "byte 0 of the same buffer"});
}

TEST_F(CommandRaces, GivenImages_WhenNothingOrdersTheCommands_ThenTheyAreFound) {
  cl_mem picture = image();
  cl_event painted = launch(queue_, paint_, {picture});
  launch(other_, look_, {buffer_, picture}, {painted});
  expect_none("an event");
  launch(loose_, paint_, {picture});
  const std::vector<std::string> found = races();
  ASSERT_EQ(found.size(), 2U);  // with each of the earlier kernels
  EXPECT_NE((found[0] + found[1]).find("of the same image"), std::string::npos) << found[0];
}

TEST_F(CommandRaces, GivenAUserEvent_WhenItIsNotSetYet_ThenTheOrderIsTheHosts) {
  cl_event later = clCreateUserEvent(context_, nullptr);
  launch(queue_, fill_, {buffer_}, {later});
  launch(other_, copy_, {second_, buffer_});
  expect_none("a user event");
  ASSERT_EQ(clFinish(other_), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(later, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  clReleaseEvent(later);
  expect_none("a user event");
}

TEST_F(CommandRaces, GivenManyCommandsWithoutAWait_WhenTheyAreOrdered_ThenNothingIsFound) {
  for (int i = 0; i < 3000; ++i) {
    cl_event event = nullptr;
    const cl_int zero = 0;
    ASSERT_EQ(clEnqueueFillBuffer(queue_, buffer_, &zero, sizeof zero, 0, kBytes, 0, nullptr, i % 100 ? nullptr : &event),
              CL_SUCCESS);
    if (!event) continue;
    launch(other_, copy_, {second_, buffer_}, {event}, 1);
    ASSERT_EQ(clEnqueueBarrierWithWaitList(queue_, 1, &events_.back(), nullptr), CL_SUCCESS);
    clReleaseEvent(event);
  }
  expect_none("many commands");
}

}  // namespace
}  // namespace upsweep::tests
