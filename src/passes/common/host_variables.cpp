// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A metadata node per variable, with a name and its accesses for each pair of operands.
#include "passes/common/host_variables.h"

#include "passes/common/flat_memory.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

constexpr StringLiteral kHostMetadata = "upsweep.host";

}  // namespace

void add_host_name(GlobalVariable &variable, StringRef name, uint32_t access) {
  LLVMContext &context = variable.getContext();
  SmallVector<Metadata *, 4> operands;
  if (const MDNode *known = variable.getMetadata(kHostMetadata)) operands.append(known->op_begin(), known->op_end());
  operands.push_back(MDString::get(context, name));
  operands.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), access)));
  variable.setMetadata(kHostMetadata, MDNode::get(context, operands));
}

void add_exported_names(Module &module) {
  for (GlobalVariable &variable : module.globals()) {
    const StringRef name = variable.getName();
    const bool is_exported =
        !variable.hasLocalLinkage() && !variable.isDeclaration() && !name.empty() && !name.starts_with("llvm.");
    if (is_exported && variable.getAddressSpace() == kGlobalSpace)
      add_host_name(variable, name, kHostReads | (variable.isConstant() ? 0U : uint32_t{kHostWrites}));
  }
}

SmallVector<HostVariable, 8> host_variables(Module &module) {
  SmallVector<HostVariable, 8> found;
  for (GlobalVariable &variable : module.globals())
    if (const MDNode *names = variable.getMetadata(kHostMetadata))
      for (unsigned i = 0; i + 1 < names->getNumOperands(); i += 2)
        found.push_back({cast<MDString>(names->getOperand(i))->getString(), &variable,
                         static_cast<uint32_t>(mdconst::extract<ConstantInt>(names->getOperand(i + 1))->getZExtValue())});
  return found;
}

}  // namespace upsweep::passes
