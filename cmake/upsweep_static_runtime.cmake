# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# upsweep_static_runtime(TARGET) links the C++ library into the product. One binary then serves every distribution since glibc
# 2.34, and an older libstdc++ in the application, such as a conda environment's, does not matter. libgcc's arithmetic is
# linked in as well (halves, in GCC 12). Its unwinder stays shared, since a process must have only one. Sanitizers need the
# shared library.
function(upsweep_static_runtime target)
  if(NOT UPSWEEP_SANITIZE)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/base/arc4random.cpp)
    target_link_libraries(${target} PRIVATE gcc)
    target_link_options(${target} PRIVATE -static-libstdc++)
  endif()
endfunction()
