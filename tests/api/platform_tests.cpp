// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetPlatformIDs, clGetPlatformInfo, clGetExtensionFunctionAddressForPlatform.
#include "fixture.h"

namespace upsweep::tests {
namespace {

using PlatformTest = Fixture;

TEST_F(PlatformTest, GivenPlatform_WhenNameIsAsked_ThenItIsUpsweep) {
  EXPECT_EQ(text_of(clGetPlatformInfo, platform_, CL_PLATFORM_NAME), "Upsweep");
  EXPECT_EQ(text_of(clGetPlatformInfo, platform_, CL_PLATFORM_VERSION).substr(0, 11), "OpenCL 3.1 ");
  EXPECT_EQ(text_of(clGetPlatformInfo, platform_, CL_PLATFORM_PROFILE), "FULL_PROFILE");
  EXPECT_EQ(value_of<cl_version>(clGetPlatformInfo, platform_, CL_PLATFORM_NUMERIC_VERSION), CL_MAKE_VERSION(3, 1, 0));
}

TEST_F(PlatformTest, GivenPlatform_WhenQueryIsBad_ThenInvalidValue) {
  EXPECT_EQ(clGetPlatformInfo(platform_, 1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  char one;
  EXPECT_EQ(clGetPlatformInfo(platform_, CL_PLATFORM_NAME, 1, &one, nullptr), CL_INVALID_VALUE);
}

TEST_F(PlatformTest, GivenExtensions_WhenVersionsAreAsked_ThenBothListsAgree) {
  std::string names = text_of(clGetPlatformInfo, platform_, CL_PLATFORM_EXTENSIONS) + " ";
  size_t bytes = 0;
  ASSERT_EQ(clGetPlatformInfo(platform_, CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes), CL_SUCCESS);
  std::vector<cl_name_version> versions(bytes / sizeof(cl_name_version));
  ASSERT_EQ(clGetPlatformInfo(platform_, CL_PLATFORM_EXTENSIONS_WITH_VERSION, bytes, versions.data(), nullptr), CL_SUCCESS);
  std::string joined;
  for (const cl_name_version &entry : versions) joined += std::string(entry.name) + " ";
  EXPECT_EQ(joined, names);
}

TEST_F(PlatformTest, GivenFunctionName_WhenAddressIsAsked_ThenKnownOnesAreFound) {
  EXPECT_NE(clGetExtensionFunctionAddressForPlatform(platform_, "clCreateCommandQueueWithPropertiesKHR"), nullptr);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform_, "clNoSuchFunction"), nullptr);
}

}  // namespace
}  // namespace upsweep::tests
