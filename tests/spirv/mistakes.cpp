// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row for each check of the reader.
#include "mistakes.h"

namespace upsweep::tests {
namespace {

using Storage = spv::StorageClass;

#define MISTAKE [](KernelModule & m, [[maybe_unused]] const std::vector<Id> &k)

constexpr Id kUnknownId = 3000;  // module_of() raises the bound above it

const Mistake kMistakes[] = {
    // Ids and types.
    {"OpIAdd", "is no value that exists here", MISTAKE{m.op(Op::OpIAdd, m.i32, {m.number(1), kUnknownId});
}  // namespace
}  // namespace upsweep::tests
, {"OpIAdd", "an id that should be a type's is none", MISTAKE{m.op(Op::OpIAdd, m.number(1), {m.number(1), m.number(1)});
}
}
, {"OpIAdd", "an id is 0, or not below the bound", MISTAKE{m.op(Op::OpIAdd, m.i32, {m.number(1), 0});
}
}
, {"OpIAdd", "an id is 0, or not below the bound", MISTAKE{m.op(Op::OpIAdd, m.i32, {m.number(1), 100000});
}
}
, {"OpIAdd", "an id is defined twice", MISTAKE{m.statement(Op::OpIAdd, {m.i32, k[0], m.number(1), m.number(1)});
}
}
, {"OpIAdd", "operands have different types", MISTAKE{m.op(Op::OpIAdd, m.i32, {m.number(1), m.constant(64, 1)});
}
}
, {"OpIAdd", "does not fit the operands", MISTAKE{m.op(Op::OpIAdd, m.i64, {m.number(1), m.number(1)});
}
}
, {"OpIAdd", "an operand is no integer", MISTAKE{m.op(Op::OpIAdd, m.i32, {m.number(1), m.constant(1.0F)});
}
}
, {"OpFAdd", "an operand is no floating-point number", MISTAKE{m.op(Op::OpFAdd, m.i32, {m.number(1), m.number(1)});
}
}
, {"OpIAdd", "it ends before its last operand", MISTAKE{m.op(Op::OpIAdd, m.i32, {m.number(1)});
}
}
, {"OpIAdd", "it has more operands than it takes", MISTAKE{m.op(Op::OpIAdd, m.i32, {k[0], k[0], k[0]});
}
}
, {"OpTypeInt", "8, 16, 32 or 64 bits", MISTAKE{m.integer(24);
}
}
, {"OpTypeFloat", "16, 32 or 64 bits", MISTAKE{m.floating(8);
}
}
, {"OpTypeVector", "2, 3, 4, 8 or 16 components", MISTAKE{m.vector(m.i32, 5);
}
}
, {"OpTypeVector", "components are no numbers", MISTAKE{m.vector(m.void_type(), 4);
}
}
, {"OpTypeArray", "has no element", MISTAKE{m.array(m.i32, 0);
}
}
, {"OpTypeArray", "over 2^47 bytes", MISTAKE{m.type(Op::OpTypeArray, {m.i32, m.constant(64, ~uint64_t(0))});
}
}
, {"OpTypeArray", "elements have no size", MISTAKE{m.array(m.void_type(), 3);
}
}
, {"OpTypeArray", "not an integer constant", MISTAKE{m.type(Op::OpTypeArray, {m.i32, m.constant(1.0F)});
}
}
, {"OpTypeStruct", "member has no size", MISTAKE{m.structure({m.void_type()});
}
}
, {"OpTypePointer", "no such storage class", MISTAKE{m.pointer(Storage::Uniform, m.i32);
}
}
, {"OpTypeFunction", "parameter has no size", MISTAKE{m.function_type(m.i32, {m.void_type()});
}
}
, {"OpTypeImage", "texels of type void", MISTAKE{m.type(Op::OpTypeImage, {m.i32, 1, 0, 0, 0, 0, 0, 0});
}
}
, {"OpTypeImage", "images of one, two and three dimensions",
   MISTAKE{m.type(Op::OpTypeImage, {m.void_type(), word(spv::Dim::Cube), 0, 0, 0, 0, 0, 0});
}
}
, {"OpTypePipe", "a pipe is read or written", MISTAKE{m.type(Op::OpTypePipe, {2});
}
}
, {"OpTypeSampledImage", "has no image", MISTAKE{m.type(Op::OpTypeSampledImage, {m.i32});
}
}
, {"OpTypeMatrix", "not supported", MISTAKE{m.type(Op::OpTypeMatrix, {m.vector(m.floating(32), 4), 4});
}
}
,
    // Constants and variables.
    {"OpConstant", "more or fewer words than its type", MISTAKE{m.constant_of(Op::OpConstant, m.i32, {1, 2});
}
}
, {"OpConstant", "more or fewer words than its type", MISTAKE{m.constant_of(Op::OpConstant, m.i64, {1});
}
}
, {"OpConstant", "the type is no number", MISTAKE{m.constant_of(Op::OpConstant, m.boolean, {1});
}
}
, {"OpConstantTrue", "the type is not Bool", MISTAKE{m.constant_of(Op::OpConstantTrue, m.i32);
}
}
, {"OpConstantComposite", "more or fewer parts",
   MISTAKE{m.constant_of(Op::OpConstantComposite, m.vector(m.i32, 2), {m.number(1)});
}
}
, {"OpConstantComposite", "a part has another type",
   MISTAKE{m.constant_of(Op::OpConstantComposite, m.vector(m.i32, 2), {m.number(1), m.constant(64, 1)});
}
}
, {"OpConstantComposite", "the type is not composite", MISTAKE{m.constant_of(Op::OpConstantComposite, m.i32, {m.number(1)});
}
}
, {"OpConstantNull", "has no null", MISTAKE{m.constant_of(Op::OpConstantNull, m.void_type());
}
}
, {"OpConstantSampler", "the type is not Sampler", MISTAKE{m.constant_of(Op::OpConstantSampler, m.i32, {0, 0, 0});
}
}
, {"OpConstantSampler", "unknown mode", MISTAKE{m.constant_of(Op::OpConstantSampler, m.type(Op::OpTypeSampler), {9, 0, 0});
}
}
, {"OpSpecConstantOp", "it contains itself",
   MISTAKE{m.constant_of(Op::OpSpecConstantOp, m.i32, {word(Op::OpSpecConstantOp), m.number(1)});
}
}
, {"OpSpecConstantOp", "has no constant result",
   MISTAKE{m.constant_of(Op::OpSpecConstantOp, m.i32, {word(Op::OpLoad), m.constant_of(Op::OpConstantNull, m.global_i32)});
}
}
, {"OpVariable", "no pointer to its storage class",
   MISTAKE{m.constant_of(Op::OpVariable, m.global_i32, {word(Storage::Workgroup)});
}
}
, {"OpVariable", "neither global, constant nor local", MISTAKE{m.global(Storage::Generic, m.i32);
}
}
, {"OpVariable", "type has no size", MISTAKE{m.global(Storage::CrossWorkgroup, m.void_type());
}
}
, {"OpVariable", "first value does not fit", MISTAKE{m.global(Storage::CrossWorkgroup, m.i32, {m.constant(64, 1)});
}
}
, {"OpVariable", "not in the storage class Input",
   MISTAKE{m.decorate(m.global(Storage::CrossWorkgroup, m.i32), spv::Decoration::BuiltIn, {0});
}
}
, {"OpVariable", "no power of two",
   MISTAKE{m.decorate(m.global(Storage::CrossWorkgroup, m.i32), spv::Decoration::Alignment, {3});
}
}
, {"OpVariable", "have the same name",
   MISTAKE{for (int n = 0; n < 2; ++n) m.export_as(m.global(Storage::CrossWorkgroup, m.i32), "twice");
}
}
,
    // The preamble.
    {"", "capability Shader", MISTAKE{m.capability(spv::Capability::Shader);
}
}
, {"", "capability 60000", MISTAKE{m.capability(static_cast<spv::Capability>(60000));
}
}
, {"OpExtInstImport", "'GLSL.std.450' are not supported", MISTAKE{m.import("GLSL.std.450");
}
}
, {"OpExecutionMode", "not an entry point's", MISTAKE{m.mode(m.i32, spv::ExecutionMode::LocalSize, {1, 1, 1});
}
}
, {"OpEntryPoint", "two entry points", MISTAKE{m.entry_point(m.kernel(), "again");
}
}
, {"OpEntryPoint", "has no name", MISTAKE{m.entry_point(m.i32, "");
}
}
, {"OpIAdd", "in front of the functions", MISTAKE{m.constant_of(Op::OpIAdd, m.i32, {m.number(1), m.number(1)});
}
}
,
    // Blocks and functions.
    {"OpBranch", "a branch leads to no block of its function", MISTAKE{m.branch(kUnknownId);
m.block();
}
}
, {"OpBranch", "the function's first block", MISTAKE{const Id second = m.id();
std::vector<Id> p;
m.branch(second);
m.block(second);
m.statement(Op::OpReturn);
m.end_function();
m.begin_function(m.void_type(), {}, p);
m.branch(m.block());
m.end_function();
m.begin_function(m.void_type(), {}, p);
m.block();
}
}
, {"OpBranchConditional", "not of type Bool", MISTAKE{const Id next = m.id();
m.branch(m.number(1), next, next);
m.block(next);
}
}
, {"OpBranchConditional", "one weight", MISTAKE{const Id next = m.id();
m.statement(Op::OpBranchConditional, {m.constant_of(Op::OpConstantTrue, m.boolean), next, next, 5});
m.block(next);
}
}
, {"OpSwitch", "two labels of one value", MISTAKE{const Id next = m.id();
m.statement(Op::OpSwitch, {m.number(1), next, 4, next, 4, next});
m.block(next);
}
}
, {"OpSwitch", "a label without a block", MISTAKE{const Id next = m.id();
m.statement(Op::OpSwitch, {m.number(1), next, 4});
m.block(next);
}
}
, {"OpSwitch", "a selector is no integer", MISTAKE{const Id next = m.id();
m.statement(Op::OpSwitch, {m.constant(1.0F), next});
m.block(next);
}
}
, {"", "a phi has no value of its type for a block before it", MISTAKE{const Id next = m.id();
m.branch(next);
m.block(next);
m.op(Op::OpPhi, m.i32, {m.number(1), kUnknownId});
}
}
, {"OpPhi", "a phi stands behind another instruction", MISTAKE{const Id next = m.id(), entry = m.id();
m.branch(entry);
m.block(entry);
m.branch(next);
m.block(next);
m.get_at(k[0], m.number(0));
m.op(Op::OpPhi, m.i32, {m.number(1), entry});
}
}
, {"", "SSA form", MISTAKE{const Id left = m.id(), right = m.id(), done = m.id();
const Id condition = m.compare(Op::OpIEqual, m.get_at(k[0], m.number(0)), m.number(0));
m.branch(condition, left, right);
m.block(left);
const Id value = m.get_at(k[0], m.number(1));
m.branch(done);
m.block(right);
m.branch(done);
m.block(done);
m.put_at(k[0], m.number(2), value);
}
}
, {"", "a block has no terminator", MISTAKE{m.block();
}
}
, {"OpReturnValue", "a value of another type", MISTAKE{m.statement(Op::OpReturnValue, {m.number(1)});
m.block();
}
}
, {"OpFunction", "begins inside another", MISTAKE{m.op(Op::OpFunction, m.void_type(), {0, m.function_type(m.void_type(), {})});
}
}
, {"OpFunctionCall", "an entry point is called", MISTAKE{m.op(Op::OpFunctionCall, m.void_type(), {m.kernel(), k[0], k[1]});
}
}
, {"OpFunctionCall", "should be a function's", MISTAKE{m.op(Op::OpFunctionCall, m.void_type(), {m.i32});
}
}
,
    // Memory.
    {"OpLoad", "an operand is no pointer", MISTAKE{m.load(m.i32, m.number(1));
}
}
, {"OpLoad", "does not point to the result's type", MISTAKE{m.load(m.i64, k[0]);
}
}
, {"OpStore", "does not point to the object's type", MISTAKE{m.store(k[0], m.constant(64, 1));
}
}
, {"OpLoad", "an alignment is no power of two", MISTAKE{m.op(Op::OpLoad, m.i32, {k[0], 2, 3});
}
}
, {"OpLoad", "it ends before its last operand", MISTAKE{m.op(Op::OpLoad, m.i32, {k[0], 2});
}
}
, {"OpLoad", "has a bit that this compiler does not know", MISTAKE{m.op(Op::OpLoad, m.i32, {k[0], 0x8000000});
}
}
, {"OpAccessChain", "into a type without members", MISTAKE{m.op(Op::OpAccessChain, m.global_i32, {k[0], m.number(0)});
}
}
, {"OpPtrAccessChain", "no pointer to the type that the chain leads to",
   MISTAKE{m.op(Op::OpPtrAccessChain, m.pointer(Storage::CrossWorkgroup, m.i64), {k[0], m.number(0)});
}
}
, {"OpInBoundsPtrAccessChain", "an index is no integer",
   MISTAKE{m.op(Op::OpInBoundsPtrAccessChain, m.global_i32, {k[0], m.constant(1.0F)});
}
}
, {"OpAccessChain", "a member that its structure does not have", MISTAKE{const Id pair = m.structure({m.i32, m.i32});
m.op(Op::OpAccessChain, m.global_i32,
     {m.constant_of(Op::OpConstantNull, m.pointer(Storage::CrossWorkgroup, pair)), m.number(2)});
}
}
, {"OpCopyMemory", "point to different types",
   MISTAKE{m.statement(Op::OpCopyMemory, {k[0], m.constant_of(Op::OpConstantNull, m.pointer(Storage::CrossWorkgroup, m.i64))});
}
}
,
    // Composites, conversions, relations.
    {"OpCompositeExtract", "beyond its type's members",
     MISTAKE{m.op(Op::OpCompositeExtract, m.i32, {m.splat(m.i32, 4, m.number(1)), 4});
}
}
, {"OpCompositeExtract", "there is no index", MISTAKE{m.op(Op::OpCompositeExtract, m.i32, {m.number(1)});
}
}
, {"OpVectorExtractDynamic", "no vector and no index",
   MISTAKE{m.op(Op::OpVectorExtractDynamic, m.i32, {m.number(1), m.number(0)});
}
}
, {"OpBitcast", "changes the number of bits", MISTAKE{m.op(Op::OpBitcast, m.i64, {m.number(1)});
}
}
, {"OpBitcast", "changes the storage class", MISTAKE{m.op(Op::OpBitcast, m.pointer(Storage::Workgroup, m.i32), {k[0]});
}
}
, {"OpConvertSToF", "do not fit the conversion", MISTAKE{m.op(Op::OpConvertSToF, m.i32, {m.number(1)});
}
}
, {"OpPtrCastToGeneric", "neither pointer is generic", MISTAKE{m.op(Op::OpPtrCastToGeneric, m.global_i32, {k[0]});
}
}
, {"OpIEqual", "not two numbers of one type", MISTAKE{m.compare(Op::OpIEqual, m.number(1), m.constant(1.0F));
}
}
, {"OpSelect", "the condition is not Bool", MISTAKE{m.op(Op::OpSelect, m.i32, {m.number(1), m.number(1), m.number(2)});
}
}
, {"OpLogicalAnd", "not of type Bool", MISTAKE{m.compare(Op::OpLogicalAnd, m.number(1), m.number(1));
}
}
, {"OpAny", "no vector of Bool", MISTAKE{m.op(Op::OpAny, m.boolean, {m.constant_of(Op::OpConstantTrue, m.boolean)});
}
}
,
    // The library's functions.
    {"OpExtInst", "set of extended instructions is not imported", MISTAKE{m.op(Op::OpExtInst, m.i32, {m.i32, 1, m.number(1)});
}
}
, {"OpExtInst", "has no instruction 9999", MISTAKE{m.op(Op::OpExtInst, m.i32, {m.import("OpenCL.std"), 9999});
}
}
, {"OpAtomicIAdd", "no pointer to memory",
   MISTAKE{m.op(Op::OpAtomicIAdd, m.i32, {m.number(1), m.number(1), m.number(0), m.number(1)});
}
}
, {"OpAtomicIAdd", "the scope is unknown", MISTAKE{m.op(Op::OpAtomicIAdd, m.i32, {k[0], m.number(9), m.number(0), m.number(1)});
}
}
, {"OpAtomicIAdd", "another type than the memory",
   MISTAKE{m.op(Op::OpAtomicIAdd, m.i32, {k[0], m.number(1), m.number(0), m.constant(64, 1)});
}
}
, {"OpControlBarrier", "neither a work-group nor a sub-group",
   MISTAKE{m.statement(Op::OpControlBarrier, {m.number(1), m.number(1), m.number(0)});
}
}
, {"OpGroupAll", "neither a work-group nor a sub-group",
   MISTAKE{m.op(Op::OpGroupAll, m.boolean, {m.number(1), m.constant_of(Op::OpConstantTrue, m.boolean)});
}
}
, {"OpGroupAll", "not of type Bool", MISTAKE{m.op(Op::OpGroupAll, m.boolean, {m.number(2), m.number(1)});
}
}
, {"OpGroupIAdd", "does not fit the operation", MISTAKE{m.op(Op::OpGroupIAdd, m.i32, {m.number(2), 0, m.constant(1.0F)});
}
}
, {"OpGroupIAdd", "the operation on the group is unknown", MISTAKE{m.op(Op::OpGroupIAdd, m.i32, {m.number(2), 7, m.number(1)});
}
}
, {"OpImageRead", "the operand is no image", MISTAKE{m.op(Op::OpImageRead, m.vector(m.i32, 4), {m.number(1), m.number(1)});
}
}
, {"OpImageSampleExplicitLod", "no sampled image",
   MISTAKE{m.op(Op::OpImageSampleExplicitLod, m.vector(m.i32, 4), {m.number(1), m.number(1), 2, m.constant(0.0F)});
}
}
, {"OpDPdx", "not supported", MISTAKE{m.op(Op::OpDPdx, m.floating(32), {m.constant(1.0F)});
}
}
, {"instruction 9999", "not supported", MISTAKE{m.statement(static_cast<Op>(9999), {1});
}
}
,
}
;

}  // namespace

std::span<const Mistake> mistakes() { return kMistakes; }

Words module_of(const Mistake &mistake) {
  KernelModule m;
  const std::vector<Id> arguments = m.begin_kernel("k", {m.global_i32, m.global_i32});
  mistake.make(m, arguments);
  m.end_kernel();
  Words words = m.words();
  words[3] = 5000;
  return words;
}

}  // namespace upsweep::tests
