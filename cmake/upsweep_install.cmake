# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The places of the products: bin, lib and include below the prefix, and a vendors file by which the ICD loader finds the
# driver, in the build tree and below the prefix.
install(TARGETS upsweep upsweepc upsweep-opencl RUNTIME DESTINATION bin COMPONENT runtime LIBRARY DESTINATION lib COMPONENT runtime)

install(TARGETS upsweep-bench-command RUNTIME DESTINATION libexec/upsweep COMPONENT runtime)

include(upsweep_install_headers)
install(FILES LICENSE README.md DESTINATION share/doc/upsweep COMPONENT runtime)

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/vendors/upsweep.icd CONTENT "$<TARGET_FILE:upsweep-opencl>\n")
# The file is written during installation, since the prefix may be given only then.
install(CODE [[
  file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors/upsweep.icd"
       "${CMAKE_INSTALL_PREFIX}/lib/libupsweep-opencl.so\n")
]] COMPONENT runtime)
