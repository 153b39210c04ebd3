// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random reads, writes, copies, fills and mappings of images, against a model that copies texel by texel.
#include "image_fixture.h"
#include <thread>

namespace {

using namespace upsweep::tests;

/// An image, its model, and the memory that it uses.
struct Tested {
  Model model;
  cl_mem image = nullptr;
  std::vector<unsigned char> host;
};

class ImageTransferTest : public ImageFixture {
protected:
  size_t pick(size_t least, size_t most) { return std::uniform_int_distribution<size_t>(least, most)(random_); }
  bool flip() { return pick(0, 1) == 1; }

  Coordinates draw_extent(cl_mem_object_type type) {
    const unsigned dims = Model(type, kRgba8, {1, 1, 1}).dims();
    return {pick(1, 40), dims > 1 ? pick(1, 12) : 1, dims > 2 ? pick(1, 6) : 1};
  }

  /// Pitches to pass, of which 0 stands for rows or slices without gaps, and `real` ones, with 0 replaced.
  struct DrawnPitches {
    Pitches given, real;
  };
  /// `is_strict`: by the rule of clCreateImage, multiples of texels and rows.
  DrawnPitches draw_pitches(const Model &model, const Coordinates &region, bool is_strict) {
    DrawnPitches drawn;
    const size_t texel = model.texel_bytes();
    drawn.real.row = region[0] * texel;
    if (flip()) drawn.given.row = drawn.real.row = drawn.real.row + pick(0, 5) * (is_strict ? texel : 1);
    drawn.real.slice = model.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? drawn.real.row : drawn.real.row * region[1];
    if (model.has_slices() && flip())
      drawn.given.slice = drawn.real.slice = drawn.real.slice + pick(0, 3) * (is_strict ? drawn.real.row : 1);
    return drawn;
  }

  /// A region that lies in both extents.
  Coordinates draw_region(const Coordinates &a, const Coordinates &b) {
    Coordinates region;
    for (int i = 0; i < 3; ++i) region[i] = pick(1, std::min(a[i], b[i]));
    return region;
  }
  Coordinates draw_origin(const Coordinates &extent, const Coordinates &region) {
    Coordinates origin;
    for (int i = 0; i < 3; ++i) origin[i] = pick(0, extent[i] - region[i]);
    return origin;
  }

  void make(Tested &t) {
    t.model.randomise(random_);
    cl_image_desc desc = t.model.desc();
    if (t.model.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      t.host = t.model.texels;
      desc.mem_object = make_buffer(t.host.size(), CL_MEM_COPY_HOST_PTR, t.host.data());
      t.image = create(0, t.model.format, desc);
      return;
    }
    const auto pitches = draw_pitches(t.model, t.model.extent, true);
    desc.image_row_pitch = pitches.given.row;
    desc.image_slice_pitch = pitches.given.slice;
    // The specification requires that the application's memory holds whole slices, or whole rows.
    const bool has_layers = t.model.has_slices();
    const size_t count = has_layers ? t.model.extent[t.model.dims() - 1] : t.model.extent[1];
    t.host.assign((has_layers ? pitches.real.slice : pitches.real.row) * count, 0xee);
    t.model.store(t.host.data(), pitches.real, {0, 0, 0}, t.model.extent);
    const bool uses = flip();
    t.image = create(uses ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR, t.model.format, desc, t.host.data());
    EXPECT_EQ(info<size_t>(t.image, CL_IMAGE_ROW_PITCH), pitches.real.row);
    EXPECT_EQ(info<size_t>(t.image, CL_IMAGE_SLICE_PITCH), has_layers ? pitches.real.slice : 0);
    if (!uses) std::vector<unsigned char>().swap(t.host);
  }

  void expect_equal(Tested &t) {
    EXPECT_EQ(read(t.image, {0, 0, 0}, t.model.extent, t.model.texel_bytes()), t.model.texels)
        << testing::PrintToString(t.model);
  }

  void write(Tested &t) {
    const Coordinates region = draw_region(t.model.extent, t.model.extent), origin = draw_origin(t.model.extent, region);
    const auto pitches = draw_pitches(t.model, region, false);
    std::vector<unsigned char> source(t.model.span(pitches.real, region));
    for (unsigned char &byte : source) byte = static_cast<unsigned char>(random_());
    t.model.load(source.data(), pitches.real, origin, region);
    EXPECT_EQ(clEnqueueWriteImage(in_order_, t.image, CL_TRUE, origin.data(), region.data(), pitches.given.row,
                                  pitches.given.slice, source.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
  }

  void read_part(Tested &t) {
    const Coordinates region = draw_region(t.model.extent, t.model.extent), origin = draw_origin(t.model.extent, region);
    const auto pitches = draw_pitches(t.model, region, false);
    constexpr size_t kGuard = 64;
    std::vector<unsigned char> expected(t.model.span(pitches.real, region) + 2 * kGuard, 0xaa), got = expected;
    t.model.store(expected.data() + kGuard, pitches.real, origin, region);
    EXPECT_EQ(clEnqueueReadImage(in_order_, t.image, CL_TRUE, origin.data(), region.data(), pitches.given.row,
                                 pitches.given.slice, got.data() + kGuard, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(got, expected) << testing::PrintToString(t.model);
  }

  void map(Tested &t) {
    const Coordinates region = draw_region(t.model.extent, t.model.extent), origin = draw_origin(t.model.extent, region);
    Pitches pitches{1, 1};
    cl_int error = -1;
    const cl_map_flags flags = flip() ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ | CL_MAP_WRITE;
    auto *mapped =
        static_cast<unsigned char *>(clEnqueueMapImage(in_order_, t.image, CL_TRUE, flags, origin.data(), region.data(),
                                                       &pitches.row, &pitches.slice, 0, nullptr, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(pitches.row, info<size_t>(t.image, CL_IMAGE_ROW_PITCH));
    EXPECT_EQ(pitches.slice, info<size_t>(t.image, CL_IMAGE_SLICE_PITCH));
    if (!t.host.empty() && t.model.type != CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      EXPECT_EQ(mapped, t.host.data() + t.model.offset(pitches, origin[0], origin[1], origin[2]));
    }
    Model patch(t.model.type, t.model.format, region);
    if (flags & CL_MAP_READ) {
      patch.load(mapped, pitches, {0, 0, 0}, region);
      Model expected = patch;
      Model::each(region, [&](size_t x, size_t y, size_t z) {
        std::memcpy(expected.at(x, y, z), t.model.at(origin[0] + x, origin[1] + y, origin[2] + z), patch.texel_bytes());
      });
      EXPECT_EQ(patch.texels, expected.texels);
    }
    patch.randomise(random_);
    patch.store(mapped, pitches, {0, 0, 0}, region);
    t.model.load(mapped, pitches, origin, region);
    EXPECT_EQ(value_of<cl_uint>(clGetMemObjectInfo, t.image, CL_MEM_MAP_COUNT), 1u);
    EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, t.image, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  }

  void copy(Tested &from, Tested &to) {
    Coordinates region = draw_region(from.model.extent, to.model.extent);
    const Coordinates a = draw_origin(from.model.extent, region), b = draw_origin(to.model.extent, region);
    EXPECT_EQ(clEnqueueCopyImage(in_order_, from.image, to.image, a.data(), b.data(), region.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    Model::each(region, [&](size_t x, size_t y, size_t z) {
      std::memcpy(to.model.at(b[0] + x, b[1] + y, b[2] + z), from.model.at(a[0] + x, a[1] + y, a[2] + z),
                  to.model.texel_bytes());
    });
  }

  void by_buffer(Tested &from, Tested &to) {
    const Coordinates region = draw_region(from.model.extent, to.model.extent);
    const Coordinates a = draw_origin(from.model.extent, region), b = draw_origin(to.model.extent, region);
    const size_t bytes = region[0] * region[1] * region[2] * from.model.texel_bytes(), offset = pick(0, 40);
    cl_mem buffer = clCreateBuffer(context_, 0, bytes + offset + 8, nullptr, nullptr);
    const unsigned char poison = 0xcc;
    EXPECT_EQ(clEnqueueFillBuffer(in_order_, buffer, &poison, 1, 0, bytes + offset + 8, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueCopyImageToBuffer(in_order_, from.image, buffer, a.data(), region.data(), offset, 0, nullptr, nullptr),
              CL_SUCCESS);
    std::vector<unsigned char> expected(bytes + offset + 8, poison);
    Model part(CL_MEM_OBJECT_IMAGE3D, from.model.format, region);
    Model::each(region, [&](size_t x, size_t y, size_t z) {
      std::memcpy(part.at(x, y, z), from.model.at(a[0] + x, a[1] + y, a[2] + z), part.texel_bytes());
      std::memcpy(to.model.at(b[0] + x, b[1] + y, b[2] + z), part.at(x, y, z), part.texel_bytes());
    });
    std::copy(part.texels.begin(), part.texels.end(), expected.begin() + static_cast<ptrdiff_t>(offset));
    EXPECT_EQ(content_of(buffer), expected);
    EXPECT_EQ(clEnqueueCopyBufferToImage(in_order_, buffer, to.image, offset, b.data(), region.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  }

  std::mt19937 random_{20};
};

TEST_F(ImageTransferTest, GivenImagesOfEveryType_WhenMovedAtRandom_ThenEachTexelIsWhereItBelongs) {
  for (int round = 0; round < 60; ++round) {
    for (cl_mem_object_type type : kImageTypes) {
      const auto formats = supported(type);
      const cl_image_format format = formats[pick(0, formats.size() - 1)];
      // The other image has any type, but depth images are limited to fewer types.
      const cl_mem_object_type other =
          format.image_channel_order == CL_DEPTH ? CL_MEM_OBJECT_IMAGE2D : kImageTypes[pick(0, std::size(kImageTypes) - 1)];
      Tested a{Model(type, format, draw_extent(type)), nullptr, {}}, b{Model(other, format, draw_extent(other)), nullptr, {}};
      make(a);
      make(b);
      for (int step = 0; step < 4; ++step) {
        write(a);
        read_part(a);
        copy(a, b);
        map(b);
        by_buffer(b, a);
      }
      expect_equal(a);
      expect_equal(b);
      if (HasFailure()) return;
      for (cl_mem memory : memories_) EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
      memories_.clear();
    }
  }
}

TEST_F(ImageTransferTest, GivenAnImage_WhenCopiedIntoItself_ThenOnlyOverlapIsAnError) {
  Tested t{Model(CL_MEM_OBJECT_IMAGE3D, kRgba8, {16, 8, 4}), nullptr, {}};
  make(t);
  const Coordinates origin{2, 2, 1};
  for (int round = 0; round < 300; ++round) {
    const Coordinates region = draw_region({12, 5, 2}, {12, 5, 2}), other = draw_origin(t.model.extent, region);
    bool overlaps = true;
    for (int i = 0; i < 3; ++i) overlaps &= other[i] < origin[i] + region[i] && origin[i] < other[i] + region[i];
    const cl_int error =
        clEnqueueCopyImage(in_order_, t.image, t.image, origin.data(), other.data(), region.data(), 0, nullptr, nullptr);
    EXPECT_EQ(error, overlaps ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
    if (error != CL_SUCCESS) continue;
    Model before = t.model;
    Model::each(region, [&](size_t x, size_t y, size_t z) {
      std::memcpy(t.model.at(other[0] + x, other[1] + y, other[2] + z), before.at(origin[0] + x, origin[1] + y, origin[2] + z),
                  4);
    });
  }
  expect_equal(t);
}

TEST_F(ImageTransferTest, GivenThreads_WhenTheyUseOneImage_ThenEachFindsItsOwnRows) {
  constexpr size_t kThreads = 8, kWidth = 64, kRows = 8;
  cl_mem image = create(0, kRgba8, desc_2d(kWidth, kRows * kThreads));
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([=, this] {
      cl_command_queue queue = i % 2 ? in_order_ : out_of_order_;
      for (unsigned char round = 0; round < 50; ++round) {
        const Coordinates origin{0, i * kRows, 0}, region{kWidth, kRows, 1};
        std::vector<unsigned char> bytes(kWidth * kRows * 4, static_cast<unsigned char>(round + i)), got(bytes.size());
        EXPECT_EQ(
            clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, bytes.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
        size_t pitch = 0;
        cl_int error = -1;
        void *mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin.data(), region.data(), &pitch, nullptr, 0,
                                         nullptr, nullptr, &error);
        EXPECT_EQ(error, CL_SUCCESS);
        EXPECT_EQ(std::memcmp(mapped, bytes.data(), bytes.size()), 0);
        EXPECT_EQ(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr), CL_SUCCESS);
        EXPECT_EQ(
            clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0, got.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
        EXPECT_EQ(got, bytes);
      }
    });
}

}  // namespace
