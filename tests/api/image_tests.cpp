// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateImage, clCreateImageWithProperties, clCreateImage2D, clCreateImage3D, clGetImageInfo, clGetMemObjectInfo of images.
#include "image_fixture.h"

namespace {

using namespace upsweep::tests;

class ImageTest : public ImageFixture {
protected:
  /// The error of clCreateImage.
  cl_int error_of(cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *desc, void *host = nullptr) {
    cl_int error = -1;
    cl_mem image = keep(clCreateImage(context_, flags, format, desc, host, &error));
    EXPECT_EQ(image != nullptr, error == CL_SUCCESS);
    return error;
  }
  cl_int error_of(const cl_image_desc &desc, void *host = nullptr, cl_mem_flags flags = 0) {
    return error_of(flags, &kRgba8, &desc, host);
  }
  size_t limit(cl_device_info what) { return value_of<size_t>(clGetDeviceInfo, device_, what); }

  std::array<unsigned char, 1 << 16> host_{};
};

TEST_F(ImageTest, GivenEachType_WhenCreated_ThenTheQueriesDescribeIt) {
  struct {
    cl_image_desc desc;
    size_t row, slice, bytes;
  } const cases[] = {{desc_of(CL_MEM_OBJECT_IMAGE1D, 7), 28, 0, 28},
                     {desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 7, 0, 0, 3), 28, 28, 84},
                     {desc_of(CL_MEM_OBJECT_IMAGE2D, 7, 5), 28, 0, 140},
                     {desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 7, 5, 0, 3), 28, 140, 420},
                     {desc_of(CL_MEM_OBJECT_IMAGE3D, 7, 5, 2), 28, 140, 280}};
  for (const auto &test : cases) {
    cl_mem image = create(CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, kRgba8, test.desc);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ROW_PITCH), test.row);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_SLICE_PITCH), test.slice);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_WIDTH), test.desc.image_width);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_HEIGHT), test.desc.image_height);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_DEPTH), test.desc.image_depth);
    EXPECT_EQ(info<size_t>(image, CL_IMAGE_ARRAY_SIZE), test.desc.image_array_size);
    EXPECT_EQ(info<cl_mem>(image, CL_IMAGE_BUFFER), nullptr);
    EXPECT_EQ(info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS), 0u);
    EXPECT_EQ(info<cl_uint>(image, CL_IMAGE_NUM_SAMPLES), 0u);
    EXPECT_EQ(clGetImageInfo(image, CL_MEM_SIZE, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(value_of<size_t>(clGetMemObjectInfo, image, CL_MEM_SIZE), test.bytes);
    EXPECT_EQ(value_of<cl_mem_object_type>(clGetMemObjectInfo, image, CL_MEM_TYPE), test.desc.image_type);
    EXPECT_EQ(value_of<cl_mem_flags>(clGetMemObjectInfo, image, CL_MEM_FLAGS),
              cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY});
    EXPECT_EQ(value_of<cl_mem>(clGetMemObjectInfo, image, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
    EXPECT_EQ(value_of<size_t>(clGetMemObjectInfo, image, CL_MEM_OFFSET), 0u);
  }
}

TEST_F(ImageTest, GivenBadContextsFlagsAndFormats_WhenCreated_ThenTheErrorsComeInOrder) {
  const cl_image_desc desc = desc_2d(4, 4);
  cl_image_desc empty = desc_2d(0, 4);
  const cl_image_format bad{CL_RGBA, CL_RGBA};
  cl_int error = 0;
  EXPECT_EQ(clCreateImage(nullptr, 0, &kRgba8, &desc, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  const cl_mem_properties unknown[] = {77, 1, 0}, none[] = {0};
  EXPECT_EQ(clCreateImageWithProperties(context_, unknown, 0, &kRgba8, &desc, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
  cl_mem image = keep(clCreateImageWithProperties(context_, none, 0, &kRgba8, &desc, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(value_of<cl_mem_properties>(clGetMemObjectInfo, image, CL_MEM_PROPERTIES), 0u);
  for (cl_mem_flags flags :
       {cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}, cl_mem_flags{1} << 40,
        cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR}, cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}})
    EXPECT_EQ(error_of(flags, nullptr, &desc), CL_INVALID_VALUE) << flags;
  EXPECT_EQ(error_of(0, nullptr, nullptr), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error_of(0, &bad, &empty), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error_of(0, &kRgba8, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
  empty.image_type = CL_MEM_OBJECT_BUFFER;
  EXPECT_EQ(error_of(empty), CL_INVALID_IMAGE_DESCRIPTOR);
  empty = desc_2d(0, 4);
  empty.num_samples = 2;
  EXPECT_EQ(error_of(empty), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageTest, GivenSizes_WhenTheyAreNoneOrTooLarge_ThenInvalidImageSize) {
  const size_t width = limit(CL_DEVICE_IMAGE2D_MAX_WIDTH), height = limit(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
               layers = limit(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), depth = limit(CL_DEVICE_IMAGE3D_MAX_DEPTH);
  const size_t huge = size_t{1} << 40;
  for (const cl_image_desc &desc :
       {desc_2d(0, 4), desc_2d(4, 0), desc_2d(width + 1, 1), desc_2d(1, height + 1), desc_2d(huge, huge),
        desc_2d(SIZE_MAX, SIZE_MAX), desc_of(CL_MEM_OBJECT_IMAGE1D, 0), desc_of(CL_MEM_OBJECT_IMAGE1D, width + 1),
        desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, 0), desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, layers + 1),
        desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 0, 0), desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 0, 0, 4),
        desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 0), desc_of(CL_MEM_OBJECT_IMAGE3D, 1, 1, depth + 1),
        desc_of(CL_MEM_OBJECT_IMAGE3D, huge, huge, huge)})
    EXPECT_EQ(error_of(desc), CL_INVALID_IMAGE_SIZE) << desc.image_type << " " << desc.image_width << " " << desc.image_height;
  // Sizes that the image's type does not have are ignored.
  EXPECT_EQ(error_of(desc_of(CL_MEM_OBJECT_IMAGE1D, 4, huge, huge, huge)), CL_SUCCESS);
  // No size is too large, but their product exceeds any memory.
  const size_t most = limit(CL_DEVICE_IMAGE3D_MAX_WIDTH);
  EXPECT_EQ(error_of(desc_of(CL_MEM_OBJECT_IMAGE3D, most, most, most)), CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

TEST_F(ImageTest, GivenTheLargestSizes_WhenCreated_ThenEdgesCanBeWritten) {
  const size_t width = limit(CL_DEVICE_IMAGE2D_MAX_WIDTH), height = limit(CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  const cl_image_format r8{CL_R, CL_UNSIGNED_INT8};
  cl_mem image = create(0, r8, desc_2d(width, height));  // a gigabyte, of which the test touches a few pages
  const Coordinates corner{width - 3, height - 2, 0}, region{3, 2, 1};
  const std::vector<unsigned char> texels{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(
      clEnqueueWriteImage(in_order_, image, CL_TRUE, corner.data(), region.data(), 0, 0, texels.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(read(image, corner, region, 1), texels);
}

TEST_F(ImageTest, GivenPitches_WhenTheyDoNotFit_ThenInvalidImageDescriptor) {
  auto with = [](cl_image_desc desc, size_t row, size_t slice) {
    desc.image_row_pitch = row;
    desc.image_slice_pitch = slice;
    return desc;
  };
  const cl_image_desc flat = desc_2d(8, 4), volume = desc_of(CL_MEM_OBJECT_IMAGE3D, 8, 4, 2),
                      rows = desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 8, 0, 0, 4);
  EXPECT_EQ(error_of(with(flat, 32, 0)), CL_INVALID_IMAGE_DESCRIPTOR);  // without host_ptr
  EXPECT_EQ(error_of(with(volume, 0, 128)), CL_INVALID_IMAGE_DESCRIPTOR);
  const cl_mem_flags use = CL_MEM_USE_HOST_PTR;
  for (const cl_image_desc &desc : {with(flat, 31, 0), with(flat, 28, 0), with(flat, 34, 0), with(volume, 32, 127),
                                    with(volume, 32, 130), with(volume, 36, 128), with(rows, 36, 32), with(rows, 32, 40)})
    EXPECT_EQ(error_of(desc, host_.data(), use), CL_INVALID_IMAGE_DESCRIPTOR)
        << desc.image_row_pitch << " " << desc.image_slice_pitch;
  for (const cl_image_desc &desc : {with(flat, 32, 0), with(flat, 36, 0), with(volume, 32, 160), with(volume, 0, 160),
                                    with(rows, 36, 36), with(rows, 32, 64)})
    EXPECT_EQ(error_of(desc, host_.data(), use), CL_SUCCESS) << desc.image_row_pitch << " " << desc.image_slice_pitch;
  // Pitches beyond any memory.
  EXPECT_EQ(error_of(with(flat, SIZE_MAX / 4 * 4, 0), host_.data(), use), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(error_of(with(flat, (size_t{1} << 62) - 4, 0), host_.data(), use), CL_INVALID_IMAGE_SIZE);
  const cl_image_desc line = desc_of(CL_MEM_OBJECT_IMAGE1D, 8);
  EXPECT_EQ(error_of(with(line, SIZE_MAX / 4 * 4, 0), host_.data(), use), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error_of(with(line, size_t{1} << 60, 0), host_.data(), CL_MEM_COPY_HOST_PTR), CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

TEST_F(ImageTest, GivenHostPointers_WhenFlagsDisagree_ThenInvalidHostPtr) {
  const cl_image_desc desc = desc_2d(4, 4);
  EXPECT_EQ(error_of(desc, nullptr, CL_MEM_USE_HOST_PTR), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error_of(desc, nullptr, CL_MEM_COPY_HOST_PTR), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error_of(desc, host_.data(), CL_MEM_ALLOC_HOST_PTR), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error_of(desc, host_.data(), 0), CL_INVALID_HOST_PTR);
  cl_mem image = create(CL_MEM_USE_HOST_PTR, kRgba8, desc, host_.data());
  EXPECT_EQ(value_of<void *>(clGetMemObjectInfo, image, CL_MEM_HOST_PTR), host_.data());
  image = create(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, kRgba8, desc, host_.data());
  EXPECT_EQ(value_of<void *>(clGetMemObjectInfo, image, CL_MEM_HOST_PTR), nullptr);
}

TEST_F(ImageTest, GivenSvmMemory_WhenTheImageIsLarger_ThenInvalidHostPtr) {
  auto *memory = static_cast<char *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, 4096, 0));
  ASSERT_NE(memory, nullptr);
  const auto create_and_release = [&](const cl_image_desc &desc, void *host, cl_mem_flags flags) {
    cl_int error = -1;
    cl_mem image = clCreateImage(context_, flags, &kRgba8, &desc, host, &error);
    if (image) EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
    return error;
  };
  for (const cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    EXPECT_EQ(create_and_release(desc_2d(32, 32), memory, flags), CL_SUCCESS);
    EXPECT_EQ(create_and_release(desc_2d(32, 33), memory, flags), CL_INVALID_HOST_PTR);
    EXPECT_EQ(create_and_release(desc_2d(32, 32), memory + 4, flags), CL_INVALID_HOST_PTR);
    EXPECT_EQ(create_and_release(desc_2d(8, 32, 128), memory, flags), CL_SUCCESS);
    EXPECT_EQ(create_and_release(desc_2d(8, 32, 132), memory, flags), CL_INVALID_HOST_PTR);
  }
  clSVMFree(context_, memory);
}

TEST_F(ImageTest, GivenTheOldCalls_WhenUsed_ThenSizesAreTheirErrors) {
  cl_int error = -1;
  cl_mem image = keep(clCreateImage2D(context_, CL_MEM_COPY_HOST_PTR, &kRgba8, 8, 4, 36, host_.data(), &error));
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(info<size_t>(image, CL_IMAGE_ROW_PITCH), 36u);
  image = keep(clCreateImage3D(context_, 0, &kRgba8, 8, 4, 2, 0, 0, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(info<size_t>(image, CL_IMAGE_DEPTH), 2u);
  EXPECT_EQ(clCreateImage2D(context_, 0, &kRgba8, 8, 4, 32, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(clCreateImage2D(context_, 0, &kRgba8, 0, 4, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(clCreateImage2D(context_, 0, nullptr, 0, 4, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(clCreateImage3D(context_, 0, &kRgba8, 8, 4, 1, 0, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(clCreateImage3D(context_, CL_MEM_USE_HOST_PTR, &kRgba8, 8, 4, 2, 32, 100, host_.data(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(clCreateImage2D(context_, CL_MEM_USE_HOST_PTR, &kRgba8, 8, 4, 31, host_.data(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(clCreateImage2D(context_, CL_MEM_USE_HOST_PTR, &kRgba8, 8, 4, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clCreateImage2D(context_, 0, &kRgba8, 8, 4, 0, host_.data(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clCreateImage2D(nullptr, 0, &kRgba8, 8, 4, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

void CL_CALLBACK count_up(cl_mem, void *count) { ++*static_cast<int *>(count); }

TEST_F(ImageTest, GivenADestructorCallback_WhenReleased_ThenItRunsOnce) {
  int count = 0;
  cl_mem image = clCreateImage(context_, 0, &kRgba8, std::array{desc_2d(4, 4)}.data(), nullptr, nullptr);
  EXPECT_EQ(clSetMemObjectDestructorCallback(image, count_up, &count), CL_SUCCESS);
  EXPECT_EQ(clRetainMemObject(image), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(clGetImageInfo(image, CL_IMAGE_WIDTH, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_F(ImageTest, GivenAnImage_WhenUsedAsABuffer_ThenInvalidMemObject) {
  cl_mem image = create(0, kRgba8, desc_2d(4, 4));
  EXPECT_EQ(clEnqueueReadBuffer(in_order_, image, CL_TRUE, 0, 4, host_.data(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region{0, 16};
  cl_int error = 0;
  EXPECT_EQ(clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  cl_mem list[] = {image};
  EXPECT_EQ(clEnqueueMigrateMemObjects(in_order_, 1, list, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
}

}  // namespace
