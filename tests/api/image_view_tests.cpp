// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that share the memory of a buffer, a sub-buffer or another image, and images with mip levels.
#include "image_fixture.h"

namespace {

using namespace upsweep::tests;

class ImageViewTest : public ImageFixture {
protected:
  static cl_image_desc desc_from(cl_mem memory, cl_mem_object_type type, size_t width, size_t height = 0,
                                 size_t row_pitch = 0) {
    cl_image_desc desc = desc_of(type, width, height);
    desc.image_row_pitch = row_pitch;
    desc.mem_object = memory;
    return desc;
  }
};

TEST_F(ImageViewTest, GivenABuffer_WhenAnImageIsMadeOfIt_ThenBothAreTheSameBytes) {
  cl_mem buffer = make_counting_buffer(256);
  cl_mem line = create(0, kRgba8, desc_from(buffer, CL_MEM_OBJECT_IMAGE1D_BUFFER, 64));
  EXPECT_EQ(info<cl_mem>(line, CL_IMAGE_BUFFER), buffer);
  EXPECT_EQ(value_of<cl_mem>(clGetMemObjectInfo, line, CL_MEM_ASSOCIATED_MEMOBJECT), buffer);
  EXPECT_EQ(info<size_t>(line, CL_IMAGE_HEIGHT), 0u);
  EXPECT_EQ(read(line, {0, 0, 0}, {64, 1, 1}, 4), counting(256));
  cl_mem flat = create(0, kRgba8, desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 6, 8, 32));
  const std::array<float, 4> white{1, 1, 1, 1};
  const Coordinates origin{1, 2, 0}, region{4, 3, 1};
  EXPECT_EQ(clEnqueueFillImage(in_order_, flat, white.data(), origin.data(), region.data(), 0, nullptr, nullptr), CL_SUCCESS);
  auto expected = counting(256);
  for (size_t y = 2; y < 5; ++y) std::fill_n(expected.begin() + static_cast<ptrdiff_t>(y * 32 + 4), 16, 255);
  EXPECT_EQ(content_of(buffer), expected);
}

TEST_F(ImageViewTest, GivenASubBuffer_WhenAnImageIsMadeOfIt_ThenItBeginsThere) {
  cl_mem buffer = make_counting_buffer(512);
  const cl_buffer_region region{128, 256};
  cl_int error = -1;
  cl_mem part = keep(clCreateSubBuffer(buffer, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  cl_mem image = create(0, kRgba8, desc_from(part, CL_MEM_OBJECT_IMAGE1D_BUFFER, 64));
  EXPECT_EQ(value_of<cl_mem_flags>(clGetMemObjectInfo, image, CL_MEM_FLAGS) & CL_MEM_READ_ONLY, cl_mem_flags{CL_MEM_READ_ONLY});
  EXPECT_EQ(value_of<size_t>(clGetMemObjectInfo, image, CL_MEM_OFFSET), 0u);
  const auto bytes = read(image, {2, 0, 0}, {3, 1, 1}, 4);
  for (size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(bytes[i], static_cast<unsigned char>(128 + 8 + i));
  create(CL_MEM_WRITE_ONLY, kRgba8, desc_from(part, CL_MEM_OBJECT_IMAGE1D_BUFFER, 64), nullptr, CL_INVALID_VALUE);
  create(0, kRgba8, desc_from(part, CL_MEM_OBJECT_IMAGE1D_BUFFER, 65), nullptr, CL_INVALID_IMAGE_SIZE);
}

TEST_F(ImageViewTest, GivenABufferThatIsReleased_WhenItsImageIsUsed_ThenTheBytesAreThere) {
  auto content = counting(64);
  cl_mem buffer = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, 64, content.data(), nullptr);
  cl_mem image = create(0, kRgba8, desc_from(buffer, CL_MEM_OBJECT_IMAGE1D_BUFFER, 16));
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(read(image, {0, 0, 0}, {16, 1, 1}, 4), content);
}

void CL_CALLBACK note(cl_mem memory, void *list) { static_cast<std::vector<cl_mem> *>(list)->push_back(memory); }

// The buffer's memory lives as long as an image on it.
TEST_F(ImageViewTest, GivenCallbacksOfABufferAndItsImage_WhenBothAreReleased_ThenTheImagesComesFirst) {
  std::vector<cl_mem> gone;
  cl_mem buffer = clCreateBuffer(context_, 0, 64, nullptr, nullptr);
  const cl_image_desc desc = desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 4, 4);
  cl_mem image = clCreateImage(context_, 0, &kRgba8, &desc, nullptr, nullptr);
  const cl_image_desc again = desc_from(image, CL_MEM_OBJECT_IMAGE2D, 4, 4);
  const cl_image_format srgb{CL_sRGBA, CL_UNORM_INT8};
  cl_mem view = clCreateImage(context_, 0, &srgb, &again, nullptr, nullptr);
  for (cl_mem memory : {buffer, image, view}) EXPECT_EQ(clSetMemObjectDestructorCallback(memory, note, &gone), CL_SUCCESS);
  EXPECT_EQ(clSetMemObjectDestructorCallback(image, nullptr, &gone), CL_INVALID_VALUE);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
  EXPECT_TRUE(gone.empty());
  EXPECT_EQ(clReleaseMemObject(view), CL_SUCCESS);
  EXPECT_EQ(gone, (std::vector<cl_mem>{view, image, buffer}));
}

TEST_F(ImageViewTest, GivenBadMemoryObjects_WhenAnImageIsMadeOfThem_ThenTheErrorSaysWhy) {
  cl_mem buffer = make_buffer(256), flat = create(0, kRgba8, desc_2d(4, 4)),
         volume = create(0, kRgba8, desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4));
  const cl_image_format srgb{CL_sRGBA, CL_UNORM_INT8};
  struct {
    cl_mem_flags flags;
    cl_image_desc desc;
    cl_int error;
  } const cases[] = {
      {0, desc_from(nullptr, CL_MEM_OBJECT_IMAGE1D_BUFFER, 4), CL_INVALID_IMAGE_DESCRIPTOR},
      {0, desc_from(reinterpret_cast<cl_mem>(context_), CL_MEM_OBJECT_IMAGE1D_BUFFER, 4), CL_INVALID_IMAGE_DESCRIPTOR},
      {0, desc_from(buffer, CL_MEM_OBJECT_IMAGE1D, 4), CL_INVALID_IMAGE_DESCRIPTOR},
      {0, desc_from(buffer, CL_MEM_OBJECT_IMAGE3D, 4, 4), CL_INVALID_IMAGE_DESCRIPTOR},
      {0, desc_from(flat, CL_MEM_OBJECT_IMAGE1D_BUFFER, 4), CL_INVALID_IMAGE_DESCRIPTOR},
      {0, desc_from(volume, CL_MEM_OBJECT_IMAGE2D, 4, 4), CL_INVALID_IMAGE_DESCRIPTOR},
      {0, desc_from(flat, CL_MEM_OBJECT_IMAGE2D, 4, 5), CL_INVALID_IMAGE_DESCRIPTOR},
      {CL_MEM_ALLOC_HOST_PTR, desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 4, 4), CL_INVALID_VALUE},
      {0, desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 8, 9), CL_INVALID_IMAGE_SIZE},
      {0, desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 4, 4, 17), CL_INVALID_IMAGE_DESCRIPTOR},
      {0, desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 4, 4, 12), CL_INVALID_IMAGE_DESCRIPTOR},
      {0, desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 4, 4, size_t{1} << 62), CL_INVALID_IMAGE_SIZE},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    SCOPED_TRACE(i);
    create(cases[i].flags, srgb, cases[i].desc, nullptr, cases[i].error);
  }
  std::array<unsigned char, 256> host{};
  create(0, kRgba8, desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 4, 4), host.data(), CL_INVALID_HOST_PTR);
}

TEST_F(ImageViewTest, GivenAnImage_WhenSeenWithAnotherOrder_ThenOnlyTheSpecifiedPairsWork) {
  const cl_channel_order pairs[][2] = {{CL_sBGRA, CL_BGRA}, {CL_BGRA, CL_sBGRA}, {CL_sRGBA, CL_RGBA}, {CL_RGBA, CL_sRGBA},
                                       {CL_sRGB, CL_RGB},   {CL_RGB, CL_sRGB},   {CL_sRGBx, CL_RGBx}, {CL_RGBx, CL_sRGBx}};
  for (cl_channel_order of : {CL_BGRA, CL_sBGRA, CL_RGBA, CL_sRGBA, CL_RGB, CL_sRGB, CL_RGBx, CL_sRGBx, CL_R, CL_ABGR}) {
    const cl_image_format parent_format{of, CL_UNORM_INT8};
    cl_mem parent = create(0, parent_format, desc_2d(4, 4));
    for (cl_channel_order order : {CL_BGRA, CL_sBGRA, CL_RGBA, CL_sRGBA, CL_RGB, CL_sRGB, CL_RGBx, CL_sRGBx, CL_R, CL_ABGR}) {
      const bool is_pair =
          std::any_of(std::begin(pairs), std::end(pairs), [&](auto &p) { return p[0] == order && p[1] == of; });
      create(0, {order, CL_UNORM_INT8}, desc_from(parent, CL_MEM_OBJECT_IMAGE2D, 4, 4), nullptr,
             is_pair ? CL_SUCCESS : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
  }
  cl_mem r = create(0, {CL_R, CL_FLOAT}, desc_2d(4, 4));
  cl_mem depth = create(0, {CL_DEPTH, CL_FLOAT}, desc_from(r, CL_MEM_OBJECT_IMAGE2D, 4, 4));
  EXPECT_EQ(value_of<cl_mem>(clGetMemObjectInfo, depth, CL_MEM_ASSOCIATED_MEMOBJECT), r);
  create(0, {CL_DEPTH, CL_UNORM_INT16}, desc_from(r, CL_MEM_OBJECT_IMAGE2D, 4, 4), nullptr, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  const std::array<float, 4> red{0.25f, 1, 1, 1};
  const Coordinates origin{0, 0, 0}, region{4, 4, 1};
  EXPECT_EQ(clEnqueueFillImage(in_order_, r, red.data(), origin.data(), region.data(), 0, nullptr, nullptr), CL_SUCCESS);
  const auto bytes = read(depth, origin, region, 4);
  float value = 0;
  std::memcpy(&value, &bytes[60], 4);
  EXPECT_EQ(value, 0.25f);
}

TEST_F(ImageViewTest, GivenPitchesOfTheParent_WhenAViewIsMade_ThenItHasThem) {
  std::vector<unsigned char> host(40 * 4);
  cl_mem parent = create(CL_MEM_USE_HOST_PTR, kRgba8, desc_2d(8, 4, 40), host.data());
  cl_mem view = create(0, {CL_sRGBA, CL_UNORM_INT8}, desc_from(parent, CL_MEM_OBJECT_IMAGE2D, 8, 4));
  EXPECT_EQ(info<size_t>(view, CL_IMAGE_ROW_PITCH), 40u);
  EXPECT_EQ(value_of<void *>(clGetMemObjectInfo, view, CL_MEM_HOST_PTR), host.data());
  EXPECT_EQ(info<cl_mem>(view, CL_IMAGE_BUFFER), nullptr);
}

TEST_F(ImageViewTest, GivenAnImageOfABuffer_WhenCopiedToIt_ThenErrors) {
  cl_mem buffer = make_counting_buffer(256);
  cl_mem line = create(0, kRgba8, desc_from(buffer, CL_MEM_OBJECT_IMAGE1D_BUFFER, 16));
  cl_mem flat = create(0, kRgba8, desc_from(buffer, CL_MEM_OBJECT_IMAGE2D, 4, 4));
  const Coordinates origin{0, 0, 0}, one{1, 1, 1}, all{4, 4, 1};
  EXPECT_EQ(clEnqueueCopyImageToBuffer(in_order_, line, buffer, origin.data(), one.data(), 128, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferToImage(in_order_, buffer, line, 128, origin.data(), one.data(), 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(in_order_, flat, buffer, origin.data(), all.data(), 63, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(in_order_, flat, buffer, origin.data(), all.data(), 64, 0, nullptr, nullptr),
            CL_SUCCESS);
  auto expected = counting(256);
  for (size_t i = 0; i < 64; ++i) expected[64 + i] = static_cast<unsigned char>(i);
  EXPECT_EQ(content_of(buffer), expected);
}

// Mip levels

TEST_F(ImageViewTest, GivenMipLevels_WhenEachIsWritten_ThenTheyAreApart) {
  const struct {
    cl_image_desc desc;
    unsigned dims;    // number of coordinates
    unsigned scaled;  // number of coordinates that a level halves
    cl_uint levels;
  } cases[] = {{desc_of(CL_MEM_OBJECT_IMAGE1D, 13), 1, 1, 4},
               {desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 13, 0, 0, 3), 2, 1, 4},
               {desc_of(CL_MEM_OBJECT_IMAGE2D, 5, 17), 2, 2, 5},
               {desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 8, 4, 0, 3), 3, 2, 4},
               {desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 9, 3), 3, 3, 3}};
  for (auto test : cases) {
    test.desc.num_mip_levels = test.levels;
    cl_mem image = create(0, kRgba8, test.desc);
    ASSERT_NE(image, nullptr);
    EXPECT_EQ(info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS), test.levels);
    const bool is_line_array = test.desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const Coordinates extent{test.desc.image_width, is_line_array ? 3 : std::max<size_t>(1, test.desc.image_height),
                             test.desc.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? 3
                                                                                 : std::max<size_t>(1, test.desc.image_depth)};
    std::vector<std::vector<unsigned char>> contents;
    for (cl_uint level = 0; level < test.levels; ++level) {
      std::array<size_t, 4> origin{};
      origin[test.dims] = level;
      Coordinates region = extent;
      for (unsigned dim = 0; dim < test.scaled; ++dim) region[dim] = std::max<size_t>(1, region[dim] >> level);
      contents.emplace_back(region[0] * region[1] * region[2] * 4, static_cast<unsigned char>(level + 1));
      EXPECT_EQ(clEnqueueWriteImage(in_order_, image, CL_TRUE, origin.data(), region.data(), 0, 0, contents.back().data(), 0,
                                    nullptr, nullptr),
                CL_SUCCESS);
      ++region[0];
      EXPECT_EQ(clEnqueueWriteImage(in_order_, image, CL_TRUE, origin.data(), region.data(), 0, 0, contents.back().data(), 0,
                                    nullptr, nullptr),
                CL_INVALID_VALUE);
    }
    for (cl_uint level = 0; level < test.levels; ++level) {
      std::array<size_t, 4> origin{};
      origin[test.dims] = level;
      Coordinates region = extent;
      for (unsigned dim = 0; dim < test.scaled; ++dim) region[dim] = std::max<size_t>(1, region[dim] >> level);
      std::vector<unsigned char> got(contents[level].size());
      EXPECT_EQ(
          clEnqueueReadImage(in_order_, image, CL_TRUE, origin.data(), region.data(), 0, 0, got.data(), 0, nullptr, nullptr),
          CL_SUCCESS);
      EXPECT_EQ(got, contents[level]);
      size_t row = 0, slice = 1;
      cl_int error = -1;
      void *mapped = clEnqueueMapImage(in_order_, image, CL_TRUE, CL_MAP_READ, origin.data(), region.data(), &row, &slice, 0,
                                       nullptr, nullptr, &error);
      ASSERT_EQ(error, CL_SUCCESS);
      EXPECT_EQ(row, region[0] * 4);
      EXPECT_EQ(slice, is_line_array ? row : test.dims == 3 ? row * region[1] : 0);
      EXPECT_EQ(std::memcmp(mapped, contents[level].data(), contents[level].size()), 0);
      EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, image, mapped, 0, nullptr, nullptr), CL_SUCCESS);
    }
    std::array<size_t, 4> origin{};
    origin[test.dims] = test.levels;
    const Coordinates one{1, 1, 1};
    unsigned char texel[4];
    EXPECT_EQ(clEnqueueReadImage(in_order_, image, CL_TRUE, origin.data(), one.data(), 0, 0, texel, 0, nullptr, nullptr),
              CL_INVALID_MIP_LEVEL);
    // A copy from one level to another level.
    std::array<size_t, 4> from{}, to{};
    from[test.dims] = 1;
    EXPECT_EQ(clEnqueueCopyImage(in_order_, image, image, from.data(), to.data(), one.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadImage(in_order_, image, CL_TRUE, to.data(), one.data(), 0, 0, texel, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(texel[0], 2);
  }
}

TEST_F(ImageViewTest, GivenMipLevelsThatCannotBe_WhenCreated_ThenInvalidImageDescriptor) {
  auto with = [](cl_image_desc desc, cl_uint levels) {
    desc.num_mip_levels = levels;
    return desc;
  };
  create(0, kRgba8, with(desc_2d(16, 4), 5));
  create(0, kRgba8, with(desc_2d(1, 1), 16));
  create(0, kRgba8, with(desc_2d(16, 4), 17), nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  create(0, kRgba8, with(desc_2d(16, 4), UINT32_MAX), nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
  create(0, {CL_DEPTH, CL_FLOAT}, with(desc_2d(16, 4), 2));
  std::array<unsigned char, 256> host{};
  create(CL_MEM_COPY_HOST_PTR, kRgba8, with(desc_2d(8, 8), 2), host.data(), CL_INVALID_IMAGE_DESCRIPTOR);
  create(0, kRgba8, with(desc_from(make_buffer(256), CL_MEM_OBJECT_IMAGE2D, 8, 8), 2), nullptr, CL_INVALID_IMAGE_DESCRIPTOR);
}

}  // namespace
