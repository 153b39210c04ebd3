// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the variables, and the calls of inline assembly and of intrinsics.
#include "compiler/code/code_limits.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace upsweep::compiler {
namespace {

/// Whether the constraint is the x87 stack, which the back end cannot track through a kernel's code.
bool is_x87(llvm::StringRef code) { return code == "f" || code == "t" || code == "u" || code.starts_with("{st"); }

/// PTX registers hold one number, and floating-point numbers have registers of their own size.
bool fits_ptx(llvm::StringRef code, llvm::Type *type) {
  if (code.size() != 1 || !llvm::StringRef("bchrlfd").contains(code)) return true;
  if (type->isPointerTy()) return code == "l" || code == "r";
  if (!type->isIntegerTy() && !type->isFloatingPointTy()) return false;
  if (!type->isIntegerTy() || (code != "f" && code != "d")) return true;
  return type->getIntegerBitWidth() == (code == "f" ? 32 : 64);
}

/// The operands' types in the order of the constraints; null for constraints without an operand.
llvm::SmallVector<llvm::Type *, 8> operand_types(const llvm::CallBase &call, const llvm::InlineAsm::ConstraintInfoVector &all) {
  llvm::SmallVector<llvm::Type *, 8> types;
  unsigned argument = 0, result = 0;
  for (const llvm::InlineAsm::ConstraintInfo &constraint : all) {
    if (constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect) {
      auto *several = llvm::dyn_cast<llvm::StructType>(call.getType());
      types.push_back(several ? several->getElementType(result++) : call.getType());
    } else if (constraint.hasArg() && argument < call.arg_size()) {
      llvm::Type *type = constraint.isIndirect ? call.getParamElementType(argument) : nullptr;
      types.push_back(type ? type : call.getArgOperand(argument)->getType());
      ++argument;
    } else {
      types.push_back(nullptr);
    }
  }
  return types;
}

llvm::Error check_assembly(const llvm::CallBase &call, BackEnd back_end) {
  const auto constraints = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->ParseConstraints();
  const auto types = operand_types(call, constraints);
  for (auto [constraint, type] : llvm::zip(constraints, types)) {
    if (!type) continue;
    for (const std::string &code : constraint.Codes)
      if (back_end == BackEnd::kX86 ? is_x87(code) : !fits_ptx(code, type))
        return llvm::createStringError(
            "error: inline assembly in a kernel for this device: an operand of this type cannot be in "
            "a register of constraint '" +
            code + "'\n");
  }
  return llvm::Error::success();
}

/// Clang creates these intrinsics for its own functions, such as __builtin_sinf; OpenCL C's library does not use them.
bool has_instruction(llvm::Intrinsic::ID id, BackEnd back_end) {
  using namespace llvm;
  switch (id) {
  case Intrinsic::canonicalize: return false;
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::ldexp:
  case Intrinsic::frexp:
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::lrint:
  case Intrinsic::llrint: return back_end == BackEnd::kX86;  // a call of the C library, which the linker resolves
  default: return true;
  }
}

/// LLVM's PTX writer counts the bytes of an initial value in 32 bits, and overruns its memory if they overflow. Nested arrays
/// of equal parts are small in a module and huge in an object file.
llvm::Error check_size(const llvm::GlobalVariable &variable) {
  if (!variable.hasInitializer() || variable.getInitializer()->isNullValue()) return llvm::Error::success();
  const uint64_t bytes = variable.getDataLayout().getTypeAllocSize(variable.getValueType());
  if (bytes <= UINT32_MAX) return llvm::Error::success();
  return llvm::createStringError("error: the initial value of '" + variable.getName().str() + "' has " + std::to_string(bytes) +
                                 " bytes; the limit of this device is " + std::to_string(UINT32_MAX) + "\n");
}

}  // namespace

llvm::Error check_limits(const llvm::Module &module, BackEnd back_end) {
  for (const llvm::GlobalVariable &variable : module.globals())
    if (llvm::Error error = check_size(variable)) return error;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) continue;
      if (call->isInlineAsm()) {
        if (llvm::Error error = check_assembly(*call, back_end)) return error;
      } else if (const llvm::Intrinsic::ID id = call->getIntrinsicID(); id && !has_instruction(id, back_end)) {
        return llvm::createStringError("error: there is no instruction for '" + call->getCalledFunction()->getName().str() +
                                       "', which comes from a __builtin_ function of Clang; use OpenCL C's functions\n");
      }
    }
  return llvm::Error::success();
}

}  // namespace upsweep::compiler
