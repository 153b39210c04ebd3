// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs GlobalOpt's evaluation of constructors on the portable module. Clang evaluates constexpr constructors itself; this is
// for other constructors with a known result, such as `global square s(3)`.
#include "compiler/safety/static_constructors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/CtorUtils.h"
#include "llvm/Transforms/Utils/Evaluator.h"

namespace upsweep::compiler {
namespace {

/// Whether the function can be evaluated; `commit` also stores the results.
bool evaluate(llvm::Function &function, const llvm::TargetLibraryInfo &library, bool commit) {
  llvm::Evaluator evaluator(function.getParent()->getDataLayout(), &library);
  llvm::Constant *nothing = nullptr;
  if (!evaluator.EvaluateFunction(&function, nothing, llvm::SmallVector<llvm::Constant *, 0>())) return false;
  if (!commit) return true;
  for (const auto &[variable, value] : evaluator.getMutatedInitializers()) variable->setInitializer(value);
  return true;
}

/// The functions that run at load time, and all functions that they call.
llvm::SetVector<llvm::Function *> constructors(llvm::Module &module) {
  llvm::SetVector<llvm::Function *> functions;
  llvm::optimizeGlobalCtorsList(module, [&](uint32_t, llvm::Function *function) {
    functions.insert(function);
    return false;
  });
  for (size_t i = 0; i < functions.size(); ++i)
    for (llvm::Instruction &instruction : llvm::instructions(functions[i]))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->getCalledFunction())
        if (!call->getCalledFunction()->isDeclaration()) functions.insert(call->getCalledFunction());
  return functions;
}

/// LLVM's evaluator neither stores generic pointers, such as `this`, in private variables, nor executes a block twice.
void simplify_constructors(llvm::Module &module) {
  const auto functions = constructors(module);
  if (functions.empty()) return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager analyses;
  llvm::CGSCCAnalysisManager groups;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(analyses);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, analyses, groups, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager unrolling;
  unrolling.addPass(llvm::LoopRotatePass());
  unrolling.addPass(llvm::IndVarSimplifyPass());
  unrolling.addPass(llvm::LoopFullUnrollPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(unrolling)));
  for (llvm::Function *function : functions) passes.run(*function, analyses);
}

/// Clang's _GLOBAL__sub_I_ function calls the initialisers of a source's variables in order.
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
  simplify_constructors(module);
  const llvm::TargetLibraryInfoImpl functions(llvm::Triple(module.getTargetTriple()));
  const llvm::TargetLibraryInfo library(functions);
  std::vector<llvm::Function *> left;
  llvm::optimizeGlobalCtorsList(module, [&](uint32_t, llvm::Function *function) {
    // Initialisers after an initialiser that must run have to wait for it.
    if (left.empty() && evaluate(*function, library, true)) return true;
    const size_t before = left.size();
    for (llvm::Function *each : initialisers(*function))
      if (!evaluate(*each, library, false)) left.push_back(each);
    if (left.size() == before) left.push_back(function);
    return false;
  });
  return left;
}

}  // namespace upsweep::compiler
