// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inlines bottom-up: each function is complete and simplified before it is copied into its callers.
#include "passes/common/inline_context.h"

#include "passes/common/flat_memory.h"
#include "passes/common/intrinsics.h"
#include "passes/common/kernel_info.h"
#include "passes/common/link_builtins.h"
#include "passes/common/optimise.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

// User functions up to this size are inlined at every call, since calls stay scalar: one per work-item.
constexpr unsigned kInlineInstructions = 1000;
// Limits of checked code, since two calls a level double the code with each level: larger functions are simplified, and
// functions beyond the second limit stay calls, whose accesses have no check.
constexpr unsigned kMostCheckedAsWritten = 1000;
constexpr unsigned kMostCheckedInline = 20000;

class Inliner {
public:
  explicit Inliner(Program &program) : program_(program), simplify_(simplify_passes()) {}
  Error run();

private:
  enum class State { kNone, kVisiting, kDone };
  struct Node {
    State state = State::kNone;
    bool has_context = false;
    bool is_recursive = false;
  };

  Error visit(Function &function, bool is_item);
  bool should_inline(const Function &callee);
  Error inline_calls(Function &function);

  Program &program_;
  FunctionPassManager simplify_;
  DenseMap<const Function *, Node> nodes_;
};

bool Inliner::should_inline(const Function &callee) {
  const Node &node = nodes_[&callee];
  if (node.has_context || is_kernel(callee) || callee.hasFnAttribute(Attribute::AlwaysInline)) return true;
  if (node.is_recursive) return false;
  // Pointers keep their provenance.
  if (!program_.options.checks.is_empty() && !callee.hasFnAttribute(kLibraryAttribute))
    return callee.hasOneUse() || callee.getInstructionCount() <= kMostCheckedInline;
  if (callee.hasFnAttribute(Attribute::NoInline)) return false;
  return callee.hasFnAttribute(kLibraryAttribute) || callee.hasOneUse() || callee.getInstructionCount() <= kInlineInstructions;
}

Error Inliner::inline_calls(Function &function) {
  SmallVector<CallBase *, 32> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction)) calls.push_back(call);
  for (CallBase *call : calls) {
    Function *callee = call->getCalledFunction();
    if (!callee || callee->isDeclaration() || !should_inline(*callee)) continue;
    InlineFunctionInfo info;
    InlineResult result = InlineFunction(*call, info);
    if (!result.isSuccess())
      return createStringError("error: function '" + callee->getName().str() +
                               "' cannot be inlined: " + result.getFailureReason() + "\n");
  }
  return Error::success();
}

Error Inliner::visit(Function &function, bool is_item) {
  nodes_[&function].state = State::kVisiting;
  bool has_context = false;
  SmallSetVector<Function *, 16> callees;
  for (Instruction &instruction : instructions(function)) {
    has_context |= any_of(instruction.operands(), uses_local_variable);
    has_context |= instruction.isAtomic() || instruction.isVolatile();  // it may be in a loop that must yield
    auto *call = dyn_cast<CallBase>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isIntrinsic()) continue;
    if (const UpsFunction &known = ups_function(*callee); known.id == Ups::kNone)
      callees.insert(callee);
    else
      has_context |= known.effect != Effect::kArithmetic;
  }
  for (Function *callee : callees) {
    State state = nodes_[callee].state;
    if (state == State::kNone) {
      if (Error error = visit(*callee, false)) return error;
    } else if (state == State::kVisiting) {
      nodes_[callee].is_recursive = true;
    }
    has_context |= nodes_[callee].has_context;
  }
  Node &node = nodes_[&function];
  node.has_context = has_context;
  node.state = State::kDone;
  if (node.is_recursive && has_context)
    return createStringError("error: function '" + function.getName().str() +
                             "' is recursive, which OpenCL C does not allow\n");
  if (Error error = inline_calls(function)) return error;
  // Simplification removes accesses that are undefined, and that a check must find.
  const bool keeps_accesses = !program_.options.checks.is_empty() && !function.hasFnAttribute(kLibraryAttribute) &&
                              function.getInstructionCount() <= kMostCheckedAsWritten;
  if (!is_item && !keeps_accesses && !function.isDeclaration()) run_on(function, simplify_, *program_.functions);
  return Error::success();
}

Error Inliner::run() {
  for (const Kernel &kernel : program_.kernels)
    if (Error error = visit(*kernel.item, true)) return error;
  return Error::success();
}

}  // namespace

Error inline_context(Module &, Program &program) { return Inliner(program).run(); }

}  // namespace upsweep::passes
