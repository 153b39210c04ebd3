// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of each kind, samplers, and pipes.
#include "fixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace upsweep::tests {
namespace {

struct Kind {
  cl_mem_object_type type;
  spv::Dim dim;
  bool is_array;
  std::array<size_t, 3> size;  ///< of the range; unused dimensions are 1
  unsigned coordinates, sizes;
};
const Kind kKinds[] = {
    {CL_MEM_OBJECT_IMAGE1D, spv::Dim::Dim1D, false, {13, 1, 1}, 1, 1},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, spv::Dim::Buffer, false, {13, 1, 1}, 1, 1},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, spv::Dim::Dim1D, true, {7, 5, 1}, 2, 2},
    {CL_MEM_OBJECT_IMAGE2D, spv::Dim::Dim2D, false, {7, 5, 1}, 2, 2},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, spv::Dim::Dim2D, true, {7, 5, 3}, 4, 3},
    {CL_MEM_OBJECT_IMAGE3D, spv::Dim::Dim3D, false, {7, 5, 3}, 4, 3},
};

class ImageTest : public SpirvTest {
protected:
  void SetUp() override {
    SpirvTest::SetUp();
    if (figure_of<cl_bool>(device_, CL_DEVICE_IMAGE_SUPPORT) == CL_FALSE) GTEST_SKIP() << "no images";
  }
  void TearDown() override {
    for (cl_mem image : images_) clReleaseMemObject(image);
    SpirvTest::TearDown();
  }

  cl_mem image(const Kind &kind, cl_channel_type channel, const Bytes &texels, cl_uint levels = 0) {
    const cl_image_format format{CL_RGBA, channel};
    cl_image_desc desc{};
    desc.image_type = kind.type;
    desc.image_width = kind.size[0];
    desc.num_mip_levels = levels;
    const bool is_array = kind.is_array;
    if (kind.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) desc.image_array_size = kind.size[1];
    if (kind.dim == spv::Dim::Dim2D || kind.dim == spv::Dim::Dim3D) desc.image_height = kind.size[1];
    if (kind.dim == spv::Dim::Dim2D && is_array) desc.image_array_size = kind.size[2];
    if (kind.dim == spv::Dim::Dim3D) desc.image_depth = kind.size[2];
    Bytes copy = texels;
    const bool is_buffer = kind.dim == spv::Dim::Buffer;
    if (is_buffer) desc.buffer = buffer(texels);
    cl_int error = -1;
    const bool has_texels = !is_buffer && levels == 0;
    cl_mem made = clCreateImage(context_, CL_MEM_READ_WRITE | (has_texels ? CL_MEM_COPY_HOST_PTR : 0), &format, &desc,
                                has_texels ? copy.data() : nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    images_.push_back(made);
    return made;
  }

  Bytes texels_of(cl_mem image, const std::array<size_t, 3> &size, size_t bytes) {
    const size_t origin[3] = {};
    Bytes texels(bytes);
    EXPECT_EQ(clEnqueueReadImage(queue_, image, CL_TRUE, origin, size.data(), 0, 0, texels.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return texels;
  }

  static Id image_type(ModuleBuilder &m, const Kind &kind, spv::AccessQualifier access) {
    return m.type(Op::OpTypeImage, {m.void_type(), word(kind.dim), 0, kind.is_array ? 1U : 0U, 0, 0, 0, word(access)});
  }

  static void declare(ModuleBuilder &m) {
    using C = spv::Capability;
    for (const C each : {C::ImageBasic, C::Image1D, C::ImageBuffer, C::Sampled1D, C::SampledBuffer, C::LiteralSampler})
      m.capability(each);
  }

private:
  std::vector<cl_mem> images_;
};

// Each item reads a texel, adds 1 and writes it; the first stores the image's size.
TEST_F(ImageTest, GivenEachKind_WhenReadAndWritten_ThenEachTexelIsItsOwn) {
  for (const Kind &kind : kKinds) {
    SCOPED_TRACE(kind.type);
    KernelModule m;
    declare(m);
    const Id texel = m.vector(m.i32, 4), v3 = m.vector(m.i64, 3), v3i = m.vector(m.i32, 3),
             size_type = m.vector(m.i32, kind.sizes);
    const std::vector<Id> k = m.begin_kernel("k", {image_type(m, kind, spv::AccessQualifier::ReadOnly),
                                                   image_type(m, kind, spv::AccessQualifier::WriteOnly),
                                                   m.pointer(spv::StorageClass::CrossWorkgroup, size_type)});
    const Id ids = m.op(Op::OpUConvert, v3i, {m.load(v3, m.built_in(spv::BuiltIn::GlobalInvocationId, v3))});
    Words shuffle{ids, ids};
    for (uint32_t n = 0; n < kind.coordinates; ++n) shuffle.push_back(std::min(n, 2U));
    const Id place = kind.coordinates == 1 ? m.op(Op::OpCompositeExtract, m.i32, {ids, 0})
                                           : m.op(Op::OpVectorShuffle, m.vector(m.i32, kind.coordinates), shuffle);
    const Id sum = m.op(Op::OpIAdd, texel, {m.op(Op::OpImageRead, texel, {k[0], place}), m.splat(m.i32, 4, m.number(1))});
    m.statement(Op::OpImageWrite, {k[1], place, sum});
    const bool has_levels = kind.dim != spv::Dim::Buffer;
    m.store(k[2], has_levels ? m.op(Op::OpImageQuerySizeLod, size_type, {k[0], m.number(0)})
                             : m.op(Op::OpImageQuerySize, size_type, {k[0]}));
    m.end_kernel();

    const size_t count = kind.size[0] * kind.size[1] * kind.size[2] * 4;
    std::vector<cl_uint> texels(count), expected(count);
    for (size_t n = 0; n < count; ++n) texels[n] = static_cast<cl_uint>(n * 2654435761U), expected[n] = texels[n] + 1;
    cl_kernel kernel = kernel_of(build(m.words()), "k");
    cl_mem written = image(kind, CL_UNSIGNED_INT32, Bytes(count * 4, kPoison)), sizes = buffer(16);
    set(kernel, 0, image(kind, CL_UNSIGNED_INT32, bytes_of(texels)));
    set(kernel, 1, written);
    set(kernel, 2, sizes);
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, kind.size.data(), nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(values_of<cl_uint>(texels_of(written, kind.size, count * 4)), expected);
    const auto found = values_of<cl_uint>(content_of(sizes));
    for (unsigned n = 0; n < kind.sizes; ++n) EXPECT_EQ(found[n], kind.size[n]) << n;
  }
}

// Each item asks for the size of its level.
TEST_F(ImageTest, GivenMipLevels_WhenSizesAreAsked_ThenTheyAreOfTheLevel) {
  constexpr unsigned kLevels = 5;
  for (Kind kind : kKinds) {
    if (kind.dim == spv::Dim::Buffer) continue;
    SCOPED_TRACE(kind.type);
    kind.size = {37, kind.size[1] == 1 ? size_t{1} : 19, kind.size[2] == 1 ? size_t{1} : 6};
    KernelModule m;
    declare(m);
    const Id size_type = m.vector(m.i32, kind.sizes);
    const std::vector<Id> k =
        m.begin_kernel("k", {image_type(m, kind, spv::AccessQualifier::ReadOnly), m.global_i32, m.global_i32});
    const Id index = m.global_id(), level = m.get_at(k[2], index);
    const Id size = m.op(Op::OpImageQuerySizeLod, size_type, {k[0], level});
    const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, 4)});
    for (uint32_t n = 0; n < kind.sizes; ++n)
      m.put_at(k[1], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, n)}),
               kind.sizes == 1 ? size : m.op(Op::OpCompositeExtract, m.i32, {size, n}));
    m.end_kernel();

    std::vector<cl_uint> levels(kLevels);
    std::iota(levels.begin(), levels.end(), 0);
    cl_kernel kernel = kernel_of(build(m.words()), "k");
    cl_mem sizes = buffer(kLevels * 4 * sizeof(cl_uint));
    set(kernel, 0, image(kind, CL_UNSIGNED_INT32, {}, kLevels));
    set(kernel, 1, sizes);
    set(kernel, 2, buffer(bytes_of(levels)));
    run(kernel, kLevels);
    const auto found = values_of<cl_uint>(content_of(sizes));
    for (unsigned level_number = 0; level_number < kLevels; ++level_number)
      for (unsigned n = 0; n < 4; ++n) {
        const bool is_layers = kind.is_array && n + 1 == kind.sizes;
        const cl_uint size_of_level = n >= kind.sizes ? kPoisonWord
                                      : is_layers     ? static_cast<cl_uint>(kind.size[n])
                                                  : std::max<cl_uint>(1, static_cast<cl_uint>(kind.size[n]) >> level_number);
        EXPECT_EQ(found[level_number * 4 + n], size_of_level) << "level " << level_number << ", component " << n;
      }
  }
}

// A row of eight texels, read at places from left of it to right of it by three samplers.
TEST_F(ImageTest, GivenSamplers_WhenPlacesLieOutside_ThenTheirModesHold) {
  constexpr int kWidth = 8;
  const Kind kind{CL_MEM_OBJECT_IMAGE2D, spv::Dim::Dim2D, false, {kWidth, 1, 1}, 2, 2};
  KernelModule m;
  declare(m);
  const Id f32 = m.floating(32), texel = m.vector(f32, 4), v2 = m.vector(f32, 2), sampler = m.type(Op::OpTypeSampler);
  const Id image = image_type(m, kind, spv::AccessQualifier::ReadOnly), sampled = m.type(Op::OpTypeSampledImage, {image});
  const auto constant = [&](spv::SamplerAddressingMode mode, bool is_normalised, spv::SamplerFilterMode filter) {
    return m.constant_of(Op::OpConstantSampler, sampler, {word(mode), is_normalised ? 1U : 0U, word(filter)});
  };
  using Mode = spv::SamplerAddressingMode;
  const Id samplers[] = {constant(Mode::ClampToEdge, false, spv::SamplerFilterMode::Nearest),
                         constant(Mode::Clamp, false, spv::SamplerFilterMode::Nearest),
                         constant(Mode::Repeat, true, spv::SamplerFilterMode::Nearest)};
  const Id out_type = m.pointer(spv::StorageClass::CrossWorkgroup, f32);
  const std::vector<Id> k = m.begin_kernel("k", {out_type, image, sampler});
  const Id index = m.global_id();
  const Id x = m.op(Op::OpFAdd, f32, {m.op(Op::OpConvertUToF, f32, {index}), m.constant(-7.5F)});
  const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, 4)});
  uint64_t column = 0;
  const auto put = [&](Id with, Id at) {
    const Id place = m.op(Op::OpCompositeConstruct, v2, {at, m.constant(0.5F)});
    const Id pair = m.op(Op::OpSampledImage, sampled, {k[1], with});
    const Id value = m.op(Op::OpImageSampleExplicitLod, texel, {pair, place, 2, m.constant(0.0F)});
    m.store(m.element(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), f32),
            m.op(Op::OpCompositeExtract, f32, {value, 0}));
  };
  put(samplers[0], x);
  put(samplers[1], x);
  put(samplers[2], m.op(Op::OpFDiv, f32, {x, m.constant(static_cast<float>(kWidth))}));
  put(k[2], m.op(Op::OpFAdd, f32, {x, m.constant(0.5F)}));  // between two texels, by a linear sampler
  m.end_kernel();
  std::vector<cl_float> texels;
  for (int n = 0; n < kWidth; ++n)
    for (int c = 0; c < 4; ++c) texels.push_back(static_cast<float>(n + 1) * (c == 0 ? 10.0F : 1.0F));
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              CL_FALSE,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              CL_ADDRESS_CLAMP_TO_EDGE,
                                              CL_SAMPLER_FILTER_MODE,
                                              CL_FILTER_LINEAR,
                                              0};
  cl_sampler linear = clCreateSamplerWithProperties(context_, properties, nullptr);
  constexpr int kItems = 23;
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(kItems * 16);
  set(kernel, 0, output);
  set(kernel, 1, this->image(kind, CL_FLOAT, bytes_of(texels)));
  set(kernel, 2, linear);
  run(kernel, kItems);
  const auto found = values_of<cl_float>(content_of(output));
  const auto at = [&](int n) { return 10.0F * static_cast<float>(std::clamp(n, 0, kWidth - 1) + 1); };
  for (int n = 0; n < kItems; ++n) {
    const int texel_index = n - 8;  // x = n - 7.5 is the centre of this texel
    const bool is_inside = texel_index >= 0 && texel_index < kWidth;
    EXPECT_EQ(found[4 * n], at(texel_index)) << n;
    EXPECT_EQ(found[4 * n + 1], is_inside ? at(texel_index) : 0.0F) << n;
    EXPECT_EQ(found[4 * n + 2], at((texel_index + 2 * kWidth) % kWidth)) << n;
    EXPECT_NEAR(found[4 * n + 3], (at(texel_index) + at(texel_index + 1)) / 2, 0.1F) << n;
  }
  clReleaseSampler(linear);
}

TEST_F(SpirvTest, GivenAPipe_WhenOneKernelWritesAndOneReads_ThenNoPacketIsLost) {
  if (figure_of<cl_bool>(device_, CL_DEVICE_PIPE_SUPPORT) == CL_FALSE) GTEST_SKIP() << "no pipes";
  constexpr size_t kItems = 50;
  KernelModule m;
  m.capability(spv::Capability::Pipes);
  const auto pipe = [&](spv::AccessQualifier access) { return m.type(Op::OpTypePipe, {word(access)}); };
  std::vector<Id> k = m.begin_kernel("write", {pipe(spv::AccessQualifier::WriteOnly)});
  Id packet = m.variable(m.i32);
  m.store(packet, m.binary(Op::OpIAdd, m.op(Op::OpUConvert, m.i32, {m.global_id()}), m.number(1000)));
  m.op(Op::OpWritePipe, m.i32, {k[0], packet, m.number(4), m.number(4)});
  m.end_kernel();
  k = m.begin_kernel("read", {m.global_i32, pipe(spv::AccessQualifier::ReadOnly)});
  packet = m.variable(m.i32);
  const Id index = m.global_id();
  const Id status = m.op(Op::OpReadPipe, m.i32, {k[1], packet, m.number(4), m.number(4)});
  m.put_at(k[0], index, m.binary(Op::OpIAdd, m.load(m.i32, packet), status));
  m.end_kernel();
  cl_program program = build(m.words());
  cl_int error = -1;
  cl_mem object = clCreatePipe(context_, CL_MEM_READ_WRITE, 4, kItems, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  cl_kernel writer = kernel_of(program, "write"), reader = kernel_of(program, "read");
  cl_mem output = buffer(kItems * 4);
  set(writer, 0, object);
  set(reader, 0, output);
  set(reader, 1, object);
  run(writer, kItems);
  run(reader, kItems);
  auto found = values_of<cl_int>(content_of(output));
  std::ranges::sort(found);
  std::vector<cl_int> expected(kItems);
  std::iota(expected.begin(), expected.end(), 1000);
  EXPECT_EQ(found, expected);
  clReleaseMemObject(object);
}

}  // namespace
}  // namespace upsweep::tests
