# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# upsweep_unity(TARGETS...) compiles several sources of a target as one, since most of the time goes into the headers' templates. Names in
# anonymous namespaces of a target must therefore differ. A changed source compiles the others of its unit again, so units are small.
option(UPSWEEP_UNITY "Compile several sources as one" ON)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Any build makes compile_commands.json list sources in place of units, for clang-tidy and clangd.
set(stamp ${CMAKE_BINARY_DIR}/CMakeFiles/compile_commands.stamp)
add_custom_command(OUTPUT ${stamp}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/compile_commands.py ${CMAKE_BINARY_DIR}/compile_commands.json
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${CMAKE_BINARY_DIR}/compile_commands.json ${PROJECT_SOURCE_DIR}/cmake/compile_commands.py
  COMMENT "Listing the sources in compile_commands.json" VERBATIM)
add_custom_target(upsweep_compile_commands DEPENDS ${stamp})

function(upsweep_unity)
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ${UPSWEEP_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  foreach(target IN LISTS ARGN)
    # A unit includes its sources by whole paths, which no product may name.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
    add_dependencies(${target} upsweep_compile_commands)
  endforeach()
endfunction()
