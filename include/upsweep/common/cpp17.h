// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPSWEEP_CPP17, without which a public header of the CUDA library is empty: an older compiler prints one error, and no others
// for the header's text.
#pragma once

#if __cplusplus >= 201703L || (defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#define UPSWEEP_CPP17
#else
#error "The headers upsweep/cuda need C++17: compile with -std=c++17 or later."
#endif
