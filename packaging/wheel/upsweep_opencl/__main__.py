# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m upsweep_opencl prints the driver's path, as OCL_ICD_VENDORS takes it."""

from upsweep_opencl import driver

print(driver())
