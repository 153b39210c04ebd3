# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs a library of headers with `cmake --install BUILD --component cuda`, `cpu` or `opencl`: its headers, the files that
# find_package(upsweep) reads, and a file for pkg-config. All files are in share, since they do not depend on the architecture.
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/upsweepConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)

# upsweep_write_pkg_config(LIBRARY description flags requirements) writes upsweep-LIBRARY.pc, whose prefix is relative to the
# file.
function(upsweep_write_pkg_config library description flags requirements)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/upsweep-${library}.pc @ONLY CONTENT [[
prefix=${pcfiledir}/../..
includedir=${prefix}/include

Name: upsweep-@library@
Description: @description@
Version: @PROJECT_VERSION@
Requires: @requirements@
Cflags: -I${includedir} @flags@
Libs: @flags@
]])
endfunction()
upsweep_write_pkg_config(cuda "Scans, compactions, reductions and sorts for CUDA C++17" "" "")
upsweep_write_pkg_config(cpu "Scans, compactions, reductions and sorts on CPU threads, for C++20" "-pthread" "")
upsweep_write_pkg_config(opencl "Scans, compactions, reductions and sorts on OpenCL queues, for C++20" "" "OpenCL")

# Calls over ranks use the library for CPU threads, and those over GPUs the CUDA library.
foreach(library cpu cuda)
  install(DIRECTORY include/upsweep/distributed DESTINATION include/upsweep COMPONENT ${library})
endforeach()
# Calls on streams use the library for CPU threads alone.
install(DIRECTORY include/upsweep/external DESTINATION include/upsweep COMPONENT cpu)
install(FILES ${PROJECT_BINARY_DIR}/generated/upsweep/opencl/detail/kernel_texts.h DESTINATION include/upsweep/opencl/detail
        COMPONENT opencl)
foreach(library cuda cpu opencl)
  set(target upsweep_${library})
  if(library STREQUAL opencl)
    set(target upsweep_opencl_library)
  endif()
  install(DIRECTORY include/upsweep/common include/upsweep/${library} DESTINATION include/upsweep COMPONENT ${library})
  install(TARGETS ${target} EXPORT upsweep_${library} COMPONENT ${library})
  install(EXPORT upsweep_${library} NAMESPACE upsweep:: FILE upsweep-${library}.cmake DESTINATION share/cmake/upsweep
          COMPONENT ${library})
  install(FILES cmake/upsweepConfig.cmake ${PROJECT_BINARY_DIR}/upsweepConfigVersion.cmake DESTINATION share/cmake/upsweep
          COMPONENT ${library})
  install(FILES ${PROJECT_BINARY_DIR}/upsweep-${library}.pc DESTINATION share/pkgconfig COMPONENT ${library})
endforeach()
