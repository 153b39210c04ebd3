// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where this installation's other parts are, seen from the running executable.
#ifndef UPSWEEP_CLI_OWN_DRIVER_H
#define UPSWEEP_CLI_OWN_DRIVER_H

#include <filesystem>

namespace upsweep::cli {

// The folder of the running executable.
std::filesystem::path executable_folder();

// Points the ICD loader to the driver of this build or installation, unless the user has chosen with OCL_ICD_VENDORS.
// To be called before the first OpenCL function, since the loader reads the variable once.
void prefer_own_driver();

}  // namespace upsweep::cli
#endif
