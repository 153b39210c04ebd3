// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that choose between two images, read them different numbers of times, or take no part. Lanes without an access
// must neither fault nor change anything.
#include "image_runner.h"

#include <algorithm>
#include <cstring>

namespace upsweep::tests {
namespace {

constexpr Sampler kClamp{false, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST};

class DivergingImagesTest : public ImageRunner, public testing::WithParamInterface<ImageType> {
protected:
  void SetUp() override {
    ImageRunner::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    const auto [status, log] = try_build("diverging.cl", GetParam().options());
    ASSERT_EQ(status, CL_SUCCESS) << log;
    for (const cl_image_format &format : formats(GetParam(), CL_MEM_READ_ONLY))
      if (kind_of(format) == Kind::kUnsigned) formats_.push_back(format);
    const std::array<cl_sampler_properties, 7> properties{CL_SAMPLER_NORMALIZED_COORDS,
                                                          CL_FALSE,
                                                          CL_SAMPLER_ADDRESSING_MODE,
                                                          CL_ADDRESS_CLAMP,
                                                          CL_SAMPLER_FILTER_MODE,
                                                          CL_FILTER_NEAREST,
                                                          0};
    sampler_ = clCreateSamplerWithProperties(context_, properties.data(), nullptr);
  }
  void TearDown() override {
    if (sampler_) clReleaseSampler(sampler_);
    ImageRunner::TearDown();
  }

  using Reference = Components (*)(const std::vector<Components> &a, const std::vector<Components> &b,
                                   const std::vector<cl_int> &ways, size_t i);
  /// `a` and `b` are the results of reads of each image at each coordinate.
  void check(const char *kernel, Reference wanted);

  static constexpr int kRounds = 12;  ///< each with other formats, sizes and choices
  std::vector<cl_image_format> formats_;
  cl_sampler sampler_ = nullptr;
};

std::vector<Components> texels_at(const Image &image, const std::vector<IntCoordinate> &at) {
  std::vector<Components> texels;
  for (const IntCoordinate &coordinate : at) {
    const Colour colour = texel_at(image, kClamp, coordinate);
    Components &components = texels.emplace_back();
    for (size_t c = 0; c < 4; ++c) components[c] = static_cast<uint32_t>(colour[c]);
  }
  return texels;
}

void DivergingImagesTest::check(const char *kernel, Reference wanted) {
  for (int round = 0; round < kRounds; ++round) {
    const Image a = random_image(GetParam(), formats_[below(formats_.size())], Contents::kAnyBits);
    const Image b = random_image(GetParam(), formats_[below(formats_.size())], Contents::kAnyBits);
    const DeviceImage object_a = create(a, CL_MEM_READ_ONLY), object_b = create(b, CL_MEM_READ_ONLY);
    const auto at = random_int_coordinates(one_in(2) ? a : b, kClamp);
    std::vector<cl_int> ways(at.size());
    const uint64_t most = one_in(2) ? 2 : 20;
    for (cl_int &way : ways) way = static_cast<cl_int>(below(most));
    std::vector<Components> got(at.size());
    cl_mem places = buffer_of(at.data(), at.size() * sizeof at[0]),
           choice = buffer_of(ways.data(), ways.size() * sizeof(cl_int));
    cl_mem out = buffer_of(got.data(), got.size() * sizeof got[0]);
    use_kernel(kernel);
    set(0, object_a.image);
    set(1, object_b.image);
    set(2, places);
    set(3, choice);
    set(4, out);
    set(5, sampler_);
    launch(at.size());
    clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, got.size() * sizeof got[0], got.data(), 0, nullptr, nullptr);
    for (cl_mem buffer : {places, choice, out}) clReleaseMemObject(buffer);
    const auto from_a = texels_at(a, at), from_b = texels_at(b, at);
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], wanted(from_a, from_b, ways, i))
          << kernel << " of work-item " << i << ", " << name_of(a.format) << ", " << name_of(b.format);
  }
}

TEST_P(DivergingImagesTest, GivenBranches_WhenWorkItemsReadOneOfTwoImages_ThenEachHasItsTexel) {
  check("branches", [](const auto &a, const auto &b, const auto &ways, size_t i) {
    return ways[i] % 3 == 0 ? a[i] : ways[i] % 3 == 1 ? b[i] : Components{1, 2, 3, 4};
  });
}

TEST_P(DivergingImagesTest, GivenLoops_WhenWorkItemsReadDifferentlyOften_ThenEachHasItsSum) {
  check("loops", [](const auto &a, const auto &b, const auto &ways, size_t i) {
    Components sum{};
    for (int k = 0; k < ways[i]; ++k) {
      const size_t place = (i * 7 + static_cast<size_t>(k)) % a.size();
      for (size_t c = 0; c < 4; ++c) sum[c] = (k + i) % 2 == 0 ? sum[c] + a[place][c] : sum[c] * 3 + b[place][c];
      if (sum[0] % 64 == 5) break;
    }
    return sum;
  });
}

TEST_P(DivergingImagesTest, GivenABarrier_WhenImagesAreReadOnBothSides_ThenBothReadsAreRight) {
  check("waits", [](const auto &a, const auto &b, const auto &ways, size_t i) {
    const size_t group = i / 64 * 64, size = std::min<size_t>(64, a.size() - group);
    const size_t next = (i - group + 1) % size;
    Components sum{};
    for (size_t c = 0; c < 4; ++c) {
      sum[c] = ways[group + next] % 2 ? a[group + next][c] : static_cast<uint32_t>(next);
      if (ways[i] % 3 == 0) sum[c] += b[i][c];
    }
    return sum;
  });
}

TEST_P(DivergingImagesTest, GivenBranchesAndLoops_WhenSomeWorkItemsWrite_ThenOnlyTheirTexelsChange) {
  for (int round = 0; round < kRounds; ++round) {
    const Image a = random_image(GetParam(), formats_[below(formats_.size())], Contents::kAnyBits);
    Image b = a;
    std::ranges::reverse(b.bytes);
    const DeviceImage object_a = create(a, CL_MEM_WRITE_ONLY), object_b = create(b, CL_MEM_WRITE_ONLY);
    std::vector<IntCoordinate> at(a.texels());
    for (size_t i = 0; i < at.size(); ++i)
      at[i] = {static_cast<int32_t>(i % a.size[0]), static_cast<int32_t>(i / a.size[0] % a.size[1]),
               static_cast<int32_t>(i / a.size[0] / a.size[1]), 0};
    std::vector<cl_int> ways(at.size());
    for (cl_int &way : ways) way = static_cast<cl_int>(below(9));
    std::vector<Components> colours(at.size());
    for (Components &colour : colours)
      for (uint32_t &component : colour) component = static_cast<uint32_t>(random_()) >> below(32);
    cl_mem places = buffer_of(at.data(), at.size() * sizeof at[0]),
           choice = buffer_of(ways.data(), ways.size() * sizeof(cl_int));
    cl_mem values = buffer_of(colours.data(), colours.size() * sizeof colours[0]);
    use_kernel("writes");
    set(0, object_a.image);
    set(1, object_b.image);
    set(2, places);
    set(3, choice);
    set(4, values);
    launch(at.size());
    const auto after_a = texels_of(a, object_a), after_b = texels_of(b, object_b);
    for (cl_mem buffer : {places, choice, values}) clReleaseMemObject(buffer);
    const size_t bytes = bytes_of_texel(a.format), count = at.size();
    const auto right = [&](const std::vector<unsigned char> &after, const std::vector<unsigned char> &before, size_t i,
                           bool written, size_t colour) {
      const unsigned char *texel = after.data() + i * bytes;
      return written ? may_be_stored(a.format, colours[colour % count], texel)
                     : std::memcmp(texel, before.data() + i * bytes, bytes) == 0;
    };
    for (size_t i = 0; i < count; ++i) {
      const int way = ways[i] % 4;
      ASSERT_TRUE(right(after_a, a.bytes, i, way == 1 || way == 3, way == 1 ? i : i + 1))
          << name_of(a.format) << " texel " << i;
      ASSERT_TRUE(right(after_b, b.bytes, i, way == 2 || way == 3, way == 2 ? i + static_cast<size_t>(ways[i]) : i))
          << name_of(a.format) << " texel " << i;
    }
  }
}

/// Types that samplers read and that have unsigned formats.
INSTANTIATE_TEST_SUITE_P(Types, DivergingImagesTest,
                         testing::Values(kImageTypes[0], kImageTypes[2], kImageTypes[3], kImageTypes[4], kImageTypes[7]),
                         [](const auto &type) { return std::string(type.param.name); });

}  // namespace
}  // namespace upsweep::tests
