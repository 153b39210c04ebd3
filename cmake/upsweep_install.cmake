# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where the products go: bin, lib and include below the prefix, and a vendors file by which the ICD loader finds the
# driver, once in the build tree and once below the prefix.
include(GNUInstallDirs)
install(TARGETS upsweep upsweepc upsweep-opencl RUNTIME DESTINATION bin LIBRARY DESTINATION lib)

# The CUDA library, by itself with `cmake --install BUILD --component cuda`: find_package(upsweep) gives upsweep::cuda.
include(CMakePackageConfigHelpers)
install(DIRECTORY include/ DESTINATION include COMPONENT cuda)
install(TARGETS upsweep_cuda EXPORT upsweep COMPONENT cuda)
install(EXPORT upsweep NAMESPACE upsweep:: FILE upsweepConfig.cmake DESTINATION lib/cmake/upsweep COMPONENT cuda)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/upsweepConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/upsweepConfigVersion.cmake DESTINATION lib/cmake/upsweep COMPONENT cuda)

install(FILES LICENSE README.md DESTINATION share/doc/upsweep)

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/vendors/upsweep.icd CONTENT "$<TARGET_FILE:upsweep-opencl>\n")
# The prefix may be given at install time only, so the file is written then.
install(CODE [[
  file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors/upsweep.icd"
       "${CMAKE_INSTALL_PREFIX}/lib/libupsweep-opencl.so\n")
]])
