// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPSWEEP_CPP20, without which a public header of the libraries for CPUs and OpenCL is empty: an older compiler prints one
// error, and no others for the header's text.
#pragma once

#if __cplusplus >= 202002L
#define UPSWEEP_CPP20
#else
#error "The headers upsweep/cpu and upsweep/opencl need C++20: compile with -std=c++20 or later."
#endif
