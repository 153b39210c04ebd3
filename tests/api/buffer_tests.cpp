// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateBuffer, clCreateBufferWithProperties, clCreateSubBuffer, clGetMemObjectInfo, clSetMemObjectDestructorCallback.
#include "object_fixture.h"
#include <cstdint>

namespace {

using namespace upsweep::tests;
using BufferTest = ObjectFixture;

TEST_F(BufferTest, GivenUseHostPtr_WhenMapped_ThenItIsTheApplicationsMemory) {
  std::vector<unsigned char> host(256, 7);
  cl_mem buffer = make_buffer(host.size(), CL_MEM_USE_HOST_PTR, host.data());
  EXPECT_EQ(value_of<void *>(clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR), host.data());
  cl_int error = -1;
  void *mapped = clEnqueueMapBuffer(in_order_, buffer, CL_TRUE, CL_MAP_READ, 16, 64, 0, nullptr, nullptr, &error);
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(mapped, host.data() + 16);
  EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(BufferTest, GivenCopyHostPtr_WhenTheHostChanges_ThenTheBufferDoesNot) {
  std::vector<unsigned char> host = counting(100);
  cl_mem buffer = make_buffer(host.size(), CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, host.data());
  host.assign(100, 0);
  EXPECT_EQ(content_of(buffer), counting(100));
  EXPECT_EQ(value_of<void *>(clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR), nullptr);
}

TEST_F(BufferTest, GivenContradictingFlags_WhenCreated_ThenInvalidValue) {
  char host[16];
  for (cl_mem_flags flags :
       {cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}, cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_READ_ONLY},
        cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR},
        cl_mem_flags{CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY},
        cl_mem_flags{CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS}, cl_mem_flags{1} << 40}) {
    cl_int error = 0;
    EXPECT_EQ(clCreateBuffer(context_, flags, sizeof host, host, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_VALUE) << flags;
  }
}

TEST_F(BufferTest, GivenABadSizeOrPointer_WhenCreated_ThenTheErrorSaysWhich) {
  char host[16];
  cl_int error = 0;
  EXPECT_EQ(clCreateBuffer(context_, 0, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(clCreateBuffer(context_, 0, SIZE_MAX, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, 16, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clCreateBuffer(context_, CL_MEM_READ_WRITE, 16, host, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clCreateBuffer(nullptr, CL_MEM_READ_WRITE, 16, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

TEST_F(BufferTest, GivenProperties_WhenCreated_ThenOnlyTheEmptyListIsValid) {
  cl_int error = -1;
  const cl_mem_properties none[] = {0};
  cl_mem buffer = keep(clCreateBufferWithProperties(context_, none, 0, 16, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(value_of<cl_mem_properties>(clGetMemObjectInfo, buffer, CL_MEM_PROPERTIES), 0U);
  EXPECT_EQ(value_of<cl_mem_flags>(clGetMemObjectInfo, buffer, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_WRITE});
  const cl_mem_properties unknown[] = {1234, 1, 0};
  EXPECT_EQ(clCreateBufferWithProperties(context_, unknown, 0, 16, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
}

TEST_F(BufferTest, GivenASubBuffer_WhenWritten_ThenTheParentChangesThere) {
  cl_mem parent = make_counting_buffer(512);
  const cl_buffer_region region{128, 64};
  cl_int error = -1;
  cl_mem part = keep(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const unsigned char value = 255;
  ASSERT_EQ(clEnqueueFillBuffer(in_order_, part, &value, 1, 0, 64, 0, nullptr, nullptr), CL_SUCCESS);
  std::vector<unsigned char> expected = counting(512);
  std::fill(expected.begin() + 128, expected.begin() + 192, value);
  EXPECT_EQ(content_of(parent), expected);
  EXPECT_EQ(value_of<cl_mem>(clGetMemObjectInfo, part, CL_MEM_ASSOCIATED_MEMOBJECT), parent);
  EXPECT_EQ(value_of<size_t>(clGetMemObjectInfo, part, CL_MEM_OFFSET), 128U);
  EXPECT_EQ(value_of<size_t>(clGetMemObjectInfo, part, CL_MEM_SIZE), 64U);
}

TEST_F(BufferTest, GivenBadRegions_WhenASubBufferIsCreated_ThenTheErrorSaysWhy) {
  cl_mem parent = make_buffer(512);
  struct {
    cl_buffer_region region;
    cl_int error;
  } const cases[] = {{{0, 513}, CL_INVALID_VALUE},
                     {{512, 1}, CL_INVALID_VALUE},
                     {{SIZE_MAX, 2}, CL_INVALID_VALUE},
                     {{0, 0}, CL_INVALID_BUFFER_SIZE},
                     {{4, 8}, CL_MISALIGNED_SUB_BUFFER_OFFSET}};
  for (const auto &test : cases) {
    cl_int error = 0;
    EXPECT_EQ(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &test.region, &error), nullptr);
    EXPECT_EQ(error, test.error) << test.region.origin << "+" << test.region.size;
  }
}

TEST_F(BufferTest, GivenSubBufferFlags_WhenTheyWidenTheParents_ThenInvalidValue) {
  const cl_buffer_region region{0, 64};
  struct {
    cl_mem_flags parent;
    cl_mem_flags child;
  } const cases[] = {{CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},
                     {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
                     {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
                     {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},
                     {CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR}};
  for (const auto &test : cases) {
    cl_int error = 0;
    EXPECT_EQ(clCreateSubBuffer(make_buffer(64, test.parent), test.child, CL_BUFFER_CREATE_TYPE_REGION, &region, &error),
              nullptr);
    EXPECT_EQ(error, CL_INVALID_VALUE) << test.parent << " " << test.child;
  }
}

TEST_F(BufferTest, GivenSubBuffers_WhenFlagsAreNotSaid_ThenTheyAreInherited) {
  const cl_buffer_region region{0, 64};
  cl_int error = -1;
  cl_mem parent = make_buffer(64, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR);
  cl_mem part = keep(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  EXPECT_EQ(value_of<cl_mem_flags>(clGetMemObjectInfo, part, CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR});
  EXPECT_EQ(clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
}

void CL_CALLBACK note(cl_mem, void *list) {
  auto &calls = *static_cast<std::vector<int> *>(list);
  calls.push_back(static_cast<int>(calls.size()));
}
void CL_CALLBACK note_ten(cl_mem, void *list) { static_cast<std::vector<int> *>(list)->push_back(10); }

TEST_F(BufferTest, GivenDestructorCallbacks_WhenReleased_ThenTheyRunInReverseOrder) {
  std::vector<int> calls;
  cl_mem buffer = clCreateBuffer(context_, 0, 16, nullptr, nullptr);
  EXPECT_EQ(clSetMemObjectDestructorCallback(buffer, note, &calls), CL_SUCCESS);
  EXPECT_EQ(clSetMemObjectDestructorCallback(buffer, note_ten, &calls), CL_SUCCESS);
  EXPECT_EQ(clSetMemObjectDestructorCallback(buffer, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clRetainMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(value_of<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_REFERENCE_COUNT), 2U);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_TRUE(calls.empty());
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(calls, (std::vector<int>{10, 1}));
  EXPECT_EQ(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
}

TEST_F(BufferTest, GivenAnUnknownQuery_WhenAsked_ThenInvalidValue) {
  cl_mem buffer = make_buffer(16);
  EXPECT_EQ(clGetMemObjectInfo(buffer, 1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  char small = 0;
  EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_SIZE, 1, &small, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(value_of<cl_mem_object_type>(clGetMemObjectInfo, buffer, CL_MEM_TYPE), cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(value_of<cl_context>(clGetMemObjectInfo, buffer, CL_MEM_CONTEXT), context_);
}

}  // namespace
