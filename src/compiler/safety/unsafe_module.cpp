// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks LLVM's IR. The checks of the syntax tree (unsafe_source.h) come first and know the location in the source. These
// checks also see code from templates, pragmas and linked modules.
#include "compiler/safety/unsafe_module.h"

#include "compiler/safety/inline_assembly.h"
#include "compiler/safety/static_constructors.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace upsweep::compiler {
namespace {

using Found = std::vector<UnsafeConstruct>;

std::string quoted(const llvm::GlobalValue &value) { return "'" + llvm::demangle(value.getName()) + "'"; }

const llvm::GlobalVariable *as_variable(const llvm::Value *value) {
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value->stripInBoundsOffsets());
  return variable && !variable->isDeclaration() ? variable : nullptr;
}

/// The variable that Clang's function `function` initialises, by a store or by a constructor that gets its address.
const llvm::GlobalVariable *initialised_by(const llvm::Function &function) {
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      if (const auto *variable = as_variable(store->getPointerOperand())) return variable;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    for (unsigned i = 0; call && i < call->arg_size(); ++i)
      if (const auto *variable = as_variable(call->getArgOperand(i))) return variable;
  }
  return nullptr;
}

bool calls(const llvm::Function &function, llvm::StringRef name) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
  });
}

/// "The implementation defines an ABI format for initialization and destruction of global objects before/after all kernels are
/// enqueued" (C++ for OpenCL, "Construction, initialization and destruction"): this implementation has none.
void find_constructors(llvm::Module &module, Found &found) {
  for (const llvm::Function *function : evaluate_constructors(module)) {
    const bool is_clangs = function->getName().starts_with("__cxx_global_");
    const llvm::GlobalVariable *variable = is_clangs ? initialised_by(*function) : nullptr;
    if (calls(*function, "__cxa_atexit"))
      found.push_back({"a program-scope object with a destructor is not supported", variable});
    else if (!variable)
      found.push_back({quoted(*function) + " would run when the program is loaded; constructors are not supported", function});
    else
      found.push_back({"the initial value of " + quoted(*variable) +
                           " is not known at compile time; program-scope objects need constant initializers",
                       variable});
  }
  const llvm::GlobalVariable *destructors = module.getNamedGlobal("llvm.global_dtors");
  const auto *list = destructors && destructors->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantArray>(destructors->getInitializer())
                         : nullptr;
  for (unsigned i = 0; list && i < list->getNumOperands(); ++i) {
    const auto *entry = llvm::dyn_cast<llvm::ConstantStruct>(list->getOperand(i));
    const auto *function = entry ? llvm::dyn_cast<llvm::GlobalValue>(entry->getOperand(1)->stripPointerCasts()) : nullptr;
    const std::string name = function ? quoted(*function) : "a function";
    found.push_back({name + " would run when the program is unloaded; destructors are not supported", function});
  }
}

void find_symbols(const llvm::Module &module, Found &found) {
  if (!module.getModuleInlineAsm().empty()) found.push_back({"assembly outside of functions is not supported"});
  // #pragma comment(lib, ...), which would make LLD open files.
  for (const char *name : {"llvm.dependent-libraries", "llvm.linker.options"})
    if (module.getNamedMetadata(name)) found.push_back({"options for the linker are not supported"});
  for (const llvm::GlobalAlias &alias : module.aliases())
    found.push_back({quoted(alias) + ": aliases are not supported", &alias});
  for (const llvm::GlobalIFunc &function : module.ifuncs())
    found.push_back({quoted(function) + ": functions that are chosen at load time (ifunc) are not supported", &function});
  for (const llvm::GlobalObject &object : module.global_objects()) {
    if (object.getName().starts_with("llvm.")) continue;
    if (object.hasSection() || object.hasPartition())
      found.push_back({quoted(object) + " cannot be put into the section '" + object.getSection().str() + "'", &object});
    if (object.isThreadLocal()) found.push_back({quoted(object) + ": thread-local variables are not supported", &object});
  }
}

void find_in_functions(const llvm::Module &module, bool for_cpu, Found &found) {
  for (const llvm::Function &function : module) {
    if (function.hasFnAttribute(llvm::Attribute::Naked))
      found.push_back({quoted(function) + ": functions without entry and exit (naked) are not supported", &function});
    if (function.hasPrefixData() || function.hasPrologueData() || function.hasPersonalityFn())
      found.push_back({quoted(function) + " has data or code outside its body", &function});
    if (!for_cpu) continue;
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!assembly) continue;
      if (std::optional<std::string> reason = reason_to_refuse(assembly->getAsmString()))
        found.push_back({"inline assembly in " + quoted(function) + " uses " + *reason +
                             ", which is not supported: it may leave the function",
                         &function, call});
    }
  }
}

}  // namespace

std::vector<UnsafeConstruct> find_unsafe(llvm::Module &module, bool for_cpu) {
  Found found;
  find_constructors(module, found);
  find_symbols(module, found);
  find_in_functions(module, for_cpu, found);
  return found;
}

llvm::Error check_safety(llvm::Module &module, bool for_cpu) {
  std::string text;
  for (const UnsafeConstruct &each : find_unsafe(module, for_cpu))
    text += (text.empty() ? "" : "\n") + ("error: " + each.text) + " [" + kUnsafeSourceHint + "]";
  return text.empty() ? llvm::Error::success() : llvm::createStringError(text);
}

}  // namespace upsweep::compiler
