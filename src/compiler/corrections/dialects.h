// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dialects of OpenCL C that public programs use and Clang refuses while it parses, each a row of restrictions.def.
#ifndef UPSWEEP_COMPILER_CORRECTIONS_DIALECTS_H
#define UPSWEEP_COMPILER_CORRECTIONS_DIALECTS_H

#include "compiler/options.h"

namespace upsweep::compiler {

/// The options of the build that this thread runs, for functions that Clang calls and that are no members of anything.
class DialectScope {
public:
  explicit DialectScope(const Options &options);
  DialectScope(const DialectScope &) = delete;
  DialectScope &operator=(const DialectScope &) = delete;
  ~DialectScope();
};

}  // namespace upsweep::compiler
#endif
