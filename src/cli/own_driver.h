// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locations of this installation's other parts, relative to the running executable.
#ifndef UPSWEEP_CLI_OWN_DRIVER_H
#define UPSWEEP_CLI_OWN_DRIVER_H

#include <filesystem>

namespace upsweep::cli {

// The folder of the running executable.
std::filesystem::path executable_folder();

// Points the ICD loader to the driver of this build or installation, unless the user has set OCL_ICD_VENDORS. Call it before
// the first OpenCL function, since the loader reads the variable only once.
void prefer_own_driver();

}  // namespace upsweep::cli
#endif
