// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds cycles of the call graph. A module contains instances of templates, constructors and separately compiled sources. The
// syntax tree would also contain functions that are evaluated only at compile time, where C++ uses recursion for loops.
#include "compiler/language/recursion.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Demangle/Demangle.h"

namespace upsweep::compiler {

std::vector<Recursion> find_recursion(llvm::Module &module) {
  std::vector<Recursion> found;
  llvm::CallGraph graph(module);
  for (auto group = llvm::scc_begin(&graph); !group.isAtEnd(); ++group) {
    if (!group.hasCycle()) continue;
    auto takes_part = [&](const llvm::Function &function) { return llvm::is_contained(*group, graph[&function]); };
    Recursion recursion;
    for (const llvm::Function &function : module)
      if (takes_part(function)) recursion.push_back(&function);
    if (!llvm::all_of(recursion, [](const llvm::Function *f) { return f->hasFnAttribute(kMayRecurse); }))
      found.push_back(std::move(recursion));
  }
  return found;
}

std::string source_name(const llvm::Function &function) { return llvm::demangle(function.getName()); }

std::string describe_recursion(llvm::ArrayRef<std::string> names) {
  llvm::SmallVector<llvm::StringRef, 4> once;
  for (const std::string &name : names)
    if (!llvm::is_contained(once, name)) once.push_back(name);
  std::string text;
  for (size_t i = 0; i < once.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == once.size() ? " and '" : ", '") + once[i].str() + "'";
  return text + (once.size() == 1 ? " calls itself" : once.size() == 2 ? " call each other" : " call one another");
}

}  // namespace upsweep::compiler
