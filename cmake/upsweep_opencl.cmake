# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The library for OpenCL queues: its headers, and its kernels as a generated header, for the build tree and for the
# installation.
function(upsweep_embed_opencl_kernels)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/upsweep/opencl/kernels/*.cl)
  set(texts "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    cmake_path(GET file STEM name)
    file(READ ${file} text)
    string(APPEND texts "inline constexpr const char *${name} = R\"upsweep(${text})upsweep\";\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/upsweep/opencl/detail/kernel_texts.h @ONLY CONTENT [[
// Generated from upsweep/opencl/kernels/*.cl.
#pragma once
namespace upsweep::opencl::detail::kernels {
@texts@}
]])
endfunction()
upsweep_embed_opencl_kernels()

add_library(upsweep_opencl_library INTERFACE)
add_library(upsweep::opencl ALIAS upsweep_opencl_library)
set_target_properties(upsweep_opencl_library PROPERTIES EXPORT_NAME opencl)
target_compile_features(upsweep_opencl_library INTERFACE cxx_std_20)
target_include_directories(upsweep_opencl_library INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                           $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated> $<INSTALL_INTERFACE:include>)
# The loader. A program that finds the package gets it by find_package(OpenCL).
target_link_libraries(upsweep_opencl_library INTERFACE $<BUILD_INTERFACE:OpenCL> $<INSTALL_INTERFACE:OpenCL::OpenCL>)
