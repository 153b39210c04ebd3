// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the values that the driver takes from the environment's variables. The test runs it as a setuid program.
#include "base/options.h"
#include "compiler/client/disk_cache.h"

#include <cstdio>

int main() {
  const upsweep::Options &options = upsweep::options();
  const bool has_variables = upsweep::environment("HOME") || upsweep::environment("XDG_CACHE_HOME");
  std::printf("%s%s\ncompiler %s\nfolder %s\nlog %d\ncache %d\n", upsweep::has_raised_rights() ? "raised" : "ordinary",
              has_variables ? ", with variables" : "", options.compiler.c_str(), options.cache_dir.c_str(), options.log,
              upsweep::compiler::DiskCache::instance().enabled());
}
