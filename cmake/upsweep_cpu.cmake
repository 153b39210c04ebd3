# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The library for CPU threads, which is headers alone and needs nothing but the standard library.
add_library(upsweep_cpu INTERFACE)
add_library(upsweep::cpu ALIAS upsweep_cpu)
set_target_properties(upsweep_cpu PROPERTIES EXPORT_NAME cpu)
target_compile_features(upsweep_cpu INTERFACE cxx_std_20)
target_include_directories(upsweep_cpu INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
# Not find_package(Threads), which a project of CUDA alone could not repeat.
target_link_options(upsweep_cpu INTERFACE -pthread)
