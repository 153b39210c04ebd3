// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the descriptions of checked places (UpsweepCheckSite) as variables of the module.
#ifndef UPSWEEP_PASSES_CPU_CHECK_SITES_H
#define UPSWEEP_PASSES_CPU_CHECK_SITES_H

#include "base/check_abi.h"
#include "base/kernel_description.h"
#include "passes/common/check_lines.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace upsweep::passes {

/// The known facts about an access, for its report.
struct SiteFacts {
  UpsweepObjectKind kind = UPSWEEP_OBJECT_UNKNOWN;
  std::string object;
  int32_t argument = -1;
  uint32_t access = 0;
  uint64_t width = 0;  ///< 0 if it varies
  uint64_t align = 1;
  uint64_t element = 0;
  const llvm::Type *written = nullptr;
};

class SiteTable {
public:
  SiteTable(llvm::Module &module, std::string kernel) : module_(module), kernel_(std::move(kernel)), lines_(module) {}
  llvm::Constant *site(const llvm::Instruction &access, const SiteFacts &facts);

private:
  llvm::Constant *text(llvm::StringRef text);

  llvm::Module &module_;
  std::string kernel_;
  CheckLines lines_;
  llvm::StringMap<llvm::Constant *> texts_;
  llvm::DenseMap<llvm::Constant *, llvm::Constant *> sites_;  ///< by their contents
};

}  // namespace upsweep::passes
#endif
