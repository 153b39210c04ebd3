# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where the products go: bin, lib and include below the prefix, and a vendors file by which the ICD loader finds the
# driver, once in the build tree and once below the prefix.
install(TARGETS upsweep upsweepc upsweep-opencl RUNTIME DESTINATION bin COMPONENT runtime LIBRARY DESTINATION lib COMPONENT runtime)

include(upsweep_install_headers)
install(FILES LICENSE README.md DESTINATION share/doc/upsweep COMPONENT runtime)

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/vendors/upsweep.icd CONTENT "$<TARGET_FILE:upsweep-opencl>\n")
# The prefix may be given at install time only, so the file is written then.
install(CODE [[
  file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors/upsweep.icd"
       "${CMAKE_INSTALL_PREFIX}/lib/libupsweep-opencl.so\n")
]] COMPONENT runtime)
