# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# upsweep_embed_text(TARGET file NAME NAMESPACE) turns a file into a string at build time, since kernels are files, never C++
# strings. For src/x/y.cl it writes the header "x/y.h" with the std::string_view NAME, for bench/y.cl "bench/y.h".
function(upsweep_embed_text target file name namespace)
  cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE source)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE header)
  string(REGEX REPLACE "^src/" "" header ${header})
  cmake_path(REPLACE_EXTENSION header h)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/embedded/${header} @ONLY CONTENT [[
// Generated from @source@.
#pragma once
#include <string_view>
namespace @namespace@ {
inline constexpr std::string_view @name@ = R"upsweep(@text@)upsweep";
}
]])
  target_include_directories(${target} PRIVATE ${CMAKE_BINARY_DIR}/embedded)
endfunction()
