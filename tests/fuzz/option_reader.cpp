// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text as the options of each entry point: options, or an error with a text.
#include "compiler/options.h"

#include <cstdlib>

using namespace upsweep::compiler;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  for (OptionContext context : {OptionContext::kBuild, OptionContext::kCompile, OptionContext::kLink}) {
    llvm::Expected<Options> options = parse_options(text, context);
    if (!options && llvm::toString(options.takeError()).empty()) std::abort();
  }
  return 0;
}
