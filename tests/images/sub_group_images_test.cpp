// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-groups of all sizes. Calls of the image functions, for 8 or 16 lanes, cover a part of a sub-group or several.
#include "image_runner.h"

#include <bit>
#include <cstring>

namespace upsweep::tests {
namespace {

class SubGroupImagesTest : public ImageRunner, public testing::WithParamInterface<int> {};

constexpr const ImageType &kImage2d = kImageTypes[3];
constexpr Sampler kFilter{false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR};

TEST_P(SubGroupImagesTest, GivenASizeOfSubGroups_WhenTexelsAreMovedAndFiltered_ThenAllAreRight) {
  const auto [status, log] = try_build("sub_groups.cl", "-cl-std=CL3.0 -DSIZE=" + std::to_string(GetParam()));
  if (status != CL_SUCCESS && figure_of<cl_device_type>(device_, CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU)
    GTEST_SKIP() << "sub-groups of a GPU have one size: " << log;
  ASSERT_EQ(status, CL_SUCCESS) << log;
  const std::array<cl_sampler_properties, 7> properties{CL_SAMPLER_NORMALIZED_COORDS,
                                                        CL_FALSE,
                                                        CL_SAMPLER_ADDRESSING_MODE,
                                                        kFilter.addressing,
                                                        CL_SAMPLER_FILTER_MODE,
                                                        kFilter.filter,
                                                        0};
  cl_sampler sampler = clCreateSamplerWithProperties(context_, properties.data(), nullptr);
  for (const cl_image_format &format : formats(kImage2d, CL_MEM_WRITE_ONLY)) {
    if (kind_of(format) != Kind::kFloat) continue;
    Image from = random_image(kImage2d, format, Contents::kFinite);
    from.size = {70, 6, 1};  // rows of two whole sub-groups of 32, and edges
    from.bytes.resize(from.texels() * bytes_of_texel(format));
    for (unsigned char &byte : from.bytes) byte = static_cast<unsigned char>(random_());
    for (size_t i = 0; i + 4 <= from.bytes.size() && format.image_channel_data_type == CL_FLOAT; i += 4) {
      const auto value = static_cast<float>(between(0, 1));
      std::memcpy(from.bytes.data() + i, &value, 4);
    }
    for (size_t i = 0; i + 2 <= from.bytes.size() && format.image_channel_data_type == CL_HALF_FLOAT; i += 2) {
      const uint16_t value = half_bits(between(0, 1));
      std::memcpy(from.bytes.data() + i, &value, 2);
    }
    from.decode();
    const DeviceImage source = create(from, CL_MEM_READ_ONLY), moved = create(from, CL_MEM_WRITE_ONLY),
                      turned = create(from, CL_MEM_WRITE_ONLY);
    std::vector<Components> got(from.texels());
    cl_mem out = buffer_of(got.data(), got.size() * sizeof got[0]);
    use_kernel("move");
    set(0, source.image);
    set(1, moved.image);
    set(2, turned.image);
    set(3, out);
    set(4, sampler);
    const std::array<size_t, 2> local{one_in(2) ? 35U : 14U, 3};
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 2, nullptr, from.size.data(), local.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, got.size() * sizeof got[0], got.data(), 0, nullptr, nullptr);
    clReleaseMemObject(out);
    const auto copy = texels_of(from, moved), other = texels_of(from, turned);
    for (size_t i = 0; i < got.size(); ++i) {
      const Coordinate at{static_cast<float>(i % 70) + 0.75F, static_cast<float>(i / 70) + 0.25F, 0, 0};
      if (const auto wrong = wrong_read(from, kFilter, at, got[i], Precision::kFloat)) FAIL() << *wrong;
      const Colour &c = from.colours[i];
      const auto bits = [](double x) { return std::bit_cast<uint32_t>(static_cast<float>(x)); };
      const size_t offset = i * bytes_of_texel(format);
      const bool may_move = may_be_stored(format, {bits(c[0]), bits(c[1]), bits(c[2]), bits(c[3])}, copy.data() + offset);
      const bool may_turn = may_be_stored(format, {bits(c[3]), bits(c[2]), bits(0.25), bits(c[0])}, other.data() + offset);
      ASSERT_TRUE(may_move && may_turn) << name_of(format) << ", texel " << i;
    }
  }
  clReleaseSampler(sampler);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SubGroupImagesTest, testing::Values(4, 8, 16, 32));

}  // namespace
}  // namespace upsweep::tests
