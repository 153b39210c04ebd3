// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Components of built-in variables behind the third, with which translators write OpenCL C's functions of further dimensions.
#include "fixture.h"

namespace upsweep::tests {
namespace {

struct Variable {
  spv::BuiltIn variable;
  cl_long of_first;        ///< in the launch of the test, for the last work-item
  cl_long of_dimension_3;  ///< by OpenCL C's specification
};
constexpr Variable kVariables[] = {
    {spv::BuiltIn::GlobalSize, 12, 1},           {spv::BuiltIn::WorkgroupSize, 4, 1},       {spv::BuiltIn::NumWorkgroups, 3, 1},
    {spv::BuiltIn::EnqueuedWorkgroupSize, 4, 1}, {spv::BuiltIn::GlobalInvocationId, 11, 0}, {spv::BuiltIn::WorkgroupId, 2, 0},
    {spv::BuiltIn::LocalInvocationId, 3, 0},     {spv::BuiltIn::GlobalOffset, 0, 0},
};
constexpr uint32_t kDimensions[] = {0, 1, 2, 3, 4, 100, 0xffffffff};

/// k(out, in) stores the components of the variable for all dimensions; dynamic indices come from `in`.
Words module_of(spv::BuiltIn variable, bool is_dynamic) {
  KernelModule m;
  const Id type = m.vector(m.i64, 3);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id values = m.load(type, m.built_in(variable, type));
  for (uint32_t each = 0; each < std::size(kDimensions); ++each) {
    const Id index = m.number(each);
    const Id value = is_dynamic ? m.op(Op::OpVectorExtractDynamic, m.i64, {values, m.get_at(k[1], index)})
                                : m.op(Op::OpCompositeExtract, m.i64, {values, kDimensions[each]});
    m.put_at(k[0], index, m.op(Op::OpUConvert, m.i32, {value}));
  }
  m.end_kernel();
  return m.words();
}

class SpirvBuiltInTest : public SpirvTest {};

TEST_F(SpirvBuiltInTest, GivenFurtherDimensions_WhenExtracted_ThenOpenClsValuesAreStored) {
  const Bytes dimensions = bytes_of(std::vector<uint32_t>(std::begin(kDimensions), std::end(kDimensions)));
  for (const Variable &each : kVariables)
    for (const bool is_dynamic : {false, true}) {
      cl_kernel kernel = kernel_of(build(module_of(each.variable, is_dynamic)), "k");
      cl_mem out = buffer(sizeof kDimensions);
      set(kernel, 0, out);
      set(kernel, 1, buffer(dimensions));
      run(kernel, 12, 4);
      const bool is_id = each.of_dimension_3 == 0;
      const std::vector<cl_int> got = values_of<cl_int>(content_of(out));
      // All work-items store to the same elements, so an id is that of any work-item.
      EXPECT_TRUE(is_id ? got[0] >= 0 && got[0] <= each.of_first : got[0] == each.of_first)
          << word(each.variable) << ": " << got[0];
      for (size_t k = 1; k < got.size(); ++k)
        EXPECT_EQ(got[k], each.of_dimension_3) << word(each.variable) << ", dimension " << kDimensions[k] << ", " << is_dynamic;
    }
}

TEST_F(SpirvBuiltInTest, GivenAnotherVector_WhenExtractedBehindItsEnd_ThenTheBuildFails) {
  KernelModule m;
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32});
  const Id type = m.vector(m.i32, 3), variable = m.variable(type);
  m.put_at(k[0], m.number(0), m.op(Op::OpCompositeExtract, m.i32, {m.load(type, variable), 3}));
  m.end_kernel();
  EXPECT_NE(failure_of(m.words()).find("beyond its type's members"), std::string::npos);
}

}  // namespace
}  // namespace upsweep::tests
