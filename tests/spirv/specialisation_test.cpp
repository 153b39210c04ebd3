// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialisation constants, queries of programs from SPIR-V, and linking.
#include "fixture.h"

#include <algorithm>

namespace upsweep::tests {
namespace {

constexpr size_t kOutputs = 10;

/// k(out) stores a specialisation constant of each type, and an OpSpecConstantOp. The ids are 100 to 107.
Words module_of_constants() {
  KernelModule m;
  const Id i8 = m.integer(8), i16 = m.integer(16), f32 = m.floating(32), f64 = m.floating(64);
  std::vector<Id> ids;
  const auto constant = [&](Op op, Id type, const Words &operands) {
    ids.push_back(m.constant_of(op, type, operands));
    m.decorate(ids.back(), spv::Decoration::SpecId, {static_cast<uint32_t>(99 + ids.size())});
  };
  constant(Op::OpSpecConstantTrue, m.boolean, {});
  constant(Op::OpSpecConstantFalse, m.boolean, {});
  constant(Op::OpSpecConstant, i8, {200});
  constant(Op::OpSpecConstant, i16, {60000});
  constant(Op::OpSpecConstant, m.i32, {3000000000});
  constant(Op::OpSpecConstant, m.i64, {5, 7});
  constant(Op::OpSpecConstant, f32, {std::bit_cast<uint32_t>(1.5F)});
  constant(Op::OpSpecConstant, f64, {0, static_cast<uint32_t>(std::bit_cast<uint64_t>(2.5) >> 32)});
  const Id sum = m.constant_of(Op::OpSpecConstantOp, m.i32, {word(Op::OpIAdd), ids[4], m.number(1)});
  const Id product = m.constant_of(Op::OpSpecConstantOp, m.i32, {word(Op::OpIMul), sum, m.number(2)});
  const Id is_large = m.constant_of(Op::OpSpecConstantOp, m.boolean, {word(Op::OpUGreaterThan), product, m.number(1000)});
  const Id chosen = m.constant_of(Op::OpSpecConstantOp, m.i32, {word(Op::OpSelect), is_large, m.number(11), m.number(22)});
  const Id out = m.begin_kernel("k", {m.pointer(spv::StorageClass::CrossWorkgroup, m.i64)})[0];
  const auto put = [&](uint32_t index, Id value) { m.store(m.element(out, m.constant(64, index), m.i64), value); };
  for (uint32_t k = 0; k < 2; ++k) put(k, m.op(Op::OpSelect, m.i64, {ids[k], m.constant(64, 1), m.constant(64, 0)}));
  for (uint32_t k = 2; k < 5; ++k) put(k, m.op(Op::OpUConvert, m.i64, {ids[k]}));
  put(5, ids[5]);
  put(6, m.op(Op::OpUConvert, m.i64, {m.op(Op::OpBitcast, m.i32, {ids[6]})}));
  put(7, m.op(Op::OpBitcast, m.i64, {ids[7]}));
  put(8, m.op(Op::OpUConvert, m.i64, {product}));
  put(9, m.op(Op::OpUConvert, m.i64, {chosen}));
  m.end_kernel();
  return m.words();
}

std::vector<cl_ulong> defaults() {
  return {1,
          0,
          200,
          60000,
          3000000000,
          7ULL << 32 | 5,
          std::bit_cast<uint32_t>(1.5F),
          std::bit_cast<uint64_t>(2.5),
          (3000000001ULL * 2) & 0xffffffff,
          11};
}

class SpecialisationTest : public SpirvTest {
protected:
  template <typename T>
  static void specialise(cl_program program, cl_uint id, T value) {
    EXPECT_EQ(clSetProgramSpecializationConstant(program, id, sizeof value, &value), CL_SUCCESS) << id;
  }
  void build_program(cl_program program) {
    EXPECT_EQ(clBuildProgram(program, 1, &device_, "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
  }
  std::vector<cl_ulong> outputs_of(cl_program program) {
    return values_of<cl_ulong>(output_of(program, "k", kOutputs * sizeof(cl_ulong)));
  }
};

TEST_F(SpecialisationTest, GivenNoValues_WhenBuilt_ThenTheDefaultsHold) {
  EXPECT_EQ(outputs_of(build(module_of_constants())), defaults());
}

TEST_F(SpecialisationTest, GivenValuesOfEachType_WhenBuilt_ThenTheyReplaceTheDefaults) {
  cl_program program = create(module_of_constants());
  specialise<cl_uchar>(program, 100, 0);
  specialise<cl_uchar>(program, 101, 1);
  specialise<cl_uchar>(program, 102, 77);
  specialise<cl_ushort>(program, 103, 12345);
  specialise<cl_uint>(program, 104, 41);
  specialise<cl_ulong>(program, 105, 0x123456789abcdef0);
  specialise<cl_float>(program, 106, -8.25F);
  specialise<cl_double>(program, 107, 1e100);
  build_program(program);
  EXPECT_EQ(outputs_of(program),
            (std::vector<cl_ulong>{0, 1, 77, 12345, 41, 0x123456789abcdef0, std::bit_cast<uint32_t>(-8.25F),
                                   std::bit_cast<uint64_t>(1e100), 84, 22}));
}

TEST_F(SpecialisationTest, GivenABuiltProgram_WhenSpecialisedAgain_ThenTheNextBuildHasTheLastValues) {
  cl_program program = create(module_of_constants());
  build_program(program);
  cl_mem output = buffer(kOutputs * sizeof(cl_ulong));
  std::vector<cl_ulong> expected = defaults();
  for (const cl_uint value : {1U, 700U, 9U}) {
    specialise<cl_uint>(program, 104, value + 1);
    specialise<cl_uint>(program, 104, value);
    build_program(program);
    cl_kernel kernel = clCreateKernel(program, "k", nullptr);  // released here: a program with kernels is not built again
    set(kernel, 0, output);
    run(kernel, 1);
    expected[4] = value, expected[8] = 2 * (value + 1), expected[9] = 2 * (value + 1) > 1000 ? 11 : 22;
    EXPECT_EQ(values_of<cl_ulong>(content_of(output)), expected) << value;
    clReleaseKernel(kernel);
  }
}

TEST_F(SpecialisationTest, GivenTwoProgramsOfOneModule_WhenOneIsSpecialised_ThenTheOtherKeepsItsDefaults) {
  cl_program one = create(module_of_constants()), other = create(module_of_constants());
  specialise<cl_uint>(one, 104, 6);
  build_program(one);
  build_program(other);
  EXPECT_EQ(outputs_of(one)[8], 14U);
  EXPECT_EQ(outputs_of(other), defaults());
}

TEST_F(SpecialisationTest, GivenWrongSizesAndIds_WhenSpecialised_ThenTheRightError) {
  cl_program program = create(module_of_constants());
  const cl_ulong value = 0;
  const size_t sizes[] = {1, 1, 1, 2, 4, 8, 4, 8};
  for (cl_uint k = 0; k < 8; ++k)
    for (const size_t size : {0U, 1U, 2U, 3U, 4U, 8U})
      EXPECT_EQ(clSetProgramSpecializationConstant(program, 100 + k, size, &value),
                size == sizes[k] ? CL_SUCCESS : CL_INVALID_VALUE)
          << 100 + k << ", " << size << " bytes";
  for (const cl_uint id : {0U, 99U, 108U, ~0U})
    EXPECT_EQ(clSetProgramSpecializationConstant(program, id, 4, &value), CL_INVALID_SPEC_ID) << id;
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 104, 4, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(nullptr, 104, 4, &value), CL_INVALID_PROGRAM);
  EXPECT_EQ(clSetProgramSpecializationConstant(create_from_text("kernel void k() {}"), 104, 4, &value), CL_INVALID_PROGRAM);
}

TEST_F(SpecialisationTest, GivenASizeFromASpecialisation_WhenBuilt_ThenArraysAndWorkGroupsHaveIt) {
  KernelModule m;
  const Id size = m.constant_of(Op::OpSpecConstant, m.i32, {4});
  m.decorate(size, spv::Decoration::SpecId, {3});
  const Id array = m.type(Op::OpTypeArray, {m.i32, size});
  const Id arrays = m.type(Op::OpTypeArray, {array, m.number(2)});
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  const Id rows = m.variable(arrays);
  const auto row = [&](int64_t index) {
    return m.op(Op::OpInBoundsAccessChain, m.pointer(spv::StorageClass::Function, m.i32), {rows, m.number(index), m.number(0)});
  };
  const Id first = m.op(Op::OpConvertPtrToU, m.i64, {row(0)}), second = m.op(Op::OpConvertPtrToU, m.i64, {row(1)});
  m.put_at(out, m.number(0), m.op(Op::OpUConvert, m.i32, {m.op(Op::OpISub, m.i64, {second, first})}));
  m.end_kernel();
  cl_program program = create(m.words());
  specialise<cl_uint>(program, 3, 25);
  build_program(program);
  EXPECT_EQ(values_of<cl_int>(output_of(program, "k", 4))[0], 100);
}

TEST_F(SpecialisationTest, GivenADecorationGroup_WhenSpecialised_ThenItsConstantsAreFound) {
  KernelModule m;
  const Id value = m.constant_of(Op::OpSpecConstant, m.i32, {4}), group = m.id();
  m.decorate(group, spv::Decoration::SpecId, {9});
  m.raw_decoration(Op::OpDecorationGroup, {group});
  m.raw_decoration(Op::OpGroupDecorate, {group, value});
  m.put_at(m.begin_kernel("k", {m.global_i32})[0], m.number(0), value);
  m.end_kernel();
  cl_program program = create(m.words());
  specialise<cl_uint>(program, 9, 31);
  build_program(program);
  EXPECT_EQ(values_of<cl_int>(output_of(program, "k", 4))[0], 31);
}

}  // namespace
}  // namespace upsweep::tests
