// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work list of the library functions that are reachable from a module.
#include "passes/common/import_library.h"

#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class Importer : public ValueMaterializer {
public:
  Importer(Module &module, ArrayRef<Library *> libraries) : module_(module), libraries_(libraries) {}

  /// LLVM calls it for each global of the library to which copied code refers.
  Value *materialize(Value *value) override {
    auto *object = dyn_cast<GlobalObject>(value);
    return object ? declare(*object) : nullptr;
  }

  /// Declares the library's `name`, if it exists; finish() defines it.
  void want(StringRef name) {
    if (GlobalObject *source = find(name)) declare(*source);
  }

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
    return std::move(error_);
  }

  SmallVector<Function *, 16> take() { return std::move(imported_); }

private:
  GlobalObject *find(StringRef name) {
    for (Library *library : libraries_) {
      Expected<GlobalObject *> found = library->find(name);
      if (!found)
        error_ = joinErrors(std::move(error_), found.takeError());
      else if (*found)
        return *found;
    }
    return nullptr;
  }

  /// The parts of the library contain declarations of each other's functions.
  GlobalValue *declare(GlobalObject &mention) {
    GlobalObject *definition = mention.isDeclaration() ? find(mention.getName()) : nullptr;
    GlobalObject &source = definition ? *definition : mention;
    if (Value *known = map_.lookup(&source)) return cast<GlobalValue>(known);
    if (auto *function = dyn_cast<Function>(&source)) return declare(*function);
    return declare(cast<GlobalVariable>(source));
  }

  Function *declare(Function &source) {
    Function *existing = source.hasLocalLinkage() ? nullptr : module_.getFunction(source.getName());
    bool defines = !source.isDeclaration();  // an unparsed body counts
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

  /// `copy` gets its source's name and replaces the module's own declaration.
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
  ArrayRef<Library *> libraries_;
  Error error_ = Error::success();
  ValueToValueMapTy map_;
  SmallVector<Function *, 16> functions_;  ///< of the library; declared but not yet copied
  SmallVector<GlobalVariable *, 8> variables_;
  SmallVector<Function *, 16> imported_;
};

/// The module's declarations, which the library may define.
SmallVector<std::string, 16> wanted(const Module &module) {
  SmallVector<std::string, 16> names;
  for (const GlobalObject &object : module.global_objects())
    if (object.isDeclaration() && !object.getName().starts_with("llvm.")) names.push_back(object.getName().str());
  return names;
}

}  // namespace

Expected<SmallVector<Function *, 16>> import_library(Module &module, ArrayRef<Library *> libraries) {
  Importer importer(module, libraries);
  for (const std::string &name : wanted(module)) importer.want(name);
  if (Error error = importer.finish()) return std::move(error);
  return importer.take();
}

}  // namespace upsweep::passes
