// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links the OpenCL C library into a module and converts it from spir64 to a target.
#include "passes/common/link_builtins.h"

#include "passes/common/claimed_alignment.h"
#include "passes/common/flat_memory.h"
#include "passes/common/host_variables.h"
#include "passes/common/import_library.h"
#include "passes/common/intrinsics.h"
#include "passes/cpu/arithmetic.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace upsweep::passes {

namespace {

// Clang makes every OpenCL function convergent, which would block the hoisting of pure queries and texel accesses.
void fix_intrinsic(Function &function, Effect effect) {
  function.setCallingConv(CallingConv::C);
  function.setDoesNotThrow();
  function.setWillReturn();
  const bool is_pure = effect == Effect::kPure || effect == Effect::kLatePure || effect == Effect::kArithmetic;
  if (is_pure || effect == Effect::kSubGroup) function.setDoesNotAccessMemory();
  if (effect == Effect::kReads) function.setOnlyReadsMemory();
  if (effect == Effect::kReads || effect == Effect::kWrites) function.setVisibility(GlobalValue::HiddenVisibility);
  if (effect == Effect::kPlace) function.setOnlyAccessesInaccessibleMemory();  // each call is for a different place
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
  // Inlining is necessary for correctness here, and every kernel must be cleaned up, even without optimisation.
  function.removeFnAttr(Attribute::OptimizeNone);
  // -cl-fast-relaxed-math marks the user's instructions. As a function property it would also apply to inlined library bodies,
  // and the back end would then break their rounding tricks.
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

constexpr StringLiteral kAssertOfDriver = "__assertfail";  // builtins/nvptx/assertions.cl

constexpr Ups kEnqueuing[] = {Ups::kEnqueue, Ups::kEvent, Ups::kBlockQuery, Ups::kDefaultQueue};

/// Removes code for other processors before any other pass sees it.
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
  const auto has_body = [&](const Function &function) {  // by the target's passes or library, or in NVIDIA's driver
    return intrinsic_of(function) != Ups::kNone ||
           (machine.getTargetTriple().isNVPTX() && function.getName() == kAssertOfDriver);
  };
  for (const Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || has_body(function) || function.use_empty()) continue;
    if (const StringRef place = function.getFnAttribute(kFirstUse).getValueAsString(); !place.empty())
      missing += place.str() + ": ";
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
  add_exported_names(module);
  const size_t num_variables = module.global_size();
  auto imported = import_library(module, program.options.libraries);
  if (!imported) return imported.takeError();
  if (!program.options.checks.is_empty())
    for (GlobalVariable &variable : drop_begin(module.globals(), num_variables))
      variable.setMetadata(kLibraryVariable, MDNode::get(module.getContext(), {}));
  const bool on_gpu = machine.getTargetTriple().isNVPTX();
  for (Function *function : *imported) {
    function->addFnAttr(kLibraryAttribute);
    // In the library, noinline keeps each body single. From here on, only RARE functions (cold) stay calls on CPUs, and only
    // minsize functions on GPUs.
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
