// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of every type of image, in every format, by every sampler and kind of coordinate, against reference.h.
#include "image_runner.h"

#include <algorithm>

namespace upsweep::tests {
namespace {

const char *letter_of(Kind kind) { return kind == Kind::kFloat ? "f" : kind == Kind::kSigned ? "i" : "ui"; }

constexpr Sampler kNoSampler{false, CL_ADDRESS_NONE, CL_FILTER_NEAREST};

class ImageReadTest : public ImageRunner, public testing::WithParamInterface<ImageType> {
protected:
  void SetUp() override {
    ImageRunner::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    for (const Sampler &sampler : all_samplers()) {
      cl_int status = CL_SUCCESS;
      const std::array<cl_sampler_properties, 7> properties{CL_SAMPLER_NORMALIZED_COORDS,
                                                            sampler.normalised,
                                                            CL_SAMPLER_ADDRESSING_MODE,
                                                            sampler.addressing,
                                                            CL_SAMPLER_FILTER_MODE,
                                                            sampler.filter,
                                                            0};
      samplers_.push_back({sampler, clCreateSamplerWithProperties(context_, properties.data(), &status)});
      ASSERT_EQ(status, CL_SUCCESS) << sampler.expression();
    }
  }

  void TearDown() override {
    for (const auto &[sampler, object] : samplers_) clReleaseSampler(object);
    ImageRunner::TearDown();
  }

  /// Reports the first wrong reads of each image.
  template <typename At>
  void check(const Image &image, const Sampler &sampler, const std::string &kernel, const std::vector<At> &at,
             const std::vector<Components> &got, Precision precision) {
    for (size_t i = 0; i < at.size(); ++i)
      if (const auto wrong = wrong_read(image, sampler, at[i], got[i], precision); wrong && failures_++ < kMostFailures)
        ADD_FAILURE() << GetParam().name << " " << kernel << " #" << i << ": " << *wrong;
  }

  /// Reads with the functions read_image<suffix>, for all samplers.
  void check_reads(const Image &image, const DeviceImage &object, const std::string &suffix, bool filtered) {
    const std::string function = "read_image" + suffix;
    const Precision precision = suffix == "h" ? Precision::kHalf : Precision::kFloat;
    for (const auto &[sampler, handle] : samplers_) {
      if (sampler.filter == CL_FILTER_LINEAR && !filtered) continue;
      const auto at = random_coordinates(image, sampler);
      check(image, sampler, function + "_at_floats", at, read(function + "_at_floats", object, at, handle), precision);
      if (sampler.normalised || sampler.filter == CL_FILTER_LINEAR) continue;  // undefined for integers
      const auto places = random_int_coordinates(image, sampler);
      check(image, sampler, function + "_at_ints", places, read(function + "_at_ints", object, places, handle), precision);
    }
  }

  static constexpr size_t kMostFailures = 2;
  size_t failures_ = 0;
  std::vector<std::pair<Sampler, cl_sampler>> samplers_;
};

/// The image types that samplers can read: all but image1d_buffer_t.
class ImageSamplerTest : public ImageReadTest {};

TEST_P(ImageSamplerTest, GivenASampler_WhenRead_ThenTheTexelsAreAddressedAndFiltered) {
  const auto [status, log] = try_build("read.cl", GetParam().options());
  ASSERT_EQ(status, CL_SUCCESS) << log;
  const bool halves = has_halves() && !GetParam().depth;
  for (const cl_image_format &format : formats(GetParam(), CL_MEM_READ_ONLY))
    for (const Contents contents : {Contents::kFinite, Contents::kAnyBits}) {
      const bool real = format.image_channel_data_type == CL_FLOAT || format.image_channel_data_type == CL_HALF_FLOAT;
      if (!real && contents == Contents::kAnyBits) continue;
      failures_ = 0;
      const Image image = random_image(GetParam(), format, contents);
      const DeviceImage object = create(image, CL_MEM_READ_ONLY);
      ASSERT_NE(object.image, nullptr);
      const Kind kind = kind_of(format);
      check_reads(image, object, letter_of(kind), kind == Kind::kFloat && contents == Contents::kFinite);
      if (halves && reads_as_half(format)) check_reads(image, object, "h", contents == Contents::kFinite);
    }
}

TEST_P(ImageReadTest, GivenNoSampler_WhenRead_ThenTheTexelIsAsItIsStored) {
  const auto [status, log] = try_build("read.cl", GetParam().options());
  ASSERT_EQ(status, CL_SUCCESS) << log;
  const bool halves = has_halves() && !GetParam().depth;
  const auto check_all = [&](const cl_image_format &format, cl_mem_flags access, const char *way) {
    failures_ = 0;
    const Image image = random_image(GetParam(), format, Contents::kAnyBits);
    const DeviceImage object = create(image, access);
    ASSERT_NE(object.image, nullptr);
    for (const bool half : {false, true}) {
      if (half && !(halves && reads_as_half(format))) continue;
      const std::string kernel = std::string("read_image") + (half ? "h" : letter_of(kind_of(format))) + way;
      const auto at = random_int_coordinates(image, kNoSampler);
      check(image, kNoSampler, kernel, at, read(kernel, object, at), half ? Precision::kHalf : Precision::kFloat);
    }
  };
  for (const cl_image_format &format : formats(GetParam(), CL_MEM_READ_ONLY)) check_all(format, CL_MEM_READ_ONLY, "_directly");
  for (const cl_image_format &format : formats(GetParam(), CL_MEM_KERNEL_READ_AND_WRITE))
    check_all(format, CL_MEM_READ_WRITE, "_of_writable");
}

TEST_P(ImageSamplerTest, GivenAConstantSampler_WhenRead_ThenItsFormDoesNotMatter) {
  const Sampler sampler = samplers_[below(samplers_.size())].first;
  const auto &[other, other_handle] = samplers_[below(samplers_.size())];
  const Sampler nearest{one_in(2), CL_ADDRESS_CLAMP, CL_FILTER_NEAREST};
  const Sampler nearest_at_ints{false, cl_addressing_mode(one_in(2) ? CL_ADDRESS_CLAMP_TO_EDGE : CL_ADDRESS_CLAMP),
                                CL_FILTER_NEAREST};
  const auto [status, log] = try_build("constant_samplers.cl", GetParam().options() + " -DSAMPLER=" + sampler.expression() +
                                                                   " -DNEAREST=" + nearest.expression() +
                                                                   " -DNEAREST_AT_INTS=" + nearest_at_ints.expression());
  ASSERT_EQ(status, CL_SUCCESS) << log;
  const std::vector<cl_image_format> all = formats(GetParam(), CL_MEM_READ_ONLY);
  const auto draw = [&](Kind kind) {
    std::vector<cl_image_format> some = all;
    std::erase_if(some, [&](const cl_image_format &format) { return kind_of(format) != kind; });
    failures_ = 0;
    return random_image(GetParam(), some[below(some.size())], Contents::kFinite);
  };
  for (const char *form : {"program_constant", "program_const", "kernel_scope", "macro", "function"}) {
    const Image image = draw(Kind::kFloat);
    const DeviceImage object = create(image, CL_MEM_READ_ONLY);
    const auto at = random_coordinates(image, sampler);
    check(image, sampler, form, at, read(form, object, at), Precision::kFloat);
  }
  for (const char *form : {"choice_first", "choice_second"}) {
    const Image image = draw(Kind::kFloat);
    const DeviceImage object = create(image, CL_MEM_READ_ONLY);
    const Sampler &chosen = form == std::string("choice_first") ? sampler : other;
    const auto at = random_coordinates(image, chosen);
    check(image, chosen, form, at, read(form, object, at, other_handle), Precision::kFloat);
  }
  if (GetParam().depth) return;
  for (const auto &[kind, name] : {std::pair(Kind::kSigned, "signed"), std::pair(Kind::kUnsigned, "unsigned")}) {
    const Image image = draw(kind);
    const DeviceImage object = create(image, CL_MEM_READ_ONLY);
    const auto at = random_coordinates(image, nearest);
    const std::string at_floats = std::string(name) + "_at_floats", at_ints = std::string(name) + "_at_ints";
    check(image, nearest, at_floats, at, read(at_floats, object, at), Precision::kFloat);
    const auto places = random_int_coordinates(image, nearest_at_ints);
    check(image, nearest_at_ints, at_ints, places, read(at_ints, object, places), Precision::kFloat);
  }
}

std::vector<ImageType> sampled_types() {
  std::vector<ImageType> types(kImageTypes.begin(), kImageTypes.end());
  std::erase_if(types, [](const ImageType &type) { return type.object == CL_MEM_OBJECT_IMAGE1D_BUFFER; });
  return types;
}

INSTANTIATE_TEST_SUITE_P(Types, ImageSamplerTest, testing::ValuesIn(sampled_types()),
                         [](const auto &type) { return std::string(type.param.name); });
INSTANTIATE_TEST_SUITE_P(Types, ImageReadTest, testing::ValuesIn(kImageTypes),
                         [](const auto &type) { return std::string(type.param.name); });

}  // namespace
}  // namespace upsweep::tests
