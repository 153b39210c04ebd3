// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors, events and host access of commands on images. image_transfer_tests.cpp tests the data that they move.
#include "image_fixture.h"
#include <cstdint>

namespace {

using namespace upsweep::tests;

class ImageCommandTest : public ImageFixture {
protected:
  void SetUp() override {
    ImageFixture::SetUp();
    if (IsSkipped()) return;
    image_ = create(0, kRgba8, desc_2d(8, 4));
  }
  cl_int read_error(cl_mem image, const size_t *origin, const size_t *region, size_t row = 0, size_t slice = 0) {
    return clEnqueueReadImage(in_order_, image, CL_TRUE, origin, region, row, slice, host_.data(), 0, nullptr, nullptr);
  }
  cl_int map_error(cl_mem image, cl_map_flags flags, size_t *row, size_t *slice) {
    cl_int error = -1;
    void *pointer = clEnqueueMapImage(in_order_, image, CL_TRUE, flags, origin_.data(), one_.data(), row, slice, 0, nullptr,
                                      nullptr, &error);
    EXPECT_EQ(pointer != nullptr, error == CL_SUCCESS);
    if (pointer) EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, image, pointer, 0, nullptr, nullptr), CL_SUCCESS);
    return error;
  }
  static cl_command_type type_of(cl_event event) {
    return value_of<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE);
  }

  cl_mem image_ = nullptr;
  const Coordinates origin_{0, 0, 0}, one_{1, 1, 1};
  std::array<unsigned char, 1 << 14> host_{};
};

TEST_F(ImageCommandTest, GivenRegionsOfEachType_WhenTheyAreOutside_ThenInvalidValue) {
  struct {
    cl_image_desc desc;
    Coordinates extent;
    unsigned dims;
  } const cases[] = {{desc_of(CL_MEM_OBJECT_IMAGE1D, 7), {7, 1, 1}, 1},
                     {desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 7, 0, 0, 3), {7, 3, 1}, 2},
                     {desc_of(CL_MEM_OBJECT_IMAGE2D, 7, 5), {7, 5, 1}, 2},
                     {desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 7, 5, 0, 3), {7, 5, 3}, 3},
                     {desc_of(CL_MEM_OBJECT_IMAGE3D, 7, 5, 2), {7, 5, 2}, 3}};
  for (const auto &test : cases) {
    cl_mem image = create(0, kRgba8, test.desc);
    EXPECT_EQ(read_error(image, origin_.data(), test.extent.data()), CL_SUCCESS);
    for (unsigned dim = 0; dim < 3; ++dim) {
      auto changed = [&](Coordinates value, size_t at) {
        value[dim] = at;
        return value;
      };
      EXPECT_EQ(read_error(image, changed(origin_, 1).data(), test.extent.data()), CL_INVALID_VALUE);
      EXPECT_EQ(read_error(image, changed(origin_, test.extent[dim]).data(), one_.data()), CL_INVALID_VALUE);
      EXPECT_EQ(read_error(image, changed(origin_, SIZE_MAX).data(), one_.data()), CL_INVALID_VALUE);
      EXPECT_EQ(read_error(image, origin_.data(), changed(test.extent, 0).data()), CL_INVALID_VALUE);
      EXPECT_EQ(read_error(image, origin_.data(), changed(test.extent, test.extent[dim] + 1).data()), CL_INVALID_VALUE);
      EXPECT_EQ(read_error(image, origin_.data(), changed(test.extent, SIZE_MAX).data()), CL_INVALID_VALUE);
    }
    EXPECT_EQ(read_error(image, nullptr, one_.data()), CL_INVALID_VALUE);
    EXPECT_EQ(read_error(image, origin_.data(), nullptr), CL_INVALID_VALUE);
  }
}

TEST_F(ImageCommandTest, GivenHostPitches_WhenTheyDoNotFit_ThenInvalidValue) {
  const Coordinates region{4, 2, 1}, box{4, 2, 2};
  EXPECT_EQ(read_error(image_, origin_.data(), region.data(), 15), CL_INVALID_VALUE);
  EXPECT_EQ(read_error(image_, origin_.data(), region.data(), 17), CL_SUCCESS);
  EXPECT_EQ(read_error(image_, origin_.data(), region.data(), 16, 32), CL_INVALID_VALUE);
  EXPECT_EQ(read_error(image_, origin_.data(), region.data(), SIZE_MAX - 8), CL_INVALID_VALUE);
  EXPECT_EQ(read_error(image_, origin_.data(), region.data(), SIZE_MAX / 2 + 1), CL_INVALID_VALUE);
  cl_mem volume = create(0, kRgba8, desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 2, 2));
  EXPECT_EQ(read_error(volume, origin_.data(), box.data(), 16, 31), CL_INVALID_VALUE);
  EXPECT_EQ(read_error(volume, origin_.data(), box.data(), 16, 33), CL_SUCCESS);
  EXPECT_EQ(read_error(volume, origin_.data(), box.data(), 0, SIZE_MAX - 1), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadImage(in_order_, image_, CL_TRUE, origin_.data(), one_.data(), 0, 0, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(ImageCommandTest, GivenBadHandles_WhenEnqueued_ThenTheErrorSaysWhich) {
  cl_mem buffer = make_buffer(64);
  EXPECT_EQ(clEnqueueReadImage(nullptr, image_, CL_TRUE, origin_.data(), one_.data(), 0, 0, host_.data(), 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(read_error(buffer, origin_.data(), one_.data()), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(read_error(nullptr, origin_.data(), one_.data()), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImage(in_order_, image_, buffer, origin_.data(), origin_.data(), one_.data(), 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(in_order_, image_, image_, origin_.data(), one_.data(), 0, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferToImage(in_order_, buffer, buffer, 0, origin_.data(), one_.data(), 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillImage(in_order_, image_, nullptr, origin_.data(), one_.data(), 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueReadImage(in_order_, image_, CL_TRUE, origin_.data(), one_.data(), 0, 0, host_.data(), 1, nullptr, nullptr),
      CL_INVALID_EVENT_WAIT_LIST);
  cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  cl_mem foreign = clCreateImage(other, 0, &kRgba8, std::array{desc_2d(4, 4)}.data(), nullptr, nullptr);
  EXPECT_EQ(read_error(foreign, origin_.data(), one_.data()), CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueCopyImage(in_order_, image_, foreign, origin_.data(), origin_.data(), one_.data(), 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseMemObject(foreign), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

TEST_F(ImageCommandTest, GivenOtherFormats_WhenCopied_ThenFormatMismatch) {
  cl_mem other = create(0, {CL_BGRA, CL_UNORM_INT8}, desc_2d(8, 4)), same = create(0, kRgba8, desc_2d(8, 4));
  auto copy = [&](cl_mem to, const size_t *from, const size_t *at, const size_t *region) {
    return clEnqueueCopyImage(in_order_, image_, to, from, at, region, 0, nullptr, nullptr);
  };
  EXPECT_EQ(copy(other, nullptr, origin_.data(), one_.data()), CL_IMAGE_FORMAT_MISMATCH);
  EXPECT_EQ(copy(same, nullptr, origin_.data(), one_.data()), CL_INVALID_VALUE);
  EXPECT_EQ(copy(same, origin_.data(), nullptr, one_.data()), CL_INVALID_VALUE);
  EXPECT_EQ(copy(same, origin_.data(), origin_.data(), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(copy(same, origin_.data(), origin_.data(), one_.data()), CL_SUCCESS);
}

TEST_F(ImageCommandTest, GivenABufferThatIsTooSmall_WhenCopied_ThenInvalidValue) {
  cl_mem buffer = make_buffer(64);
  const Coordinates region{4, 4, 1};
  for (size_t offset : {size_t{1}, size_t{64}, SIZE_MAX, SIZE_MAX - 63}) {
    EXPECT_EQ(clEnqueueCopyImageToBuffer(in_order_, image_, buffer, origin_.data(), region.data(), offset, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueCopyBufferToImage(in_order_, buffer, image_, offset, origin_.data(), region.data(), 0, nullptr, nullptr),
              CL_INVALID_VALUE);
  }
  EXPECT_EQ(clEnqueueCopyImageToBuffer(in_order_, image_, buffer, origin_.data(), region.data(), 0, 0, nullptr, nullptr),
            CL_SUCCESS);
}

TEST_F(ImageCommandTest, GivenHostAccessFlags_WhenTheHostUsesTheImage_ThenOnlyWhatTheyAllow) {
  for (cl_mem_flags flags : {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS}) {
    cl_mem image = create(flags, kRgba8, desc_2d(8, 4));
    const cl_int reads = flags == CL_MEM_HOST_READ_ONLY ? CL_SUCCESS : CL_INVALID_OPERATION;
    const cl_int writes = flags == CL_MEM_HOST_WRITE_ONLY ? CL_SUCCESS : CL_INVALID_OPERATION;
    size_t row = 0;
    EXPECT_EQ(read_error(image, origin_.data(), one_.data()), reads);
    EXPECT_EQ(
        clEnqueueWriteImage(in_order_, image, CL_TRUE, origin_.data(), one_.data(), 0, 0, host_.data(), 0, nullptr, nullptr),
        writes);
    EXPECT_EQ(map_error(image, CL_MAP_READ, &row, nullptr), reads);
    EXPECT_EQ(map_error(image, CL_MAP_WRITE, &row, nullptr), writes);
    EXPECT_EQ(map_error(image, CL_MAP_WRITE_INVALIDATE_REGION, &row, nullptr), writes);
    EXPECT_EQ(clEnqueueFillImage(in_order_, image, host_.data(), origin_.data(), one_.data(), 0, nullptr, nullptr), CL_SUCCESS);
  }
}

TEST_F(ImageCommandTest, GivenMapArguments_WhenTheyAreBad_ThenInvalidValue) {
  size_t row = 0, slice = 7;
  EXPECT_EQ(map_error(image_, CL_MAP_READ, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(map_error(image_, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, &row, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(map_error(image_, CL_MAP_READ, &row, &slice), CL_SUCCESS);
  EXPECT_EQ(row, 32u);
  EXPECT_EQ(slice, 0u);
  for (const cl_image_desc &desc :
       {desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4), desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, 4)}) {
    cl_mem image = create(0, kRgba8, desc);
    EXPECT_EQ(map_error(image, CL_MAP_READ, &row, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(map_error(image, CL_MAP_READ, &row, &slice), CL_SUCCESS);
  }
  EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, image_, host_.data(), 0, nullptr, nullptr), CL_INVALID_VALUE);
}

// "Mapping (and unmapping) overlapped regions in a memory object and/or associated memory objects (sub-buffer objects or 1D
// image buffer objects that overlap this region) for writing is an error"
TEST_F(ImageCommandTest, GivenARegionMappedForWriting_WhenAnotherIsMapped_ThenOnlyOverlapIsAnError) {
  size_t row = 0;
  const auto map = [&](cl_mem image, cl_map_flags flags, const Coordinates &origin, const Coordinates &region,
                       cl_int expected) {
    cl_int error = -1;
    void *pointer = clEnqueueMapImage(in_order_, image, CL_TRUE, flags, origin.data(), region.data(), &row, nullptr, 0, nullptr,
                                      nullptr, &error);
    EXPECT_EQ(error, expected) << flags << " at " << origin[0] << " " << origin[1];
    return pointer;
  };
  const auto unmap = [&](cl_mem memory, void *pointer) {
    EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, memory, pointer, 0, nullptr, nullptr), CL_SUCCESS);
  };
  cl_mem image = create(0, kRgba8, desc_2d(16, 8));
  void *left = map(image, CL_MAP_WRITE, {2, 2, 0}, {4, 4, 1}, CL_SUCCESS);
  map(image, CL_MAP_WRITE, {5, 5, 0}, {4, 3, 1}, CL_INVALID_OPERATION);
  map(image, CL_MAP_WRITE_INVALIDATE_REGION, {0, 0, 0}, {16, 8, 1}, CL_INVALID_OPERATION);
  void *right = map(image, CL_MAP_WRITE_INVALIDATE_REGION, {6, 2, 0}, {4, 4, 1}, CL_SUCCESS);  // disjoint, in the same rows
  void *above = map(image, CL_MAP_READ | CL_MAP_WRITE, {0, 0, 0}, {16, 2, 1}, CL_SUCCESS);
  void *read = map(image, CL_MAP_READ, {0, 0, 0}, {16, 8, 1}, CL_SUCCESS);
  EXPECT_EQ(value_of<cl_uint>(clGetMemObjectInfo, image, CL_MEM_MAP_COUNT), 4u);
  for (void *pointer : {right, above, read, left}) unmap(image, pointer);
  unmap(image, map(image, CL_MAP_WRITE, {0, 0, 0}, {16, 8, 1}, CL_SUCCESS));

  cl_mem buffer = make_buffer(256);
  cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 32);
  desc.mem_object = buffer;
  cl_mem line = create(0, kRgba8, desc);
  void *texels = map(line, CL_MAP_WRITE, {8, 0, 0}, {8, 1, 1}, CL_SUCCESS);  // bytes 32 to 63
  const auto map_buffer = [&](size_t offset, size_t size, cl_int expected) {
    cl_int error = -1;
    void *pointer = clEnqueueMapBuffer(in_order_, buffer, CL_TRUE, CL_MAP_WRITE, offset, size, 0, nullptr, nullptr, &error);
    EXPECT_EQ(error, expected) << offset;
    return pointer;
  };
  map_buffer(60, 8, CL_INVALID_OPERATION);
  unmap(buffer, map_buffer(64, 8, CL_SUCCESS));
  EXPECT_EQ(value_of<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_MAP_COUNT), 0u);
  EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, buffer, texels, 0, nullptr, nullptr), CL_INVALID_VALUE);  // of the image
  unmap(line, texels);
  unmap(buffer, map_buffer(60, 8, CL_SUCCESS));

  // Mappings of a released object do not conflict with new mappings.
  cl_mem gone = clCreateImage(context_, 0, &kRgba8, &desc, nullptr, nullptr);
  map(gone, CL_MAP_WRITE, {0, 0, 0}, {32, 1, 1}, CL_SUCCESS);
  map_buffer(0, 4, CL_INVALID_OPERATION);
  EXPECT_EQ(clReleaseMemObject(gone), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  unmap(buffer, map_buffer(0, 4, CL_SUCCESS));
}

TEST_F(ImageCommandTest, GivenEachCommand_WhenEnqueued_ThenItsEventHasTypeAndTimes) {
  cl_mem other = create(0, kRgba8, desc_2d(8, 4)), buffer = make_buffer(128);
  const size_t *o = origin_.data(), *r = one_.data();
  const std::array<float, 4> colour{1, 0, 0, 1};  // the read before it may still write that memory
  size_t row = 0;
  cl_int error = -1;
  std::vector<std::pair<cl_event, cl_command_type>> events(8);
  cl_event *e = nullptr;
  auto next = [&, i = size_t{0}](cl_command_type type) mutable {
    events[i].second = type;
    e = &events[i++].first;
    return e;
  };
  EXPECT_EQ(clEnqueueReadImage(in_order_, image_, CL_FALSE, o, r, 0, 0, host_.data(), 0, nullptr, next(CL_COMMAND_READ_IMAGE)),
            0);
  EXPECT_EQ(
      clEnqueueWriteImage(in_order_, image_, CL_FALSE, o, r, 0, 0, host_.data(), 0, nullptr, next(CL_COMMAND_WRITE_IMAGE)), 0);
  EXPECT_EQ(clEnqueueCopyImage(in_order_, image_, other, o, o, r, 0, nullptr, next(CL_COMMAND_COPY_IMAGE)), 0);
  EXPECT_EQ(clEnqueueFillImage(in_order_, image_, colour.data(), o, r, 0, nullptr, next(CL_COMMAND_FILL_IMAGE)), 0);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(in_order_, image_, buffer, o, r, 0, 0, nullptr, next(CL_COMMAND_COPY_IMAGE_TO_BUFFER)),
            0);
  EXPECT_EQ(clEnqueueCopyBufferToImage(in_order_, buffer, image_, 0, o, r, 0, nullptr, next(CL_COMMAND_COPY_BUFFER_TO_IMAGE)),
            0);
  void *mapped = clEnqueueMapImage(in_order_, image_, CL_FALSE, CL_MAP_READ, o, r, &row, nullptr, 0, nullptr,
                                   next(CL_COMMAND_MAP_IMAGE), &error);
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, image_, mapped, 0, nullptr, next(CL_COMMAND_UNMAP_MEM_OBJECT)), 0);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  for (auto [event, type] : events) {
    EXPECT_EQ(type_of(event), type);
    const auto start = value_of<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_START);
    EXPECT_GE(value_of<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END), start);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  }
}

TEST_F(ImageCommandTest, GivenAnImageReleasedAfterEnqueue_WhenTheCommandRuns_ThenItHasTheMemory) {
  cl_mem image = clCreateImage(context_, 0, &kRgba8, std::array{desc_2d(8, 4)}.data(), nullptr, nullptr);
  cl_event gate = make_user_event();
  const std::array<float, 4> white{1, 1, 1, 1};
  const Coordinates region{8, 4, 1};
  EXPECT_EQ(clEnqueueFillImage(in_order_, image, white.data(), origin_.data(), region.data(), 1, &gate, nullptr), CL_SUCCESS);
  EXPECT_EQ(
      clEnqueueReadImage(in_order_, image, CL_FALSE, origin_.data(), region.data(), 0, 0, host_.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(std::vector(host_.begin(), host_.begin() + 128), std::vector<unsigned char>(128, 255));
}

TEST_F(ImageCommandTest, GivenAFailedWait_WhenReadBlocks_ThenItsError) {
  cl_event gate = make_user_event();
  EXPECT_EQ(clSetUserEventStatus(gate, -5), CL_SUCCESS);
  EXPECT_EQ(clEnqueueReadImage(in_order_, image_, CL_TRUE, origin_.data(), one_.data(), 0, 0, host_.data(), 1, &gate, nullptr),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

}  // namespace
