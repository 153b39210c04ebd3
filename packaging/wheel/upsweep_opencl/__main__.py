# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m upsweep_opencl prints the driver's path, for OCL_ICD_VENDORS."""

from upsweep_opencl import driver

print(driver())
