// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_INTEL_subgroups: blocks of buffers and images, and shuffles. Each work-group is a sub-group of the size that the kernel
// requires.
#include "fixture.h"

#include <CL/cl_ext.h>

#include <cstring>

namespace upsweep::tests {
namespace {

using Storage = spv::StorageClass;
constexpr uint32_t kLanes = 16;

class BlocksTest : public SpirvTest {
protected:
  void SetUp() override {
    SpirvTest::SetUp();
    std::string names(1 << 14, '\0');
    ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, names.size(), names.data(), nullptr), CL_SUCCESS);
    if (names.find("cl_intel_spirv_subgroups") == std::string::npos) {
      ASSERT_TRUE(tests_a_gpu()) << "CPU devices have the extension";
      GTEST_SKIP() << "the device does not list cl_intel_spirv_subgroups";
    }
  }

  static void declare(ModuleBuilder &m) {
    using C = spv::Capability;
    for (const C each : {C::SubgroupBufferBlockIOINTEL, C::SubgroupImageBlockIOINTEL, C::SubgroupShuffleINTEL, C::ImageBasic,
                         C::SubgroupDispatch})
      m.capability(each);
    m.extension("SPV_INTEL_subgroups");
  }

  /// k(out, in): reads a block for each sub-group, and writes it to another place, with the order of the components reversed.
  static Words copying_module(unsigned bits, unsigned width) {
    KernelModule m;
    declare(m);
    const Id element = m.integer(bits), value = m.vector(element, width), pointer = m.pointer(Storage::CrossWorkgroup, element);
    const std::vector<Id> k = m.begin_kernel("k", {pointer, pointer});
    m.mode(m.kernel(), spv::ExecutionMode::SubgroupSize, {kLanes});
    const Id group = m.op(Op::OpUDiv, m.i64, {m.global_id(), m.constant(64, kLanes)});
    const Id first = m.op(Op::OpIMul, m.i64, {group, m.constant(64, kLanes * width)});
    const Id read = m.op(Op::OpSubgroupBlockReadINTEL, value, {m.element(k[1], first, element)});
    Words reversed{read, read};
    for (unsigned n = 0; n < width; ++n) reversed.push_back(width - 1 - n);
    const Id written = width == 1 ? read : m.op(Op::OpVectorShuffle, value, reversed);
    m.statement(Op::OpSubgroupBlockWriteINTEL, {m.element(k[0], first, element), written});
    m.end_kernel();
    return m.words();
  }
};

TEST_F(BlocksTest, GivenBlocksOfBuffers_WhenCopied_ThenEachComponentIsASubGroupApart) {
  for (const unsigned bits : {8u, 16u, 32u, 64u})
    for (const unsigned width : {1u, 2u, 4u, 8u, 16u}) {
      if (width == 16 && bits != 8) continue;
      SCOPED_TRACE(std::to_string(bits) + " x " + std::to_string(width));
      const size_t row = size_t{kLanes} * bits / 8, groups = 5;
      Bytes input(groups * width * row), wanted(input.size());
      std::mt19937 random(bits + width);  // NOLINT(cert-msc51-cpp): a test repeats
      for (unsigned char &each : input) each = static_cast<unsigned char>(random());
      for (size_t group = 0; group < groups; ++group)
        for (size_t n = 0; n < width; ++n)
          std::memcpy(&wanted[(group * width + n) * row], &input[(group * width + width - 1 - n) * row], row);
      cl_kernel kernel = kernel_of(build(copying_module(bits, width)), "k");
      cl_mem output = buffer(input.size());
      set(kernel, 0, output);
      set(kernel, 1, buffer(input));
      run(kernel, groups * kLanes, kLanes);
      EXPECT_EQ(content_of(output), wanted);
    }
}

// k(out, in): the block at (4, 1) of an image goes to (8, 2) of another.
TEST_F(BlocksTest, GivenBlocksOfImages_WhenCopied_ThenTheyAreAtTheirCoordinates) {
  constexpr size_t kRow = 4 * (kLanes + 3), kRows = 7, kHeight = 4;
  KernelModule m;
  declare(m);
  const auto image_type = [&](spv::AccessQualifier access) {
    return m.type(Op::OpTypeImage, {m.void_type(), word(spv::Dim::Dim2D), 0, 0, 0, 0, 0, word(access)});
  };
  const Id value = m.vector(m.i32, kHeight), place = m.vector(m.i32, 2);
  const auto at = [&](uint64_t x, uint64_t y) {
    return m.constant_of(Op::OpConstantComposite, place, {m.constant(32, x), m.constant(32, y)});
  };
  const Id from = at(4, 1), to = at(8, 2);
  const std::vector<Id> k =
      m.begin_kernel("k", {image_type(spv::AccessQualifier::WriteOnly), image_type(spv::AccessQualifier::ReadOnly)});
  m.mode(m.kernel(), spv::ExecutionMode::SubgroupSize, {kLanes});
  m.statement(Op::OpSubgroupImageBlockWriteINTEL, {k[0], to, m.op(Op::OpSubgroupImageBlockReadINTEL, value, {k[1], from})});
  m.end_kernel();

  Bytes source(kRow * kRows), wanted(kRow * kRows, kPoison);
  for (size_t n = 0; n < source.size(); ++n) source[n] = static_cast<unsigned char>(n * 37 >> 2);
  for (size_t y = 0; y < kHeight; ++y)
    std::memcpy(&wanted[(y + 2) * kRow + 8], &source[(y + 1) * kRow + 4], size_t{4} * kLanes);
  cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kRow / 4;
  desc.image_height = kRows;
  Bytes poison(kRow * kRows, kPoison);
  cl_mem images[2];
  for (cl_mem &each : images)
    each =
        clCreateImage(context_, CL_MEM_COPY_HOST_PTR, &format, &desc, &each == images ? poison.data() : source.data(), nullptr);
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  set(kernel, 0, images[0]);
  set(kernel, 1, images[1]);
  run(kernel, kLanes, kLanes);
  const size_t origin[3] = {}, region[3] = {kRow / 4, kRows, 1};
  Bytes found(kRow * kRows);
  EXPECT_EQ(clEnqueueReadImage(queue_, images[0], CL_TRUE, origin, region, 0, 0, found.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(found, wanted);
  for (cl_mem each : images) clReleaseMemObject(each);
}

TEST_F(BlocksTest, GivenBlocksThatTheExtensionLacks_WhenBuilt_ThenTheLogSaysWhy) {
  EXPECT_NE(failure_of(copying_module(32, 3)).find("1, 2, 4 nor 8 elements"), std::string::npos);
  EXPECT_NE(failure_of(copying_module(32, 16)).find("1, 2, 4 nor 8 elements"), std::string::npos);

  KernelModule local;
  declare(local);
  const Id pointer = local.pointer(Storage::Workgroup, local.i32);
  const std::vector<Id> k = local.begin_kernel("k", {local.global_i32, pointer});
  local.put_at(k[0], local.global_id(), local.op(Op::OpSubgroupBlockReadINTEL, local.i32, {k[1]}));
  local.end_kernel();
  EXPECT_NE(failure_of(local.words()).find("not in CrossWorkgroup memory"), std::string::npos);

  KernelModule floats;
  declare(floats);
  const Id of_floats = floats.pointer(Storage::CrossWorkgroup, floats.floating(32));
  const std::vector<Id> f = floats.begin_kernel("k", {of_floats});
  floats.store(f[0], floats.op(Op::OpSubgroupBlockReadINTEL, floats.floating(32), {f[0]}));
  floats.end_kernel();
  EXPECT_NE(failure_of(floats.words()).find("no integers"), std::string::npos);
}

// Each work-item exchanges two numbers, which are a row of twice the sub-group's size.
TEST_F(BlocksTest, GivenTwoNumbers_WhenShuffled_ThenTheyAreARowOfBoth) {
  KernelModule m;
  declare(m);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  m.mode(m.kernel(), spv::ExecutionMode::SubgroupSize, {kLanes});
  const Id index = m.global_id(), a = m.get_at(k[1], index), b = m.op(Op::OpIAdd, m.i32, {a, m.number(100)});
  const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, 4)});
  uint64_t column = 0;
  const auto put = [&](Id made) { m.put_at(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), made); };
  put(m.op(Op::OpSubgroupShuffleINTEL, m.i32, {a, m.number(5)}));
  put(m.op(Op::OpSubgroupShuffleXorINTEL, m.i32, {a, m.number(3)}));
  put(m.op(Op::OpSubgroupShuffleDownINTEL, m.i32, {a, b, m.number(6)}));
  put(m.op(Op::OpSubgroupShuffleUpINTEL, m.i32, {a, b, m.number(6)}));
  m.end_kernel();
  std::vector<cl_int> input(2 * kLanes);
  for (size_t n = 0; n < input.size(); ++n) input[n] = static_cast<cl_int>(n);
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(input.size() * 16);
  set(kernel, 0, output);
  set(kernel, 1, buffer(bytes_of(input)));
  run(kernel, input.size(), kLanes);
  const auto found = values_of<cl_uint>(content_of(output));
  for (uint32_t n = 0; n < input.size(); ++n) {
    const uint32_t lane = n % kLanes, first = n - lane;
    EXPECT_EQ(found[4 * n], first + 5);
    EXPECT_EQ(found[4 * n + 1], first + (lane ^ 3));
    EXPECT_EQ(found[4 * n + 2], lane + 6 < kLanes ? n + 6 : 100 + n + 6 - kLanes);
    EXPECT_EQ(found[4 * n + 3], lane >= 6 ? 100 + n - 6 : n + kLanes - 6);
  }
}

}  // namespace
}  // namespace upsweep::tests
