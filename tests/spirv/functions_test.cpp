// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function calls, structures by value, pointers of each storage class, and variables of each scope.
#include "fixture.h"

#include <algorithm>

namespace upsweep::tests {
namespace {

using Storage = spv::StorageClass;

std::vector<cl_int> upto(cl_int count) {
  std::vector<cl_int> values;
  for (cl_int k = 0; k < count; ++k) values.push_back(k);
  return values;
}

class FunctionTest : public SpirvTest {};

// struct pair {char tag; int value; float4 place;}; pair twice(pair p, int k) {p.value *= k; p.tag += 1; p.place[2] = k; return
// p;}
TEST_F(FunctionTest, GivenStructuresByValue_WhenAFunctionReturnsAChangedOne_ThenTheCallersStays) {
  KernelModule m;
  const Id i8 = m.integer(8), f32 = m.floating(32), f32x4 = m.vector(f32, 4), pair = m.structure({i8, m.i32, f32x4});
  std::vector<Id> p;
  const Id twice = m.begin_function(pair, {pair, m.i32}, p, word(spv::FunctionControlMask::DontInline));
  m.block();
  const Id value = m.binary(Op::OpIMul, m.op(Op::OpCompositeExtract, m.i32, {p[0], 1}), p[1]);
  const Id tag = m.op(Op::OpIAdd, i8, {m.op(Op::OpCompositeExtract, i8, {p[0], 0}), m.constant(8, 1)});
  Id changed = m.op(Op::OpCompositeInsert, pair, {value, p[0], 1});
  changed = m.op(Op::OpCompositeInsert, pair, {tag, changed, 0});
  changed = m.op(Op::OpCompositeInsert, pair, {m.op(Op::OpConvertSToF, f32, {p[1]}), changed, 2, 2});
  m.statement(Op::OpReturnValue, {changed});
  m.end_function();
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id index = m.global_id(), in = m.get_at(k[1], index);
  const Id place = m.constant_of(Op::OpConstantNull, f32x4);
  const Id given = m.op(Op::OpCompositeConstruct, pair, {m.constant(8, 126), in, place});
  const Id result = m.op(Op::OpFunctionCall, pair, {twice, given, m.number(9)});
  const Id again = m.op(Op::OpFunctionCall, pair, {twice, result, m.number(10)});
  const auto sum_of = [&](Id of) {
    const Id tag = m.op(Op::OpSConvert, m.i32, {m.op(Op::OpCompositeExtract, i8, {of, 0})});
    const Id third = m.op(Op::OpConvertFToS, m.i32, {m.op(Op::OpCompositeExtract, f32, {of, 2, 2})});
    const Id value = m.op(Op::OpCompositeExtract, m.i32, {of, 1});
    return m.binary(Op::OpIAdd, m.binary(Op::OpIAdd, m.binary(Op::OpIMul, value, m.number(1000)), tag), third);
  };
  m.put_at(k[0], index, m.binary(Op::OpIAdd, sum_of(given), m.binary(Op::OpIMul, sum_of(again), m.number(3))));
  m.end_kernel();
  std::vector<cl_int> expected;
  for (cl_int n = 0; n < 67; ++n) expected.push_back(n * 1000 + 126 + 3 * (n * 90 * 1000 - 128 + 10));
  EXPECT_EQ(map(m.words(), upto(67)), expected);
}

/// int next(T *p) {return *p += 7;}, for a storage class.
Id adder(KernelModule &m, Storage storage) {
  std::vector<Id> p;
  const Id function = m.begin_function(m.i32, {m.pointer(storage, m.i32)}, p, word(spv::FunctionControlMask::DontInline));
  m.block();
  const Id sum = m.binary(Op::OpIAdd, m.load(m.i32, p[0]), m.number(7));
  m.store(p[0], sum);
  m.statement(Op::OpReturnValue, {sum});
  m.end_function();
  return function;
}

TEST_F(FunctionTest, GivenPointersOfEachClass_WhenPassedOn_ThenTheFunctionReachesTheirMemory) {
  constexpr uint32_t kLocal = 8;
  KernelModule m;
  const Id shared = m.global(Storage::Workgroup, m.array(m.i32, kLocal)), local_pointer = m.pointer(Storage::Workgroup, m.i32);
  const Id generic = m.pointer(Storage::Generic, m.i32);
  const Id add_private = adder(m, Storage::Function), add_global = adder(m, Storage::CrossWorkgroup),
           add_local = adder(m, Storage::Workgroup), add_generic = adder(m, Storage::Generic);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, local_pointer});
  const Id own = m.variable(m.i32, {m.number(100)});
  const Id index = m.global_id();
  const Id at = m.op(Op::OpUMod, m.i64, {index, m.constant(64, kLocal)});
  const Id in_array = m.op(Op::OpInBoundsAccessChain, local_pointer, {shared, at});
  const Id in_argument = m.element(k[1], at, m.i32, Storage::Workgroup);
  const Id out = m.element(k[0], index, m.i32);
  m.store(in_array, m.number(1000)), m.store(in_argument, m.number(2000)), m.store(out, m.number(3000));
  Id sum = m.number(0);
  const auto call = [&](Id function, Id pointer) {
    sum = m.binary(Op::OpIAdd, sum, m.op(Op::OpFunctionCall, m.i32, {function, pointer}));
  };
  call(add_private, own), call(add_global, out), call(add_local, in_array), call(add_local, in_argument);
  for (const Id pointer : {own, out, in_array, in_argument})
    call(add_generic, m.op(Op::OpPtrCastToGeneric, generic, {pointer}));
  for (const Id pointer : {own, out, in_array, in_argument}) sum = m.binary(Op::OpIAdd, sum, m.load(m.i32, pointer));
  m.store(out, sum);
  m.end_kernel();
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(64 * sizeof(cl_int));
  set(kernel, 0, output);
  ASSERT_EQ(clSetKernelArg(kernel, 1, kLocal * sizeof(cl_int), nullptr), CL_SUCCESS);
  run(kernel, 64, kLocal);
  // Each of four objects: its start + 7, + 14, and + 14 again.
  EXPECT_EQ(values_of<cl_int>(content_of(output)), std::vector<cl_int>(64, 3 * (100 + 1000 + 2000 + 3000) + 4 * (7 + 14 + 14)));
}

TEST_F(FunctionTest, GivenGenericPointers_WhenAskedForTheirClass_ThenOneOfThemFits) {
  KernelModule m;
  const Id shared = m.global(Storage::Workgroup, m.i32), generic = m.pointer(Storage::Generic, m.i32);
  const Storage classes[] = {Storage::Function, Storage::CrossWorkgroup, Storage::Workgroup};
  Words nulls;
  for (const Storage each : classes) nulls.push_back(m.constant_of(Op::OpConstantNull, m.pointer(each, m.i32)));
  const Id null = m.constant_of(Op::OpConstantNull, generic);
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  const Id own = m.variable(m.i32);
  const Id is_first = m.compare(Op::OpIEqual, m.global_id(), m.constant(64, 0));
  uint32_t row = 0;
  // The reader knows the class of a pointer that the module casts, but no selected pointer's.
  for (const auto &[pointer, is_selected] :
       {std::pair{own, false}, {out, false}, {shared, false}, {own, true}, {out, true}, {shared, true}}) {
    Id cast = m.op(Op::OpPtrCastToGeneric, generic, {pointer});
    if (is_selected) cast = m.op(Op::OpSelect, generic, {is_first, cast, null});
    for (uint32_t k = 0; k < 3; ++k) {
      const Id back = m.op(Op::OpGenericCastToPtrExplicit, m.pointer(classes[k], m.i32), {cast, word(classes[k])});
      const Id fits = m.compare(Op::OpPtrNotEqual, back, nulls[k]);
      m.put_at(out, m.number(row++), m.op(Op::OpSelect, m.i32, {fits, m.number(1), m.number(0)}));
    }
    const Id semantics = m.op(Op::OpGenericPtrMemSemantics, m.i32, {cast});
    const Id memory = m.binary(Op::OpBitwiseAnd, semantics, m.number(0x300));
    m.put_at(out, m.number(row++), pointer == own ? m.number(0) : memory);  // private memory has no bit of its own
  }
  m.end_kernel();
  // The fourth: Workgroup memory 0x100, CrossWorkgroup memory 0x200.
  EXPECT_EQ(values_of<cl_int>(output_of(build(m.words()), "k", 24 * 4)),
            (std::vector<cl_int>{1, 0, 0, 0, 0, 1, 0, 0x200, 0, 0, 1, 0x100, 1, 0, 0, 0, 0, 1, 0, 0x200, 0, 0, 1, 0x100}));
}

TEST_F(FunctionTest, GivenVariablesOfProgramScope_WhenLaunchedTwice_ThenTheirValuesStay) {
  KernelModule m;
  const Id table_type = m.array(m.i32, 5);
  Words parts;
  for (int k = 0; k < 5; ++k) parts.push_back(m.number(k * k));
  const Id table = m.global(Storage::UniformConstant, table_type, {m.constant_of(Op::OpConstantComposite, table_type, parts)});
  const Id counter = m.global(Storage::CrossWorkgroup, m.i32, {m.number(40)}), zero = m.global(Storage::CrossWorkgroup, m.i32);
  const Id pointer = m.global(Storage::CrossWorkgroup, m.global_i32, {counter});
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  const Id to = m.load(m.global_i32, pointer);
  m.store(to, m.binary(Op::OpIAdd, m.load(m.i32, to), m.number(1)));
  m.put_at(out, m.number(0), m.load(m.i32, counter));
  m.put_at(out, m.number(1), m.load(m.i32, zero));
  m.store(zero, m.number(9));
  for (int k = 0; k < 5; ++k) {
    const Id at = m.op(Op::OpAccessChain, m.pointer(Storage::UniformConstant, m.i32), {table, m.number(k)});
    m.put_at(out, m.number(2 + k), m.load(m.i32, at));
  }
  m.end_kernel();
  cl_program program = build(m.words());
  EXPECT_EQ(values_of<cl_int>(output_of(program, "k", 28)), (std::vector<cl_int>{41, 0, 0, 1, 4, 9, 16}));
  EXPECT_EQ(values_of<cl_int>(output_of(program, "k", 28)), (std::vector<cl_int>{42, 9, 0, 1, 4, 9, 16}));
}

TEST_F(FunctionTest, GivenAnAddressInsideAConstant_WhenItIsAFirstValue_ThenThePointerLeadsThere) {
  KernelModule m;
  const Id table_type = m.array(m.i32, 3), pointer_type = m.pointer(Storage::UniformConstant, m.i32);
  const Id table = m.global(Storage::UniformConstant, table_type,
                            {m.constant_of(Op::OpConstantComposite, table_type, {m.number(5), m.number(6), m.number(7)})});
  const Id inside =
      m.constant_of(Op::OpSpecConstantOp, pointer_type, {word(Op::OpInBoundsPtrAccessChain), table, m.number(0), m.number(2)});
  const Id variable = m.global(Storage::UniformConstant, pointer_type, {inside});
  const Id out = m.begin_kernel("k", {m.global_i32})[0];
  m.put_at(out, m.number(0), m.load(m.i32, m.load(pointer_type, variable)));
  m.end_kernel();
  EXPECT_EQ(values_of<cl_int>(output_of(build(m.words()), "k", 4))[0], 7);
}

// struct s {char a; long b; short3 c;} by value, in the kernel's arguments and copied to a buffer.
TEST_F(FunctionTest, GivenAStructureAsAKernelsArgument_WhenItIsByVal_ThenItsBytesArrive) {
  struct Given {
    cl_char a;
    cl_long b;
    cl_short3 c;
  };
  KernelModule m;
  const Id i16 = m.integer(16), i16x3 = m.vector(i16, 3), given = m.structure({m.integer(8), m.i64, i16x3});
  const Id by_value = m.pointer(Storage::Function, given);
  const std::vector<Id> k = m.begin_kernel("k", {m.pointer(Storage::CrossWorkgroup, given), by_value});
  m.decorate(k[1], spv::Decoration::FuncParamAttr, {word(spv::FunctionParameterAttribute::ByVal)});
  m.statement(Op::OpCopyMemory, {m.element(k[0], m.number(0), given), k[1]});
  const Id member = m.op(Op::OpInBoundsAccessChain, m.pointer(Storage::Function, m.i64), {k[1], m.number(1)});
  const Id target =
      m.op(Op::OpInBoundsPtrAccessChain, m.pointer(Storage::CrossWorkgroup, m.i64), {k[0], m.number(1), m.number(1)});
  m.store(target, m.op(Op::OpIAdd, m.i64, {m.load(m.i64, member), m.constant(64, 1)}));
  m.end_kernel();
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  Given argument{};
  argument.a = -3, argument.b = 0x123456789abcdef, argument.c = {{1, -2, 3}};
  cl_mem output = buffer(2 * sizeof(Given));
  set(kernel, 0, output);
  set(kernel, 1, argument);
  run(kernel, 1);
  const auto results = values_of<Given>(content_of(output));
  EXPECT_EQ(results[0].a, -3);
  EXPECT_EQ(results[0].b, argument.b);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(results[0].c.s[c], argument.c.s[c]) << c;
  EXPECT_EQ(results[1].b, argument.b + 1);
}

TEST_F(FunctionTest, GivenAnUndefinedFunction_WhenBuilt_ThenTheLogNamesTheLineOfItsFirstCall) {
  KernelModule m;
  m.capability(spv::Capability::Linkage);
  const Id file = m.note("kernel.cl");
  std::vector<Id> arguments;
  const Id missing = m.begin_function(m.void_type(), {}, arguments);
  m.end_function();
  m.export_as(missing, "absent", spv::LinkageType::Import);
  m.begin_kernel("k", {});
  for (const uint32_t line : {12U, 13U}) {
    m.statement(Op::OpLine, {file, line, 5});
    m.op(Op::OpFunctionCall, m.void_type(), {missing});
  }
  m.end_kernel();
  EXPECT_NE(failure_of(m.words()).find("kernel.cl:12:5: error: undefined function 'absent'"), std::string::npos)
      << failure_of(m.words());
}

TEST_F(FunctionTest, GivenCopiesAndPointers_WhenCompared_ThenAsTheirAddresses) {
  KernelModule m;
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id own = m.variable(m.array(m.i32, 4), {m.constant_of(Op::OpConstantNull, m.array(m.i32, 4))});
  const Id index = m.global_id();
  const Id first = m.op(Op::OpInBoundsAccessChain, m.pointer(Storage::Function, m.i32), {own, m.number(0)});
  const Id from = m.element(k[1], index, m.i32), to = m.element(k[0], index, m.i32);
  m.statement(Op::OpCopyMemorySized, {first, from, m.constant(64, 4), word(spv::MemoryAccessMask::Aligned), 4});
  m.statement(Op::OpCopyMemory, {to, first});
  const Id distance = m.op(Op::OpPtrDiff, m.i64, {to, k[0]});
  const Id is_same = m.compare(Op::OpPtrEqual, to, k[0]);
  const Id value = m.op(Op::OpSelect, m.i32, {is_same, m.number(5000), m.op(Op::OpUConvert, m.i32, {distance})});
  m.store(to, m.binary(Op::OpIAdd, m.load(m.i32, to), value));
  m.end_kernel();
  std::vector<cl_int> expected;
  for (cl_int n = 0; n < 67; ++n) expected.push_back(n == 0 ? 5000 : 2 * n);
  EXPECT_EQ(map(m.words(), upto(67)), expected);
}

TEST_F(FunctionTest, GivenABarrier_WhenItemsExchangeThroughLocalMemory_ThenEachSeesTheOthers) {
  constexpr uint32_t kLocal = 32;
  KernelModule m;
  const Id shared = m.global(Storage::Workgroup, m.array(m.i32, kLocal)), pointer = m.pointer(Storage::Workgroup, m.i32);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32});
  const Id index = m.global_id(), at = m.op(Op::OpUMod, m.i64, {index, m.constant(64, kLocal)});
  m.store(m.op(Op::OpInBoundsAccessChain, pointer, {shared, at}), m.op(Op::OpUConvert, m.i32, {index}));
  m.statement(Op::OpControlBarrier, {m.number(2), m.number(2), m.number(0x110)});
  const Id opposite = m.op(Op::OpISub, m.i64, {m.constant(64, kLocal - 1), at});
  m.put_at(k[0], index, m.load(m.i32, m.op(Op::OpInBoundsAccessChain, pointer, {shared, opposite})));
  m.end_kernel();
  std::vector<cl_int> expected;
  for (cl_int n = 0; n < 256; ++n) expected.push_back(n / 32 * 32 + 31 - n % 32);
  EXPECT_EQ(values_of<cl_int>(output_of(build(m.words()), "k", 1024, 256, kLocal)), expected);
}

}  // namespace
}  // namespace upsweep::tests
