// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue instructions: the functions that Clang calls for blocks. A command's parameter follows a header, as the
// captured values of a block do, and the function that it invokes gets a kernel.
#include "compiler/spirv/code.h"

#include "base/enqueue_abi.h"
#include "passes/common/block_kernels.h"

#include "llvm/IR/Constants.h"

namespace upsweep::compiler::spirv {
namespace {

llvm::PointerType *generic(const Code &code) { return llvm::PointerType::get(code.reader.context(), 4); }

llvm::Value *generic_pointer(Code &code, const Instruction &i, size_t index) {
  const Value pointer = code.value(i, index);
  require(pointer.type->is_pointer(), "an operand is no pointer");
  return code.build.CreateAddrSpaceCast(pointer.llvm, generic(code));
}

llvm::Value *number_of(Code &code, const Instruction &i, size_t index, unsigned bits = 32) {
  const Value value = code.value(i, index);
  require(value.type->is(Op::OpTypeInt), "an operand is no integer");
  return code.build.CreateZExtOrTrunc(value.llvm, code.build.getIntNTy(bits));
}

Value typed(Code &code, const Instruction &i, size_t index, Op kind, const char *problem) {
  const Value value = code.value(i, index);
  require(value.type->is(kind), problem);
  return value;
}

/// A private copy of an NDRange, in the layout of ndrange_t.
llvm::Value *range_of(Code &code, const Instruction &i, size_t index) {
  const Value range = code.value(i, index);
  // LLVM's translator passes ranges and local sizes by their addresses.
  if (range.type->is_pointer() && range.type->storage == spv::StorageClass::Function) {
    require(code.reader.pointee(*range.type).bytes == sizeof(UpsweepRange), "an operand is no NDRange");
    return range.llvm;
  }
  require(range.type->is(Op::OpTypeStruct) && range.type->bytes == sizeof(UpsweepRange), "an operand is no NDRange");
  llvm::AllocaInst *copy = code.variable(range.llvm->getType());
  code.build.CreateStore(range.llvm, copy);
  return copy;
}

llvm::Value *local_size(Code &code, const Instruction &i, size_t index) {
  const Value size = code.value(i, index);
  if (!size.type->is_pointer()) return number_of(code, i, index, 64);
  const Type &type = code.reader.pointee(*size.type);
  require(type.is(Op::OpTypeInt), "a local size is no integer");
  return code.build.CreateZExtOrTrunc(code.build.CreateLoad(type.llvm, size.llvm), code.build.getInt64Ty());
}

/// The bytes between a command's header and its parameter.
uint64_t header_bytes(uint64_t alignment) { return std::max<uint64_t>(sizeof(UpsweepBlock), alignment); }

/// The kernel of an invoked function: its first parameter is behind the header.
llvm::Value *kernel_of(Code &code, llvm::Function &invoked, uint64_t offset) {
  const std::string name = invoked.getName().str() + ".block." + std::to_string(offset);
  llvm::Function *kernel = code.reader.module().getFunction(name);
  if (!kernel) {
    std::vector<llvm::Type *> types;
    for (const llvm::Argument &argument : invoked.args()) types.push_back(argument.getType());
    require(!types.empty() && types[0]->isPointerTy() && invoked.getReturnType()->isVoidTy(),
            "an invoked function takes no parameter, or returns a value");
    for (const llvm::Type *type : llvm::ArrayRef(types).drop_front())
      require(type->isPointerTy() && type->getPointerAddressSpace() == 3, "a parameter of an invoked function is not local");
    llvm::Type *first = types[0];
    types[0] = generic(code);
    auto *type = llvm::FunctionType::get(code.build.getVoidTy(), types, false);
    kernel = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, code.reader.module());
    kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    kernel->addFnAttr(passes::kBlockAttribute);
    kernel->addFnAttr(llvm::Attribute::Convergent);
    kernel->addFnAttr(llvm::Attribute::NoUnwind);
    kernel->addFnAttr("uniform-work-group-size", "false");
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(code.reader.context(), "", kernel));
    std::vector<llvm::Value *> arguments;
    for (llvm::Argument &argument : kernel->args()) arguments.push_back(&argument);
    arguments[0] = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), arguments[0], offset);
    if (first != generic(code)) arguments[0] = build.CreateAddrSpaceCast(arguments[0], first);
    build.CreateCall(&invoked, arguments)->setCallingConv(invoked.getCallingConv());
    build.CreateRetVoid();
  }
  return llvm::ConstantExpr::getAddrSpaceCast(kernel, generic(code));
}

struct Block {
  llvm::Value *kernel;
  llvm::Value *literal;
};

/// The operands Invoke, Param, Param Size and Param Align from an index on.
Block block_of(Code &code, const Instruction &i, size_t index) {
  auto &build = code.build;
  llvm::Function &invoked = code.reader.function(i.at(index));
  const uint64_t bytes = code.reader.constant(i.at(index + 2));
  const uint64_t alignment = std::max<uint64_t>(1, code.reader.constant(i.at(index + 3)));
  constexpr uint64_t kMostBytes = 1U << 20;
  require(bytes <= kMostBytes && llvm::isPowerOf2_64(alignment) && alignment <= UPSWEEP_BLOCK_ALIGNMENT,
          "a parameter has over 2^20 bytes, or an alignment that is no power of two up to 128");
  const uint64_t offset = header_bytes(alignment);
  llvm::AllocaInst *literal = code.variable(llvm::ArrayType::get(build.getInt8Ty(), offset + bytes));
  literal->setAlignment(llvm::Align(header_bytes(alignment)));
  build.CreateStore(build.getInt32(static_cast<uint32_t>(offset + bytes)), literal);
  build.CreateStore(build.getInt32(static_cast<uint32_t>(std::max<uint64_t>(alignment, alignof(UpsweepBlock)))),
                    build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), literal, offsetof(UpsweepBlock, alignment)));
  build.CreateStore(build.getInt64(0),
                    build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), literal, offsetof(UpsweepBlock, function)));
  const Value parameter = code.value(i, index + 1);
  require(parameter.type->is_pointer(), "a parameter is no pointer");
  if (bytes != 0)
    build.CreateMemCpy(build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), literal, offset), llvm::Align(alignment),
                       parameter.llvm, llvm::Align(alignment), build.getInt64(bytes));
  return {kernel_of(code, invoked, offset), build.CreateAddrSpaceCast(literal, generic(code))};
}

void enqueue(Code &code, const Instruction &i) {
  constexpr size_t kFirstLocalSize = 10;
  auto &build = code.build;
  llvm::Value *queue = typed(code, i, 0, Op::OpTypeQueue, "an operand is no queue").llvm;
  const Block block = block_of(code, i, 6);
  const size_t locals = i.size() - kFirstLocalSize;
  require(locals == code.reader.function(i.at(6)).arg_size() - 1, "there are more or fewer local sizes than local parameters");
  llvm::AllocaInst *sizes = code.variable(llvm::ArrayType::get(build.getInt64Ty(), std::max<size_t>(locals, 1)));
  for (size_t k = 0; k < locals; ++k)
    build.CreateStore(local_size(code, i, kFirstLocalSize + k), build.CreateConstInBoundsGEP1_64(build.getInt64Ty(), sizes, k));
  code.define(i, code.call_symbol("__enqueue_kernel_events_varargs", build.getInt32Ty(),
                                  {queue, number_of(code, i, 1), range_of(code, i, 2), number_of(code, i, 3),
                                   generic_pointer(code, i, 4), generic_pointer(code, i, 5), block.kernel, block.literal,
                                   build.getInt32(static_cast<uint32_t>(locals)), sizes}));
}

void query(Code &code, const Instruction &i) {
  const bool has_range = i.op == Op::OpGetKernelNDrangeSubGroupCount || i.op == Op::OpGetKernelNDrangeMaxSubGroupSize;
  llvm::SmallVector<llvm::Value *, 3> values;
  if (has_range) values.push_back(range_of(code, i, 0));
  const Block block = block_of(code, i, has_range ? 1 : 0);
  values.append({block.kernel, block.literal});
  const char *name = i.op == Op::OpGetKernelNDrangeSubGroupCount     ? "__get_kernel_sub_group_count_for_ndrange_impl"
                     : i.op == Op::OpGetKernelNDrangeMaxSubGroupSize ? "__get_kernel_max_sub_group_size_for_ndrange_impl"
                     : i.op == Op::OpGetKernelWorkGroupSize          ? "__get_kernel_work_group_size_impl"
                                                                     : "__get_kernel_preferred_work_group_size_multiple_impl";
  code.define(i, code.call_symbol(name, code.build.getInt32Ty(), values));
}

void query_dispatch(Code &code, const Instruction &i) {
  const bool has_count = i.op == Op::OpGetKernelLocalSizeForSubgroupCount;
  llvm::SmallVector<llvm::Value *, 3> values;
  if (has_count) values.push_back(number_of(code, i, 0));
  const Block block = block_of(code, i, has_count ? 1 : 0);
  values.append({block.kernel, block.literal});
  const char *name = has_count ? "__get_kernel_local_size_for_sub_group_count_impl" : "__get_kernel_max_num_sub_groups_impl";
  code.define(i, code.call_symbol(name, code.build.getInt32Ty(), values));
}

/// OpenCL C's order is offset, global size, local size, each with three numbers; SPIR-V's is global size, local size, offset.
void make_range(Code &code, const Instruction &i) {
  auto &build = code.build;
  const Type &type = code.type(i.type);
  require(type.is(Op::OpTypeStruct) && type.bytes == sizeof(UpsweepRange) && type.members.size() == 4 &&
              type.members[0]->is(Op::OpTypeInt),
          "the result is no NDRange");
  llvm::Value *made = llvm::Constant::getNullValue(type.llvm);
  unsigned dimensions = 0;
  constexpr unsigned kMemberOfOperand[] = {2, 3, 1};
  for (unsigned operand = 0; operand < 3; ++operand) {
    const Value value = code.value(i, operand);
    const bool is_array = value.type->is(Op::OpTypeArray);
    const Type &number = value.type->is_vector() || is_array ? *value.type->element : *value.type;
    const uint64_t count = value.type->is_vector() || is_array ? value.type->count : 1;
    require(number.is(Op::OpTypeInt) && count <= 3, "a size is no integer, or has more than three dimensions");
    dimensions = std::max(dimensions, static_cast<unsigned>(count));
    const unsigned member = kMemberOfOperand[operand];
    require(type.members[member]->is(Op::OpTypeArray) && type.members[member]->count == 3, "the result is no NDRange");
    for (unsigned k = 0; k < count; ++k) {
      llvm::Value *one = is_array                  ? build.CreateExtractValue(value.llvm, k)
                         : value.type->is_vector() ? build.CreateExtractElement(value.llvm, k)
                                                   : value.llvm;
      made = build.CreateInsertValue(made, build.CreateZExtOrTrunc(one, type.members[member]->element->llvm), {member, k});
    }
  }
  code.define(i, build.CreateInsertValue(made, llvm::ConstantInt::get(type.members[0]->llvm, dimensions), 0));
}

void queue_or_event(Code &code, const Instruction &i) {
  auto &build = code.build;
  const CType event = named("ocl_clkevent");
  const auto operand = [&] { return typed(code, i, 0, Op::OpTypeDeviceEvent, "an operand is no event of a device").llvm; };
  switch (i.op) {
  case Op::OpGetDefaultQueue: return code.define(i, code.call("get_default_queue", code.type(i.type).llvm, {}, {}));
  case Op::OpCreateUserEvent: return code.define(i, code.call("create_user_event", code.type(i.type).llvm, {}, {}));
  case Op::OpIsValidEvent: return code.define(i, code.call("is_valid_event", build.getInt1Ty(), {operand()}, {event}));
  case Op::OpRetainEvent: code.call("retain_event", build.getVoidTy(), {operand()}, {event}); return;
  case Op::OpReleaseEvent: code.call("release_event", build.getVoidTy(), {operand()}, {event}); return;
  case Op::OpSetUserEventStatus:
    code.call("set_user_event_status", build.getVoidTy(), {operand(), number_of(code, i, 1)}, {event, number("i")});
    return;
  default: {
    const Value value = code.value(i, 2);
    require(value.type->is_pointer() && value.type->storage == spv::StorageClass::CrossWorkgroup,
            "the place of the times is not global");
    code.call("capture_event_profiling_info", build.getVoidTy(), {operand(), number_of(code, i, 1), value.llvm},
              {event, number("i"), pointer_to(number("v"), 1)});
  }
  }
}

void mark(Code &code, const Instruction &i) {
  const CType event = pointer_to(named("ocl_clkevent"), 4);
  llvm::Value *queue = typed(code, i, 0, Op::OpTypeQueue, "an operand is no queue").llvm;
  code.define(i, code.call("enqueue_marker", code.build.getInt32Ty(),
                           {queue, number_of(code, i, 1), generic_pointer(code, i, 2), generic_pointer(code, i, 3)},
                           {named("ocl_queue"), number("j"), as_const(event), event}));
}

}  // namespace

void add_enqueue(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  add(Op::OpEnqueueKernel, enqueue);
  for (const Op op : {Op::OpGetKernelNDrangeSubGroupCount, Op::OpGetKernelNDrangeMaxSubGroupSize, Op::OpGetKernelWorkGroupSize,
                      Op::OpGetKernelPreferredWorkGroupSizeMultiple})
    add(op, query);
  for (const Op op : {Op::OpGetKernelLocalSizeForSubgroupCount, Op::OpGetKernelMaxNumSubgroups}) add(op, query_dispatch);
  add(Op::OpBuildNDRange, make_range);
  for (const Op op : {Op::OpGetDefaultQueue, Op::OpCreateUserEvent, Op::OpIsValidEvent, Op::OpRetainEvent, Op::OpReleaseEvent,
                      Op::OpSetUserEventStatus, Op::OpCaptureEventProfilingInfo})
    add(op, queue_or_event);
  add(Op::OpEnqueueMarker, mark);
}

}  // namespace upsweep::compiler::spirv
