/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The face of one system library, compiled once for each with -DUPSWEEP_LIBRARY_<name>: LLD links kernels against it and
   records the real library's name. None of these bodies is ever run. */
#ifdef UPSWEEP_LIBRARY_c
#define UPSWEEP_IN_c(name)                                                                                                     \
  void name(void) {}
#else
#define UPSWEEP_IN_c(name)
#endif
#ifdef UPSWEEP_LIBRARY_m
#define UPSWEEP_IN_m(name)                                                                                                     \
  void name(void) {}
#else
#define UPSWEEP_IN_m(name)
#endif
#ifdef UPSWEEP_LIBRARY_gcc_s
#define UPSWEEP_IN_gcc_s(name)                                                                                                 \
  void name(void) {}
#else
#define UPSWEEP_IN_gcc_s(name)
#endif
#define UPSWEEP_SYSTEM_FUNCTION(library, name) UPSWEEP_IN_##library(name)
#include "system_functions.def"
