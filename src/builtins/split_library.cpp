// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits the linked library into an archive of modules (src/passes/common/library.h): split_library LIBRARY PARTS ARCHIVE. Each module
// only declares the functions that it uses; llvm-split leaves all 13,600 declarations in every part.
#include "builtins/library_parts.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Object/ArchiveWriter.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

using namespace llvm;

namespace upsweep {
namespace {

/// A module with copies of some functions and variables of another module, all of which have external linkage.
class Part : public ValueMaterializer {
public:
  Part(const Module &whole, LLVMContext &context) : module_("part", context) {
    module_.setTargetTriple(whole.getTargetTriple());
    module_.setDataLayout(whole.getDataLayout());
  }

  Value *materialize(Value *value) override {
    auto *object = dyn_cast<GlobalObject>(value);
    return object ? declare(*object) : nullptr;
  }

  void define(Function &source) {
    auto *copy = cast<Function>(declare(source));
    for (auto [from, to] : zip(source.args(), copy->args())) values_[&from] = &to;
    SmallVector<ReturnInst *, 4> returns;
    CloneFunctionInto(copy, &source, values_, CloneFunctionChangeType::DifferentModule, returns, "", nullptr, nullptr, this);
  }

  void define(GlobalVariable &source) {
    auto *copy = cast<GlobalVariable>(declare(source));
    copy->setInitializer(MapValue(source.getInitializer(), values_, RF_None, nullptr, this));
  }

  [[nodiscard]] NewArchiveMember bitcode() const {
    SmallVector<char, 0> bytes;
    raw_svector_ostream stream(bytes);
    WriteBitcodeToFile(module_, stream);
    NewArchiveMember member;
    member.Buf = MemoryBuffer::getMemBufferCopy(stream.str());
    member.MemberName = "part";
    return member;
  }

private:
  GlobalObject *declare(GlobalObject &source) {
    if (Value *known = values_.lookup(&source)) return cast<GlobalObject>(known);
    GlobalObject *copy = nullptr;
    if (auto *function = dyn_cast<Function>(&source)) {
      copy = Function::Create(function->getFunctionType(), function->getLinkage(), function->getAddressSpace(),
                              function->getName(), &module_);
      cast<Function>(copy)->copyAttributesFrom(function);
    } else {
      auto &variable = cast<GlobalVariable>(source);
      copy = new GlobalVariable(module_, variable.getValueType(), variable.isConstant(), variable.getLinkage(), nullptr,
                                variable.getName(), nullptr, variable.getThreadLocalMode(), variable.getAddressSpace());
      cast<GlobalVariable>(copy)->copyAttributesFrom(&variable);
    }
    values_[&source] = copy;
    return copy;
  }

  Module module_;
  ValueToValueMapTy values_;
};

/// Makes all symbols external, since a part may use symbols of others.
void make_external(Module &module) {
  for (GlobalObject &object : module.global_objects()) {
    if (object.isDeclaration() || !object.hasLocalLinkage()) continue;
    object.setLinkage(GlobalValue::ExternalLinkage);
    object.setVisibility(GlobalValue::HiddenVisibility);
  }
}

template <typename Range>
void define_share(Part &part, Range &&objects, size_t index, size_t parts) {
  for (auto &object : objects)
    if (!object.isDeclaration() && library_part(object.getName(), parts) == index) part.define(object);
}

Error split(Module &library, size_t parts, StringRef archive) {
  make_external(library);
  std::vector<NewArchiveMember> members;
  for (size_t i = 0; i < parts; ++i) {
    Part part(library, library.getContext());
    define_share(part, library.globals(), i, parts);
    define_share(part, library.functions(), i, parts);
    members.push_back(part.bitcode());
  }
  return writeArchive(archive, members, SymtabWritingMode::NoSymtab, object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
}

}  // namespace
}  // namespace upsweep

int main(int argc, char **argv) {
  size_t parts = 0;
  if (argc != 4 || StringRef(argv[2]).getAsInteger(10, parts) || parts == 0) {
    errs() << "usage: split_library LIBRARY PARTS ARCHIVE\n";
    return 2;
  }
  LLVMContext context;
  SMDiagnostic problem;
  auto library = parseIRFile(argv[1], problem, context);
  if (!library) {
    problem.print(argv[0], errs());
    return 1;
  }
  ExitOnError(std::string(argv[0]) + ": ")(upsweep::split(*library, parts, argv[3]));
  return 0;
}
