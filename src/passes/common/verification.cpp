// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's verifier with its complaints as an error.
#include "passes/common/verification.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace upsweep::passes {

Error verify_after(const char *step, const Module &module) {
  std::string text;
  raw_string_ostream stream(text);
  if (!verifyModule(module, &stream)) return Error::success();
  return createStringError("error: invalid LLVM IR after " + std::string(step) + ":\n" + text);
}

}  // namespace upsweep::passes
