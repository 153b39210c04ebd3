// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links the OpenCL C library into a module and takes it from spir64 to a target.
#include "passes/common/link_builtins.h"

#include "passes/common/claimed_alignment.h"
#include "passes/common/flat_memory.h"
#include "passes/common/import_library.h"
#include "passes/common/intrinsics.h"
#include "passes/cpu/arithmetic.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace upsweep::passes {

namespace {

// Clang calls every OpenCL function convergent. For the pure queries and for accesses of texels that would block hoisting.
void fix_intrinsic(Function &function, Effect effect) {
  function.setCallingConv(CallingConv::C);
  function.setDoesNotThrow();
  function.setWillReturn();
  const bool is_pure = effect == Effect::kPure || effect == Effect::kLatePure || effect == Effect::kArithmetic;
  if (is_pure || effect == Effect::kSubGroup) function.setDoesNotAccessMemory();
  if (effect == Effect::kReads) function.setOnlyReadsMemory();
  if (effect == Effect::kReads || effect == Effect::kWrites) function.setVisibility(GlobalValue::HiddenVisibility);
  if (effect == Effect::kPlace) function.setOnlyAccessesInaccessibleMemory();  // each call is for another place
  if (!is_pure && effect != Effect::kReads && effect != Effect::kWrites) return;
  function.setNotConvergent();
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user)) call->removeFnAttr(Attribute::Convergent);
}

void use_plain_convention(Function &function) {
  if (function.getCallingConv() == CallingConv::SPIR_KERNEL && !function.isDeclaration()) function.addFnAttr(kKernelAttribute);
  function.setCallingConv(CallingConv::C);
  if (function.isIntrinsic()) return;
  function.setDoesNotThrow();
  // Inlining is a matter of correctness here and every kernel must be cleaned up, also without optimisation.
  function.removeFnAttr(Attribute::OptimizeNone);
  // -cl-fast-relaxed-math marks the user's instructions. The same as a property of functions would spread to the library's
  // inlined bodies, whose rounding tricks the back end would then undo.
  for (StringRef relaxed :
       {"unsafe-fp-math", "approx-func-fp-math", "no-infs-fp-math", "no-nans-fp-math", "no-signed-zeros-fp-math"})
    function.removeFnAttr(relaxed);
  if (function.isDeclaration()) return;
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setDSOLocal(true);
  function.setComdat(nullptr);
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction)) call->setCallingConv(CallingConv::C);
}

constexpr Ups kEnqueuing[] = {Ups::kEnqueue, Ups::kEvent, Ups::kBlockQuery, Ups::kDefaultQueue};

/// So that code for other processors is gone before anything else sees it.
void fold_level(Module &module, const TargetMachine &machine) {
  Function *level = module.getFunction(name_of(Ups::kLevel));
  if (!level) return;
  Constant *answer = ConstantInt::get(level->getReturnType(), arithmetic_level(machine.getTargetFeatureString()));
  for (User *user : make_early_inc_range(level->users())) {
    auto *call = cast<CallInst>(user);
    call->replaceAllUsesWith(answer);
    call->eraseFromParent();
  }
  level->eraseFromParent();
}

Error check_complete(const Module &module, const TargetMachine &machine) {
  std::string missing;
  if (machine.getTargetTriple().isNVPTX())
    for (const Function &function : module)
      if (!function.use_empty() && is_contained(kEnqueuing, intrinsic_of(function)))
        return createStringError("error: the device has no device-side enqueue\n");
  for (const Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || intrinsic_of(function) != Ups::kNone || function.use_empty())
      continue;
    missing += "error: undefined function '" + function.getName().str() + "'\n";
  }
  for (const GlobalVariable &variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty())
      missing += "error: undefined variable '" + variable.getName().str() + "'\n";
  return missing.empty() ? Error::success() : createStringError(missing);
}

}  // namespace

void set_cpu_attributes(Module &module, const TargetMachine &machine) {
  bool wide = machine.getTargetFeatureString().contains("+avx512f");
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty()) function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (wide) function.addFnAttr("prefer-vector-width", "512");
  }
}

Error link_builtins(Module &module, Program &program) {
  const TargetMachine &machine = *program.options.machine;
  auto imported = import_library(module, program.options.libraries);
  if (!imported) return imported.takeError();
  const bool on_gpu = machine.getTargetTriple().isNVPTX();
  for (Function *function : *imported) {
    function->addFnAttr(kLibraryAttribute);
    // That keeps a body single within the library. On CPUs a RARE one stays a call, on GPUs one that shall be small.
    if (on_gpu) function->removeFnAttr(Attribute::Cold);
    if (!function->hasFnAttribute(on_gpu ? Attribute::MinSize : Attribute::Cold)) function->removeFnAttr(Attribute::NoInline);
    for (Instruction &instruction : instructions(*function))
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->getPointerAddressSpace() == kConstantSpace)
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(module.getContext(), {}));
  }
  if (Error error = check_complete(module, machine)) return error;
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  for (Function &function : module) {
    if (const UpsFunction &known = ups_function(function); known.id != Ups::kNone) fix_intrinsic(function, known.effect);
    use_plain_convention(function);
  }
  fold_level(module, machine);
  set_cpu_attributes(module, machine);
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getName().starts_with("llvm.")) continue;
    variable.setLinkage(GlobalValue::InternalLinkage);
    variable.setVisibility(GlobalValue::DefaultVisibility);
    variable.setDSOLocal(true);
    variable.setComdat(nullptr);
  }
  for (Function &function : module) align_variables(function);
  return Error::success();
}

}  // namespace upsweep::passes
