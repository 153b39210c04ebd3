# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where the products go: bin, lib and include below the prefix, and a vendors file by which the ICD loader finds the
# driver, once in the build tree and once below the prefix.
include(GNUInstallDirs)
install(TARGETS upsweep upsweepc upsweep-opencl RUNTIME DESTINATION bin COMPONENT runtime LIBRARY DESTINATION lib COMPONENT runtime)

# The libraries, each by itself with `cmake --install BUILD --component cuda`, `cpu` or `opencl`: find_package(upsweep) gives
# upsweep::cuda, upsweep::cpu and upsweep::opencl, those that are installed.
include(CMakePackageConfigHelpers)
file(WRITE ${CMAKE_BINARY_DIR}/upsweepConfig.cmake [[
include(${CMAKE_CURRENT_LIST_DIR}/upsweep-cuda.cmake OPTIONAL)
include(${CMAKE_CURRENT_LIST_DIR}/upsweep-cpu.cmake OPTIONAL)
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/upsweep-opencl.cmake)
  include(CMakeFindDependencyMacro)
  find_dependency(OpenCL)
  include(${CMAKE_CURRENT_LIST_DIR}/upsweep-opencl.cmake)
endif()
]])
write_basic_package_version_file(${CMAKE_BINARY_DIR}/upsweepConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/generated/upsweep/opencl/detail/kernel_texts.h DESTINATION include/upsweep/opencl/detail
        COMPONENT opencl)
foreach(library cuda cpu opencl)
  set(target upsweep_${library})
  if(library STREQUAL opencl)
    set(target upsweep_opencl_library)
  endif()
  install(DIRECTORY include/upsweep/${library} DESTINATION include/upsweep COMPONENT ${library})
  install(TARGETS ${target} EXPORT upsweep_${library} COMPONENT ${library})
  install(EXPORT upsweep_${library} NAMESPACE upsweep:: FILE upsweep-${library}.cmake DESTINATION lib/cmake/upsweep
          COMPONENT ${library})
  install(FILES ${CMAKE_BINARY_DIR}/upsweepConfig.cmake ${CMAKE_BINARY_DIR}/upsweepConfigVersion.cmake
          DESTINATION lib/cmake/upsweep COMPONENT ${library})
endforeach()

install(FILES LICENSE README.md DESTINATION share/doc/upsweep)

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/vendors/upsweep.icd CONTENT "$<TARGET_FILE:upsweep-opencl>\n")
# The prefix may be given at install time only, so the file is written then.
install(CODE [[
  file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors/upsweep.icd"
       "${CMAKE_INSTALL_PREFIX}/lib/libupsweep-opencl.so\n")
]])
