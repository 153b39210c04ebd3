// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the driver relative to the command: in a build tree, or below an installation's prefix.
#include "cli/own_driver.h"

#include <cstdlib>
#include <system_error>

namespace upsweep::cli {

std::filesystem::path executable_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

void prefer_own_driver() {
  if (std::getenv("OCL_ICD_VENDORS")) return;
  const std::filesystem::path prefix = executable_folder().parent_path();
  for (const char *folder : {"vendors", "etc/OpenCL/vendors"}) {
    std::error_code error;
    if (std::filesystem::exists(prefix / folder / "upsweep.icd", error)) {
      setenv("OCL_ICD_VENDORS", (prefix / folder).c_str(), 0);
      return;
    }
  }
}

}  // namespace upsweep::cli
