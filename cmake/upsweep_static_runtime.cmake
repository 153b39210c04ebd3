# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# upsweep_static_runtime(TARGET): the C++ library is linked into the product, so that one binary serves every distribution since
# glibc 2.34, and an application's older libstdc++, such as a conda environment's, does not matter. libgcc's arithmetic is linked in
# as well (of GCC 12: halves); its unwinder stays the shared one, which all of a process share. The sanitizers want the shared library.
function(upsweep_static_runtime target)
  if(NOT UPSWEEP_SANITIZE)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/base/arc4random.cpp)
    target_link_libraries(${target} PRIVATE gcc)
    target_link_options(${target} PRIVATE -static-libstdc++)
  endif()
endfunction()
