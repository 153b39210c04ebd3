// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL C library as LLVM bitcode, embedded in the compiler.
#ifndef UPSWEEP_BUILTINS_BUILTINS_H
#define UPSWEEP_BUILTINS_BUILTINS_H

#include <string_view>

namespace upsweep {

/// An archive of bitcode files with every OpenCL C function, for spir64, under clang's names; for passes::Library. Only the intrinsics of
/// intrinsics.h and LLVM's stay undefined.
std::string_view builtins_archive();

/// An archive of the functions that differ on NVIDIA GPUs: work-items, atomics, sub-groups and work-groups. Only LLVM's
/// intrinsics and the intrinsics of nvptx/nvptx.h stay undefined.
std::string_view nvptx_builtins_archive();

/// An ELF object with the reads and writes of texels (images/shapes.h) by a work-item, for every x86-64 processor.
std::string_view image_functions();

/// An ELF object for the lanes of a sub-group, on x86-64 levels 2 to 4 (passes/cpu/image_functions.h). It calls image_functions().
std::string_view image_functions_for_lanes(unsigned level);

/// An archive for passes::Library: functions for rows of texels, to be inlined (images/lanes/rows.cl), on levels 2 to 4.
std::string_view image_rows_archive(unsigned level);

} // namespace upsweep

#endif
