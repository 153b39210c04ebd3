// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in variables and clocks: OpenCL C's functions of work-items.
#include "compiler/spirv/code.h"

namespace upsweep::compiler::spirv {
namespace {

struct BuiltInFunction {
  spv::BuiltIn variable;
  const char *name;
  char result;  ///< m: size_t, j: uint, 3: a size_t for each dimension, 4: uint4
};
constexpr BuiltInFunction kFunctions[] = {
    {spv::BuiltIn::NumWorkgroups, "get_num_groups", '3'},
    {spv::BuiltIn::WorkgroupSize, "get_local_size", '3'},
    {spv::BuiltIn::EnqueuedWorkgroupSize, "get_enqueued_local_size", '3'},
    {spv::BuiltIn::WorkgroupId, "get_group_id", '3'},
    {spv::BuiltIn::LocalInvocationId, "get_local_id", '3'},
    {spv::BuiltIn::GlobalInvocationId, "get_global_id", '3'},
    {spv::BuiltIn::GlobalSize, "get_global_size", '3'},
    {spv::BuiltIn::GlobalOffset, "get_global_offset", '3'},
    {spv::BuiltIn::LocalInvocationIndex, "get_local_linear_id", 'm'},
    {spv::BuiltIn::GlobalLinearId, "get_global_linear_id", 'm'},
    {spv::BuiltIn::WorkDim, "get_work_dim", 'j'},
    {spv::BuiltIn::SubgroupSize, "get_sub_group_size", 'j'},
    {spv::BuiltIn::SubgroupMaxSize, "get_max_sub_group_size", 'j'},
    {spv::BuiltIn::NumSubgroups, "get_num_sub_groups", 'j'},
    {spv::BuiltIn::NumEnqueuedSubgroups, "get_enqueued_num_sub_groups", 'j'},
    {spv::BuiltIn::SubgroupId, "get_sub_group_id", 'j'},
    {spv::BuiltIn::SubgroupLocalInvocationId, "get_sub_group_local_id", 'j'},
    {spv::BuiltIn::SubgroupEqMask, "get_sub_group_eq_mask", '4'},
    {spv::BuiltIn::SubgroupGeMask, "get_sub_group_ge_mask", '4'},
    {spv::BuiltIn::SubgroupGtMask, "get_sub_group_gt_mask", '4'},
    {spv::BuiltIn::SubgroupLeMask, "get_sub_group_le_mask", '4'},
    {spv::BuiltIn::SubgroupLtMask, "get_sub_group_lt_mask", '4'},
};

llvm::Value *value_of(Code &code, const BuiltInFunction &function, const Type &scalar, llvm::Value *dimension) {
  llvm::Value *value = code.call(function.name, code.build.getInt64Ty(), {dimension}, {number("j")});
  return code.build.CreateZExtOrTrunc(value, scalar.llvm);
}

llvm::Value *values_of(Code &code, const BuiltInFunction &function, const Type &type) {
  auto &build = code.build;
  const Type &scalar = type.scalar();
  require(scalar.is(Op::OpTypeInt), "a built-in variable is no integer");
  if (function.result == '4') {
    require(type.is_vector() && type.lanes() == 4 && scalar.width == 32,
            "a mask of a sub-group has four components of 32 bits");
    return code.call(function.name, type.llvm, {}, {});
  }
  if (function.result != '3') {
    require(!type.is_vector(), "a built-in variable is a vector");
    llvm::Type *result = function.result == 'm' ? build.getInt64Ty() : build.getInt32Ty();
    return build.CreateZExtOrTrunc(code.call(function.name, result, {}, {}), scalar.llvm);
  }
  require(type.is_vector() && type.lanes() == 3, "a built-in variable has no three components");
  llvm::Value *made = llvm::PoisonValue::get(type.llvm);
  for (unsigned k = 0; k < 3; ++k)
    made = build.CreateInsertElement(made, value_of(code, function, scalar, build.getInt32(k)), k);
  return made;
}

/// A clock's value: an integer of 64 bits, or its lower and upper half.
void read_clock(Code &code, const Instruction &i) {
  constexpr const char *kScopes[] = {nullptr, "device", "work_group", "sub_group"};
  const uint64_t scope = code.reader.constant(i.at(0));
  require(scope >= 1 && scope < std::size(kScopes), "a clock's scope is neither a device nor a work-group nor a sub-group");
  const Type &type = code.type(i.type);
  const bool has_halves = type.is_vector();
  require(type.scalar().is(Op::OpTypeInt) &&
              (has_halves ? type.lanes() == 2 && type.scalar().width == 32 : type.scalar().width == 64),
          "a clock's value is neither an integer of 64 bits nor two integers of 32 bits");
  code.define(i, code.call(std::string(has_halves ? "clock_read_hilo_" : "clock_read_") + kScopes[scope], type.llvm, {}, {}));
}

}  // namespace

void add_clocks(Handlers &table) { table[static_cast<uint32_t>(Op::OpReadClockKHR)] = read_clock; }

llvm::Value *call_for_dimension(Code &code, spv::BuiltIn variable, const Type &scalar, llvm::Value *dimension) {
  for (const BuiltInFunction &each : kFunctions)
    if (each.variable == variable && each.result == '3')
      return value_of(code, each, scalar, code.build.CreateZExtOrTrunc(dimension, code.build.getInt32Ty()));
  return nullptr;
}

llvm::Value *make_built_in(Code &code, uint32_t id, spv::BuiltIn variable) {
  for (const BuiltInFunction &each : kFunctions) {
    if (each.variable != variable) continue;
    const Type &type = code.reader.pointee(code.reader.built_in_type(id));
    llvm::AllocaInst *made = code.variable(type.llvm);
    const llvm::IRBuilderBase::InsertPointGuard guard(code.build);
    llvm::BasicBlock &entry = code.function.getEntryBlock();
    code.build.SetInsertPoint(&entry, code.last_built_in ? std::next(code.last_built_in->getIterator())
                                                         : entry.getFirstNonPHIOrDbgOrAlloca());
    code.last_built_in = code.build.CreateStore(values_of(code, each, type), made);
    return made;
  }
  throw Invalid("the built-in variable " + name_of(variable) + " is not supported");
}

}  // namespace upsweep::compiler::spirv
