// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The requirements of OpenCL 3.1 on the platform and on each device that reports it.
#include "base/opencl_3_1.h"
#include "fixture.h"
#include <CL/cl_icd.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace upsweep::tests {
namespace {

using UuidBytes = std::array<cl_uchar, CL_UUID_SIZE_KHR>;
using Suggest = decltype(&clGetKernelSuggestedLocalWorkSize);

class Core31Test : public Fixture {
protected:
  std::vector<cl_device_id> devices() const {
    cl_uint count = 0;
    EXPECT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), CL_SUCCESS);
    std::vector<cl_device_id> all(count);
    EXPECT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, count, all.data(), nullptr), CL_SUCCESS);
    return all;
  }

  static std::vector<cl_name_version> list_of(cl_device_id device, cl_device_info query) {
    size_t bytes = 0;
    EXPECT_EQ(clGetDeviceInfo(device, query, 0, nullptr, &bytes), CL_SUCCESS);
    std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
    EXPECT_EQ(clGetDeviceInfo(device, query, bytes, list.data(), nullptr), CL_SUCCESS);
    return list;
  }

  static bool is_of_3_1(cl_device_id device) {
    return text_of(clGetDeviceInfo, device, CL_DEVICE_VERSION).starts_with("OpenCL 3.1 ");
  }

  static UuidBytes uuid_of(cl_device_id device, cl_device_info query) {
    return value_of<UuidBytes>(clGetDeviceInfo, device, query);
  }
};

TEST_F(Core31Test, GivenEachDevice_WhenVersionsAreAsked_ThenTextsNumbersAndLanguagesAgree) {
  for (cl_device_id device : devices()) {
    EXPECT_TRUE(is_of_3_1(device));
    const auto version = value_of<cl_version>(clGetDeviceInfo, device, CL_DEVICE_NUMERIC_VERSION);
    EXPECT_EQ(version, CL_MAKE_VERSION(3, 1, 0));
    EXPECT_LE(version, value_of<cl_version>(clGetPlatformInfo, platform_, CL_PLATFORM_NUMERIC_VERSION));
    EXPECT_TRUE(text_of(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C 1.2 "));
    const std::vector<cl_version> languages = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                                               CL_MAKE_VERSION(2, 0, 0), CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(3, 1, 0)};
    std::vector<cl_version> found;
    for (const cl_name_version &each : list_of(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
      EXPECT_STREQ(each.name, "OpenCL C");
      found.push_back(each.version);
    }
    EXPECT_EQ(found, languages);
  }
}

TEST_F(Core31Test, GivenADeviceOf31_WhenItsPartsAreAsked_ThenItHasAllThatTheVersionRequires) {
  for (cl_device_id device : devices()) {
    if (!is_of_3_1(device)) continue;
    EXPECT_GT(value_of<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_NUM_SUB_GROUPS), 0u);
    std::vector<std::string> names;
    for (const cl_name_version &each : list_of(device, CL_DEVICE_EXTENSIONS_WITH_VERSION)) names.emplace_back(each.name);
    for (const char *required :
         {"cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product", "cl_khr_spirv_queries",
          "cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle",
          "cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"})
      EXPECT_EQ(std::ranges::count(names, required), 1) << required;
    std::vector<cl_version> spirv;
    for (const cl_name_version &each : list_of(device, CL_DEVICE_ILS_WITH_VERSION))
      if (std::string_view(each.name) == "SPIR-V") spirv.push_back(each.version);
    for (cl_uint minor = 0; minor <= 4; ++minor) EXPECT_EQ(std::ranges::count(spirv, CL_MAKE_VERSION(1, minor, 0)), 1) << minor;
    std::vector<std::string> features;
    for (const cl_name_version &each : list_of(device, CL_DEVICE_OPENCL_C_FEATURES)) features.emplace_back(each.name);
    for (const char *required :
         {"__opencl_c_int64", "__opencl_c_subgroups", "__opencl_c_integer_dot_product_input_4x8bit_packed"})
      EXPECT_EQ(std::ranges::count(features, required), 1) << required;
    size_t bytes = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_SPIRV_CAPABILITIES_KHR, 0, nullptr, &bytes), CL_SUCCESS);
    std::vector<cl_uint> capabilities(bytes / sizeof(cl_uint));
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_SPIRV_CAPABILITIES_KHR, bytes, capabilities.data(), nullptr), CL_SUCCESS);
    // SubgroupDispatch, GroupNonUniformShuffle, GroupNonUniformShuffleRelative, DotProductInput4x8Bit, …Packed, DotProduct,
    // BitInstructions, GroupNonUniformRotateKHR, ShaderClockKHR, AtomicFloat16AddEXT,
    // SubgroupBufferBlockIOINTEL, SubgroupImageBlockIOINTEL
    for (const cl_uint required : {58u, 65u, 66u, 6017u, 6018u, 6019u, 6025u, 6026u, 5055u, 6095u, 5569u, 5570u})
      EXPECT_EQ(std::ranges::count(capabilities, required), 1) << required;
  }
}

TEST_F(Core31Test, GivenTheCoreFunction_WhenFoundByNameAndInTheTable_ThenItAnswersLikeTheExtensions) {
  const auto by_name =
      reinterpret_cast<Suggest>(clGetExtensionFunctionAddressForPlatform(platform_, "clGetKernelSuggestedLocalWorkSize"));
  const auto of_extension =
      reinterpret_cast<Suggest>(clGetExtensionFunctionAddressForPlatform(platform_, "clGetKernelSuggestedLocalWorkSizeKHR"));
  ASSERT_NE(by_name, nullptr);
  ASSERT_NE(of_extension, nullptr);
  // A loader of OpenCL 3.1 reads it behind the entry points of OpenCL 3.0, in the table to which a handle's first word points.
  struct Table {
    cl_icd_dispatch of_3_0;
    Suggest suggest;
  };
  EXPECT_EQ((*reinterpret_cast<const Table *const *>(device_))->suggest, by_name);

  const char *source =
      "kernel void f(global int *a) { a[get_global_id(0)] = 1; }"
      "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void g(global int *a) { a[get_global_id(0)] = 1; }";
  cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 1, &device_, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  cl_mem buffer = clCreateBuffer(context_, 0, 1024 * sizeof(cl_int), nullptr, nullptr);
  for (const char *name : {"f", "g"}) {
    cl_kernel kernel = clCreateKernel(program, name, nullptr);
    ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
    for (cl_uint dimensions = 1; dimensions <= 3; ++dimensions) {
      if (name[0] == 'g' && dimensions == 1) continue;  // the size that it requires has two dimensions
      const size_t global[] = {1024, 96, 3};
      size_t core[] = {77, 77, 77, 77}, extended[] = {77, 77, 77, 77};
      EXPECT_EQ(by_name(in_order_, kernel, dimensions, nullptr, global, core), CL_SUCCESS);
      EXPECT_EQ(of_extension(in_order_, kernel, dimensions, nullptr, global, extended), CL_SUCCESS);
      EXPECT_TRUE(std::ranges::equal(core, extended));
      size_t items = 1;
      for (cl_uint dimension = 0; dimension < 4; ++dimension) {
        if (dimension >= dimensions)
          EXPECT_EQ(core[dimension], 77u);  // not written
        else
          items *= core[dimension];
      }
      EXPECT_GT(items, 0u);
      EXPECT_LE(items, max_work_group_size());
      if (name[0] == 'g') EXPECT_EQ(core[0] * 100 + core[1], 804u);
    }
    const size_t global[] = {1024, 0, 1};
    size_t local[] = {77, 77, 77};
    EXPECT_EQ(by_name(nullptr, kernel, 1, nullptr, global, local), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(by_name(in_order_, nullptr, 1, nullptr, global, local), CL_INVALID_KERNEL);
    EXPECT_EQ(by_name(in_order_, kernel, 0, nullptr, global, local), CL_INVALID_WORK_DIMENSION);
    EXPECT_EQ(by_name(in_order_, kernel, 4, nullptr, global, local), CL_INVALID_WORK_DIMENSION);
    EXPECT_EQ(by_name(in_order_, kernel, 1, nullptr, nullptr, local), CL_INVALID_GLOBAL_WORK_SIZE);
    EXPECT_EQ(by_name(in_order_, kernel, 2, nullptr, global, local), CL_INVALID_GLOBAL_WORK_SIZE);
    EXPECT_EQ(by_name(in_order_, kernel, 1, nullptr, global, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(local[0], 77u);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  }
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
}

TEST_F(Core31Test, GivenAKernelWithoutItsArguments_WhenAskedForASize_ThenInvalidKernelArgs) {
  const auto suggest =
      reinterpret_cast<Suggest>(clGetExtensionFunctionAddressForPlatform(platform_, "clGetKernelSuggestedLocalWorkSize"));
  const char *source = "kernel void f(global int *a) { a[0] = 1; }";
  cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 1, &device_, "", nullptr, nullptr), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, "f", nullptr);
  const size_t global = 64;
  size_t local = 77;
  EXPECT_EQ(suggest(in_order_, kernel, 1, nullptr, &global, &local), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(local, 77u);
  EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
}

TEST_F(Core31Test, GivenUuids_WhenAsked_ThenEachDeviceHasItsOwnAndTheDriverHasOne) {
  std::vector<UuidBytes> seen = {UuidBytes{}};
  for (cl_device_id device : devices()) {
    const UuidBytes uuid = uuid_of(device, CL_DEVICE_UUID_KHR);
    EXPECT_EQ(std::ranges::count(seen, uuid), 0);
    seen.push_back(uuid);
    EXPECT_EQ(uuid_of(device, CL_DEVICE_UUID_KHR), uuid);
    EXPECT_NE(uuid_of(device, CL_DRIVER_UUID_KHR), UuidBytes{});
    EXPECT_EQ(uuid_of(device, CL_DRIVER_UUID_KHR), uuid_of(device_, CL_DRIVER_UUID_KHR));
    EXPECT_EQ(value_of<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_LUID_VALID_KHR), cl_bool{CL_FALSE});
    value_of<std::array<cl_uchar, CL_LUID_SIZE_KHR>>(clGetDeviceInfo, device, CL_DEVICE_LUID_KHR);
    value_of<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_NODE_MASK_KHR);
  }
}

std::string digits_of(const UuidBytes &uuid) {
  std::string digits;
  for (const cl_uchar byte : uuid) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", byte);
    digits += two;
  }
  return digits;
}

// "Device UUIDs must be immutable for a given device across processes": the test runs itself in another process, which prints.
TEST_F(Core31Test, GivenTheCpu_WhenAskedInAnotherProcess_ThenItsUuidIsTheSame) {
  const std::string found = "uuid " + digits_of(uuid_of(devices().front(), CL_DEVICE_UUID_KHR));
  if (std::getenv("UPSWEEP_TEST_PRINTS_UUID")) {
    std::printf("%s\n", found.c_str());
    return;
  }
  const std::string command = "UPSWEEP_TEST_PRINTS_UUID=1 " + std::filesystem::read_symlink("/proc/self/exe").string() +
                              " --gtest_filter=Core31Test.GivenTheCpu_WhenAskedInAnotherProcess_ThenItsUuidIsTheSame";
  FILE *output = popen(command.c_str(), "r");
  ASSERT_NE(output, nullptr);
  std::string text;
  for (int c = 0; (c = std::fgetc(output)) != EOF;) text += static_cast<char>(c);
  EXPECT_EQ(pclose(output), 0);
  EXPECT_NE(text.find(found), std::string::npos) << text;
}

TEST_F(Core31Test, GivenAProgramOf31_WhenBuilt_ThenOnlyDevicesOf31TakeIt) {
  const char *source = "#if __OPENCL_C_VERSION__ != 310 || CL_VERSION_3_1 != 310 || CL_VERSION_3_0 != 300\n"
                       "#error wrong version\n"
                       "#endif\n"
                       "kernel void f(global uint *a) {\n"
                       "  const uint i = get_global_id(0);\n"
                       "  a[i] = bit_reverse(i) + sub_group_shuffle_xor(i, 0) + dot_4x8packed_uu_uint(i, 0x01010101);\n"
                       "}\n";
  for (cl_device_id device : devices()) {
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    const cl_int built = clBuildProgram(program, 1, &device, "-cl-std=CL3.1", nullptr, nullptr);
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    EXPECT_EQ(built, is_of_3_1(device) ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE) << log;
    if (!is_of_3_1(device)) EXPECT_NE(log.find("-cl-std=CL3.1"), std::string::npos) << log;
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  }
}

}  // namespace
}  // namespace upsweep::tests
