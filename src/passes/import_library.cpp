// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work list over the functions of a library that are reachable from a module.
#include "passes/import_library.h"

#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class Importer : public ValueMaterializer {
public:
  explicit Importer(Module &module) : module_(module) {}

  /// Called for each global of the library when something copied refers to it.
  Value *materialize(Value *value) override {
    if (auto *function = dyn_cast<Function>(value)) return declare(*function);
    if (auto *variable = dyn_cast<GlobalVariable>(value)) return declare(*variable);
    return nullptr;
  }

  /// Declares and, in finish(), defines.
  void want(GlobalValue &source) { map_[&source] = materialize(&source); }

  Error finish() {
    while (!functions_.empty() || !variables_.empty()) {
      if (!variables_.empty()) {
        GlobalVariable *source = variables_.pop_back_val();
        auto *copy = cast<GlobalVariable>(map_[source]);
        copy->setInitializer(MapValue(source->getInitializer(), map_, RF_None, nullptr, this));
      } else if (Error error = copy_body(*functions_.pop_back_val())) {
        return error;
      }
    }
    return Error::success();
  }

  SmallVector<Function *, 16> take() { return std::move(imported_); }

private:
  Function *declare(Function &source) {
    Function *existing = source.hasLocalLinkage() ? nullptr : module_.getFunction(source.getName());
    bool defines = !source.isDeclaration();  // a body that was not parsed yet counts
    if (existing && (!existing->isDeclaration() || !defines)) return existing;
    Function *copy = Function::Create(source.getFunctionType(), source.getLinkage(), source.getAddressSpace(), "", &module_);
    copy->copyAttributesFrom(&source);
    name(*copy, source, existing);
    if (defines) functions_.push_back(&source);
    map_[&source] = copy;
    return copy;
  }

  GlobalVariable *declare(GlobalVariable &source) {
    GlobalVariable *existing = source.hasLocalLinkage() ? nullptr : module_.getNamedGlobal(source.getName());
    if (existing && (existing->hasInitializer() || !source.hasInitializer())) return existing;
    auto *copy = new GlobalVariable(module_, source.getValueType(), source.isConstant(), source.getLinkage(), nullptr, "",
                                    nullptr, source.getThreadLocalMode(), source.getAddressSpace());
    copy->copyAttributesFrom(&source);
    name(*copy, source, existing);
    if (source.hasInitializer()) variables_.push_back(&source);
    map_[&source] = copy;
    return copy;
  }

  /// `copy` gets its source's name, and the place of the module's own declaration.
  static void name(GlobalObject &copy, const GlobalObject &source, GlobalObject *existing) {
    if (!existing) return copy.setName(source.getName());
    copy.takeName(existing);
    existing->replaceAllUsesWith(&copy);
    existing->eraseFromParent();
  }

  Error copy_body(Function &source) {
    if (Error error = source.materialize()) return error;
    auto *copy = cast<Function>(map_[&source]);
    auto argument = copy->arg_begin();
    for (const Argument &original : source.args()) {
      argument->setName(original.getName());
      map_[&original] = &*argument++;
    }
    SmallVector<ReturnInst *, 4> returns;
    CloneFunctionInto(copy, &source, map_, CloneFunctionChangeType::DifferentModule, returns, "", nullptr, nullptr, this);
    imported_.push_back(copy);
    return Error::success();
  }

  Module &module_;
  ValueToValueMapTy map_;
  SmallVector<Function *, 16> functions_;  ///< of the library, declared and not yet copied
  SmallVector<GlobalVariable *, 8> variables_;
  SmallVector<Function *, 16> imported_;
};

/// What the module declares and the library can give.
SmallVector<GlobalValue *, 16> wanted(const Module &module, const Module &library) {
  SmallVector<GlobalValue *, 16> result;
  for (const GlobalObject &object : module.global_objects()) {
    if (!object.isDeclaration() || object.getName().starts_with("llvm.")) continue;
    GlobalValue *source = library.getNamedValue(object.getName());
    if (source && !source->isDeclaration() && !source->hasLocalLinkage()) result.push_back(source);
  }
  return result;
}

}  // namespace

Expected<SmallVector<Function *, 16>> import_library(Module &module, Module &library) {
  Importer importer(module);
  for (GlobalValue *source : wanted(module, library)) importer.want(*source);
  if (Error error = importer.finish()) return std::move(error);
  return importer.take();
}

}  // namespace upsweep::passes
