// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL.std: calls of OpenCL C's functions. Most have its name; s_ and u_ say the sign of integers.
#include "compiler/spirv/code.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace upsweep::compiler::spirv {
namespace {

constexpr const char *kRoundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};

struct Call {
  std::string name;
  std::vector<llvm::Value *> values;
  std::vector<CType> types;
  bool is_signed = false;
};

void add_operand(Code &code, Call &call, const Value &value, bool is_signed) {
  call.values.push_back(value.llvm);
  call.types.push_back(code.c_type(*value.type, is_signed));
}

std::vector<Value> operands_of(Code &code, const Instruction &i, size_t count) {
  std::vector<Value> values;
  for (size_t k = 0; k < count; ++k) values.push_back(code.value(i, 2 + k));
  return values;
}

void require_pointer(const Value &value, bool writes) {
  require(value.type->is_pointer(), "an operand is no pointer");
  require(!writes || value.type->storage != spv::StorageClass::UniformConstant, "it writes to constant memory");
}

/// vloadn, vload_halfn, vloada_halfn: the number of components is part of the name.
Call load(Code &code, const Instruction &i, llvm::StringRef name) {
  const std::vector<Value> values = operands_of(code, i, 2);
  require_pointer(values[1], false);
  Call call;
  const unsigned lanes = code.type(i.type).lanes();
  const std::string count = lanes > 1 ? std::to_string(lanes) : "";
  call.name = name.starts_with("vload_half") ? "vload_half" + count
              : name.starts_with("vloada")   ? "vloada_half" + count
                                             : "vload" + count;
  require(name != "vloadn" || lanes > 1, "a vector is loaded as a scalar");
  add_operand(code, call, values[0], false);
  add_operand(code, call, values[1], false);
  call.types[1] = as_const(call.types[1]);
  return call;
}

Call store(Code &code, const Instruction &i, llvm::StringRef name) {
  const std::vector<Value> values = operands_of(code, i, 3);
  require_pointer(values[2], true);
  Call call;
  const unsigned lanes = values[0].type->lanes();
  const std::string count = lanes > 1 ? std::to_string(lanes) : "";
  call.name = name.starts_with("vstore_half") ? "vstore_half" + count
              : name.starts_with("vstorea")   ? "vstorea_half" + count
                                              : "vstore" + count;
  require(name != "vstoren" || lanes > 1, "a vector is stored as a scalar");
  if (name.ends_with("_r")) {
    require(i.at(5) < 4, "the rounding mode is unknown");
    call.name += kRoundings[i.at(5)];
  }
  for (const Value &value : values) add_operand(code, call, value, false);
  return call;
}

/// C's promotions of arguments behind "...".
llvm::Value *promoted(Code &code, const Value &value) {
  auto &build = code.build;
  if (value.type->is(Op::OpTypeFloat) && value.type->width < 64) return build.CreateFPExt(value.llvm, build.getDoubleTy());
  if (value.type->is(Op::OpTypeInt) && value.type->width < 32) return build.CreateZExt(value.llvm, build.getInt32Ty());
  return value.llvm;
}

void print(Code &code, const Instruction &i) {
  std::vector<llvm::Value *> values;
  for (size_t k = 2; k < i.size(); ++k) values.push_back(promoted(code, code.value(i, k)));
  auto *format = llvm::PointerType::get(code.reader.context(), 2);
  require(!values.empty() && values[0]->getType() == format, "the format is not in constant memory");
  llvm::Type *result = code.build.getInt32Ty();
  require(code.type(i.type).llvm == result, "printf returns an integer of 32 bits");
  llvm::FunctionCallee callee =
      code.reader.module().getOrInsertFunction("printf", llvm::FunctionType::get(result, {format}, true));
  auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
  require(function && function->isVarArg(), "the module gives printf another type");
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::CallInst *made = code.build.CreateCall(callee, values);
  made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  code.define(i, made);
}

/// OpenCL C's name of an instruction, without the sign.
llvm::StringRef c_name(llvm::StringRef name) {
  const llvm::StringRef stem = name.starts_with("s_") || name.starts_with("u_") ? name.drop_front(2) : name;
  return llvm::StringSwitch<llvm::StringRef>(stem)
      .Case("fclamp", "clamp")
      .Case("fmax_common", "max")
      .Case("fmin_common", "min")
      .Default(stem);
}

/// True if the operand of an ordinary function is a signed integer.
bool is_signed(llvm::StringRef name, size_t index) {
  if (name == "s_upsample") return index == 0;
  if (name.starts_with("s_")) return true;
  if (name == "ldexp" || name == "pown" || name == "rootn") return index == 1;
  return name == "frexp" || name == "lgamma_r" || name == "remquo";  // the integer's pointer
}

size_t operand_count(llvm::StringRef name, const Instruction &i) { return name == "prefetch" ? 2 : i.size() - 2; }

Call ordinary(Code &code, const Instruction &i, llvm::StringRef name) {
  Call call;
  call.name = c_name(name).str();
  const std::vector<Value> values = operands_of(code, i, operand_count(name, i));
  const bool is_prefetch = name == "prefetch";
  for (size_t k = 0; k < values.size(); ++k) {
    if (values[k].type->is_pointer()) require_pointer(values[k], !is_prefetch);
    add_operand(code, call, values[k], is_signed(name, k));
  }
  if (is_prefetch) call.types[0] = as_const(call.types[0]);
  // A scalar beside vectors, as in mix(float4, float4, float), is spread.
  return call;
}

void extended(Code &code, const Instruction &i) {
  const Import import = code.reader.import(i.at(0));
  require(import != Import::kNone, "the set of extended instructions is not imported");
  if (import == Import::kIgnored) return;
  const llvm::StringRef name = opencl_std_name(i.at(1));
  if (name.empty()) throw Invalid("OpenCL.std has no instruction " + std::to_string(i.at(1)));
  if (name == "printf") return print(code, i);
  const Call call = name.starts_with("vload")    ? load(code, i, name)
                    : name.starts_with("vstore") ? store(code, i, name)
                                                 : ordinary(code, i, name);
  const Type &result = code.type(i.type);
  llvm::Value *made = code.call(call.name, result.llvm, call.values, call.types);
  if (!result.is(Op::OpTypeVoid)) code.define(i, made);
}

}  // namespace

void add_extended_instructions(Handlers &table) { table[static_cast<uint32_t>(Op::OpExtInst)] = extended; }

}  // namespace upsweep::compiler::spirv
