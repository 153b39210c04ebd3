// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateSampler, clCreateSamplerWithProperties, clRetainSampler, clReleaseSampler, clGetSamplerInfo.
#include "image_fixture.h"
#include <cfloat>
#include <cmath>

namespace {

using namespace upsweep::tests;

class SamplerTest : public ImageFixture {
protected:
  cl_int create_error(const std::vector<cl_sampler_properties> &properties) {
    cl_int error = -1;
    cl_sampler sampler = clCreateSamplerWithProperties(context_, properties.data(), &error);
    EXPECT_EQ(sampler != nullptr, error == CL_SUCCESS);
    if (sampler) EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
    return error;
  }
  static cl_sampler_properties as_property(float value) {
    cl_sampler_properties property = 0;
    std::memcpy(&property, &value, sizeof value);
    return property;
  }
};

TEST_F(SamplerTest, GivenEachMode_WhenCreated_ThenTheQueriesGiveItBack) {
  for (cl_bool normalized : {CL_FALSE, CL_TRUE})
    for (cl_addressing_mode addressing :
         {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT})
      for (cl_filter_mode filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
        cl_int error = -1;
        cl_sampler sampler = clCreateSampler(context_, normalized, addressing, filter, &error);
        ASSERT_EQ(error, CL_SUCCESS);
        EXPECT_EQ(value_of<cl_bool>(clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS), normalized);
        EXPECT_EQ(value_of<cl_addressing_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE), addressing);
        EXPECT_EQ(value_of<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE), filter);
        size_t bytes = 99;
        EXPECT_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, nullptr, &bytes), CL_SUCCESS);
        EXPECT_EQ(bytes, 0u);
        EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
      }
}

TEST_F(SamplerTest, GivenProperties_WhenCreated_ThenTheyAreKeptInOrder) {
  const cl_sampler_properties properties[] = {CL_SAMPLER_LOD_MAX_KHR,
                                              as_property(3.5f),
                                              CL_SAMPLER_NORMALIZED_COORDS,
                                              CL_FALSE,
                                              CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                              CL_FILTER_LINEAR,
                                              CL_SAMPLER_LOD_MIN_KHR,
                                              as_property(0.5f),
                                              0};
  cl_int error = -1;
  cl_sampler sampler = clCreateSamplerWithProperties(context_, properties, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  std::array<cl_sampler_properties, 9> answer{};
  size_t bytes = 0;
  EXPECT_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof answer, answer.data(), &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, sizeof properties);
  EXPECT_TRUE(std::equal(answer.begin(), answer.end(), properties));
  EXPECT_EQ(value_of<cl_bool>(clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_FALSE});
  EXPECT_EQ(value_of<cl_addressing_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_CLAMP});
  EXPECT_EQ(value_of<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR),
            cl_filter_mode{CL_FILTER_LINEAR});
  EXPECT_EQ(value_of<cl_float>(clGetSamplerInfo, sampler, CL_SAMPLER_LOD_MIN_KHR), 0.5f);
  EXPECT_EQ(value_of<cl_float>(clGetSamplerInfo, sampler, CL_SAMPLER_LOD_MAX_KHR), 3.5f);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
}

TEST_F(SamplerTest, GivenNoProperties_WhenCreated_ThenTheDefaults) {
  const cl_sampler_properties none[] = {0};
  for (const cl_sampler_properties *properties : {static_cast<const cl_sampler_properties *>(nullptr), none}) {
    cl_int error = -1;
    cl_sampler sampler = clCreateSamplerWithProperties(context_, properties, &error);
    ASSERT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(value_of<cl_bool>(clGetSamplerInfo, sampler, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_TRUE});
    EXPECT_EQ(value_of<cl_filter_mode>(clGetSamplerInfo, sampler, CL_SAMPLER_FILTER_MODE), cl_filter_mode{CL_FILTER_NEAREST});
    EXPECT_EQ(value_of<cl_float>(clGetSamplerInfo, sampler, CL_SAMPLER_LOD_MAX_KHR), FLT_MAX);
    size_t bytes = 99;
    EXPECT_EQ(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, nullptr, &bytes), CL_SUCCESS);
    EXPECT_EQ(bytes, properties ? sizeof none : 0);
    EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  }
}

TEST_F(SamplerTest, GivenBadValues_WhenCreated_ThenInvalidValue) {
  EXPECT_EQ(create_error({CL_SAMPLER_NORMALIZED_COORDS, 2, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(create_error({CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_LINEAR, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(create_error({CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(create_error({CL_SAMPLER_MIP_FILTER_MODE_KHR, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(create_error({CL_SAMPLER_LOD_MIN_KHR, as_property(NAN), 0}), CL_INVALID_VALUE);
  EXPECT_EQ(create_error({CL_SAMPLER_CONTEXT, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(create_error({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}),
            CL_INVALID_VALUE);
  EXPECT_EQ(create_error({CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}), CL_SUCCESS);
  cl_int error = 0;
  EXPECT_EQ(clCreateSampler(context_, 5, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSampler(nullptr, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

TEST_F(SamplerTest, GivenReferences_WhenReleased_ThenTheLastOneEndsIt) {
  cl_int error = -1;
  cl_sampler sampler = clCreateSampler(context_, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
  EXPECT_EQ(clRetainSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(value_of<cl_uint>(clGetSamplerInfo, sampler, CL_SAMPLER_REFERENCE_COUNT), 2u);
  EXPECT_EQ(value_of<cl_context>(clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT), context_);
  EXPECT_EQ(clGetSamplerInfo(sampler, CL_MEM_SIZE, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(clReleaseSampler(sampler), CL_INVALID_SAMPLER);
  EXPECT_EQ(clRetainSampler(nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clGetSamplerInfo(nullptr, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr), CL_INVALID_SAMPLER);
}

}  // namespace
