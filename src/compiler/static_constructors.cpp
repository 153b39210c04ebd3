// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GlobalOpt's evaluation of constructors on the portable module. Clang evaluates constexpr constructors by itself; this is for
// all others whose result is known, such as `global square s(3)`.
#include "compiler/static_constructors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/CtorUtils.h"
#include "llvm/Transforms/Utils/Evaluator.h"

namespace upsweep::compiler {
namespace {

bool evaluate(llvm::Function &function, const llvm::TargetLibraryInfo &library) {
  llvm::Evaluator evaluator(function.getParent()->getDataLayout(), &library);
  llvm::Constant *nothing = nullptr;
  if (!evaluator.EvaluateFunction(&function, nothing, llvm::SmallVector<llvm::Constant *, 0>())) return false;
  for (const auto &[variable, value] : evaluator.getMutatedInitializers()) variable->setInitializer(value);
  return true;
}

/// Clang's _GLOBAL__sub_I_ function calls the initialisers of a source's variables in their order.
std::vector<llvm::Function *> initialisers(llvm::Function &function) {
  std::vector<llvm::Function *> calls;
  if (!function.getName().starts_with("_GLOBAL__sub_I_")) return {&function};
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction())
      calls.push_back(call->getCalledFunction());
  return calls;
}

}  // namespace

std::vector<llvm::Function *> evaluate_constructors(llvm::Module &module) {
  const llvm::TargetLibraryInfoImpl functions(llvm::Triple(module.getTargetTriple()));
  const llvm::TargetLibraryInfo library(functions);
  std::vector<llvm::Function *> left;
  llvm::optimizeGlobalCtorsList(module, [&](uint32_t, llvm::Function *function) {
    // Those after one that has to run have to wait for it.
    if (left.empty() && evaluate(*function, library)) return true;
    for (llvm::Function *each : initialisers(*function)) left.push_back(each);
    return false;
  });
  return left;
}

}  // namespace upsweep::compiler
