// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of writes to a memory object. It tells a target whether data derived from the bytes, such as a texture's copy, is
// current.
#include "../image_desc.h"
#include "separate_fixture.h"
#include <functional>

namespace upsweep::tests {
namespace {

class NumWrites : public SeparateFixture {
protected:
  uint64_t count(cl_mem memory) {
    for (cl_command_queue queue : queues_)
      if (queue) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    return (*MemoryObject::from(memory))->num_writes();
  }

  /// Whether the number of `memory` has changed when the command ends.
  bool changes(cl_mem memory, const std::function<cl_int()> &command) {
    const uint64_t before = count(memory);
    EXPECT_EQ(command(), CL_SUCCESS);
    return count(memory) != before;
  }

  cl_int map(cl_command_queue queue, cl_mem buffer, cl_map_flags flags, bool unmap = true) {
    cl_int error = -1;
    mapped_ = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 0, kBytes, 0, nullptr, nullptr, &error);
    return error == CL_SUCCESS && unmap ? clEnqueueUnmapMemObject(queue, buffer, mapped_, 0, nullptr, nullptr) : error;
  }

  static constexpr size_t kInts = 64, kBytes = kInts * sizeof(int);
  void *mapped_ = nullptr;
};

TEST_F(NumWrites, GivenCommandsThatWrite_WhenTheyAreOver_ThenTheNumberHasChanged) {
  const std::vector<int> values = counting(kInts);
  cl_mem buffer = make_ints(values), other = make_ints(values);
  cl_mem part = make_part(buffer, 0, kBytes);
  const int seven = 7;
  const size_t origin[3] = {}, region[3] = {16, 4, 1};
  for (const size_t device : {kCpu, kFirst, kSecond}) {
    SCOPED_TRACE(device);
    cl_command_queue queue = queues_[device];
    const auto write = [&](cl_mem to) {
      return clEnqueueWriteBuffer(queue, to, CL_FALSE, 4, kBytes - 4, values.data(), 0, nullptr, nullptr);
    };
    EXPECT_TRUE(changes(buffer, [&] { return write(buffer); }));
    EXPECT_TRUE(changes(buffer, [&] { return write(part); })) << "the bytes are the whole buffer's";
    EXPECT_TRUE(changes(part, [&] { return write(buffer); }));
    EXPECT_TRUE(changes(
        buffer, [&] { return clEnqueueFillBuffer(queue, buffer, &seven, sizeof seven, 0, kBytes, 0, nullptr, nullptr); }));
    EXPECT_TRUE(changes(buffer, [&] { return clEnqueueCopyBuffer(queue, other, buffer, 0, 0, kBytes, 0, nullptr, nullptr); }));
    EXPECT_TRUE(changes(buffer, [&] {
      return clEnqueueWriteBufferRect(queue, buffer, CL_FALSE, origin, origin, region, 32, 0, 16, 0, values.data(), 0, nullptr,
                                      nullptr);
    }));
    EXPECT_TRUE(changes(buffer, [&] { return add(queue, buffer, 1); }));
    EXPECT_TRUE(changes(buffer, [&] { return copy(queue, other, buffer); }));
    EXPECT_TRUE(changes(buffer, [&] { return map(queue, buffer, CL_MAP_WRITE); }));
    EXPECT_TRUE(changes(buffer, [&] { return map(queue, buffer, CL_MAP_WRITE_INVALIDATE_REGION); }));
  }
}

TEST_F(NumWrites, GivenAMappingForWriting_WhenItIsTakenBack_ThenTheNumberChangesAgain) {
  cl_mem buffer = make_ints(counting(kInts));
  ASSERT_EQ(map(queues_[kFirst], buffer, CL_MAP_WRITE, false), CL_SUCCESS);
  EXPECT_TRUE(changes(buffer, [&] { return clEnqueueUnmapMemObject(queues_[kFirst], buffer, mapped_, 0, nullptr, nullptr); }))
      << "the application wrote in between";
}

TEST_F(NumWrites, GivenCommandsThatRead_WhenTheyAreOver_ThenTheNumberIsTheSame) {
  std::vector<int> values = counting(kInts);
  cl_mem buffer = make_ints(values), other = make_ints(values);
  for (const size_t device : {kCpu, kFirst, kSecond}) {
    SCOPED_TRACE(device);
    cl_command_queue queue = queues_[device];
    EXPECT_FALSE(changes(
        buffer, [&] { return clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, values.data(), 0, nullptr, nullptr); }));
    EXPECT_FALSE(changes(buffer, [&] { return clEnqueueCopyBuffer(queue, buffer, other, 0, 0, kBytes, 0, nullptr, nullptr); }));
    EXPECT_FALSE(changes(buffer, [&] { return map(queue, buffer, CL_MAP_READ); }));
    EXPECT_FALSE(changes(buffer, [&] { return clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, 0, nullptr, nullptr); }))
        << "the bytes move, and stay what they are";
  }
}

TEST_F(NumWrites, GivenAnImageOfABuffer_WhenEitherIsWritten_ThenTheNumberOfBothChanges) {
  open({kCpu, kFirst});
  cl_mem buffer = make_ints(counting(kInts));
  cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, kInts / 4);
  desc.buffer = buffer;
  const cl_image_format format{CL_RGBA, CL_SIGNED_INT32};
  cl_int error = -1;
  cl_mem image = clCreateImage(context_, 0, &format, &desc, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  memories_.push_back(image);
  const size_t origin[3] = {}, region[3] = {4, 1, 1};
  const int colour[4] = {1, 2, 3, 4};
  EXPECT_TRUE(changes(image, [&] { return add(queues_[kFirst], buffer, 1); }));
  EXPECT_TRUE(
      changes(buffer, [&] { return clEnqueueFillImage(queues_[kCpu], image, colour, origin, region, 0, nullptr, nullptr); }));
}

}  // namespace
}  // namespace upsweep::tests
