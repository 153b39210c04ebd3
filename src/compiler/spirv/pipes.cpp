// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipe instructions: the functions that Clang calls for OpenCL C's, with a packet's size and alignment.
#include "compiler/spirv/code.h"

#include "llvm/ADT/Twine.h"

namespace upsweep::compiler::spirv {
namespace {

Value pipe_of(Code &code, const Instruction &i, size_t index, spv::AccessQualifier access) {
  const Value pipe = code.value(i, index);
  require(pipe.type->is(Op::OpTypePipe) && pipe.type->access == access, "the operand is no pipe of this access");
  return pipe;
}

llvm::Value *number_of(Code &code, const Instruction &i, size_t index) {
  const Value value = code.value(i, index);
  require(value.type->is(Op::OpTypeInt), "an operand is no integer");
  return code.build.CreateZExtOrTrunc(value.llvm, code.build.getInt32Ty());
}

llvm::Value *generic_pointer(Code &code, const Instruction &i, size_t index) {
  const Value pointer = code.value(i, index);
  require(pointer.type->is_pointer(), "an operand is no pointer");
  return code.build.CreateAddrSpaceCast(pointer.llvm, llvm::PointerType::get(code.reader.context(), 4));
}

llvm::Value *reservation(Code &code, const Instruction &i, size_t index) {
  const Value value = code.value(i, index);
  require(value.type->is(Op::OpTypeReserveId), "an operand is no reservation");
  return value.llvm;
}

template <spv::AccessQualifier kAccess>
void transfer(Code &code, const Instruction &i) {
  const bool is_reserved = i.op == Op::OpReservedReadPipe || i.op == Op::OpReservedWritePipe;
  llvm::SmallVector<llvm::Value *, 6> values{pipe_of(code, i, 0, kAccess).llvm};
  if (is_reserved) {
    values.push_back(reservation(code, i, 1));
    values.push_back(number_of(code, i, 2));
  }
  const size_t pointer = is_reserved ? 3 : 1;
  values.push_back(generic_pointer(code, i, pointer));
  values.push_back(number_of(code, i, pointer + 1));
  values.push_back(number_of(code, i, pointer + 2));
  const std::string name = kAccess == spv::AccessQualifier::ReadOnly ? "__read_pipe_" : "__write_pipe_";
  code.define(i, code.call_symbol(name + (is_reserved ? "4" : "2"), code.build.getInt32Ty(), values));
}

/// "", "work_group_" or "sub_group_".
std::string group_of(Code &code, const Instruction &i, bool is_group) {
  if (!is_group) return "";
  const uint64_t scope = code.reader.constant(i.at(0));
  require(scope == 2 || scope == 3, "a group is neither a work-group nor a sub-group");
  return scope == 2 ? "work_group_" : "sub_group_";
}

template <spv::AccessQualifier kAccess, bool kIsGroup>
void reserve(Code &code, const Instruction &i) {
  constexpr size_t kPipe = kIsGroup ? 1 : 0;
  llvm::Value *pipe = pipe_of(code, i, kPipe, kAccess).llvm;
  const std::string name = "__" + group_of(code, i, kIsGroup) +
                           (kAccess == spv::AccessQualifier::ReadOnly ? "reserve_read_pipe" : "reserve_write_pipe");
  code.define(
      i, code.call_symbol(name, code.type(i.type).llvm,
                          {pipe, number_of(code, i, kPipe + 1), number_of(code, i, kPipe + 2), number_of(code, i, kPipe + 3)}));
}

template <spv::AccessQualifier kAccess, bool kIsGroup>
void commit(Code &code, const Instruction &i) {
  constexpr size_t kPipe = kIsGroup ? 1 : 0;
  llvm::Value *pipe = pipe_of(code, i, kPipe, kAccess).llvm;
  const std::string name = "__" + group_of(code, i, kIsGroup) +
                           (kAccess == spv::AccessQualifier::ReadOnly ? "commit_read_pipe" : "commit_write_pipe");
  code.call_symbol(name, code.build.getVoidTy(),
                   {pipe, reservation(code, i, kPipe + 1), number_of(code, i, kPipe + 2), number_of(code, i, kPipe + 3)});
}

void count(Code &code, const Instruction &i) {
  const Value pipe = code.value(i, 0);
  require(pipe.type->is(Op::OpTypePipe), "the operand is no pipe");
  const std::string name = i.op == Op::OpGetNumPipePackets ? "__get_pipe_num_packets" : "__get_pipe_max_packets";
  code.define(i, code.call_symbol(name + (pipe.type->access == spv::AccessQualifier::ReadOnly ? "_ro" : "_wo"),
                                  code.build.getInt32Ty(), {pipe.llvm, number_of(code, i, 1), number_of(code, i, 2)}));
}

void is_valid(Code &code, const Instruction &i) {
  code.define(i, code.call("is_valid_reserve_id", code.build.getInt1Ty(), {reservation(code, i, 0)}, {named("ocl_reserveid")}));
}

}  // namespace

void add_pipes(Handlers &table) {
  const auto add = [&](Op op, Handler handler) { table[static_cast<uint32_t>(op)] = handler; };
  constexpr auto kRead = spv::AccessQualifier::ReadOnly, kWrite = spv::AccessQualifier::WriteOnly;
  for (const Op op : {Op::OpReadPipe, Op::OpReservedReadPipe}) add(op, transfer<kRead>);
  for (const Op op : {Op::OpWritePipe, Op::OpReservedWritePipe}) add(op, transfer<kWrite>);
  add(Op::OpReserveReadPipePackets, reserve<kRead, false>);
  add(Op::OpReserveWritePipePackets, reserve<kWrite, false>);
  add(Op::OpGroupReserveReadPipePackets, reserve<kRead, true>);
  add(Op::OpGroupReserveWritePipePackets, reserve<kWrite, true>);
  add(Op::OpCommitReadPipe, commit<kRead, false>);
  add(Op::OpCommitWritePipe, commit<kWrite, false>);
  add(Op::OpGroupCommitReadPipe, commit<kRead, true>);
  add(Op::OpGroupCommitWritePipe, commit<kWrite, true>);
  for (const Op op : {Op::OpGetNumPipePackets, Op::OpGetMaxPipePackets}) add(op, count);
  add(Op::OpIsValidReserveId, is_valid);
}

}  // namespace upsweep::compiler::spirv
