# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The CUDA library, which is headers alone, and its tests and benchmarks, which are built where nvcc is found:
# CMAKE_CUDA_COMPILER or CUDACXX, or on the PATH, or in /usr/local/cuda. No GPU is needed to build.
add_library(upsweep_cuda INTERFACE)
add_library(upsweep::cuda ALIAS upsweep_cuda)
set_target_properties(upsweep_cuda PROPERTIES EXPORT_NAME cuda)
target_compile_features(upsweep_cuda INTERFACE cxx_std_17)
target_include_directories(upsweep_cuda INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)

if(UPSWEEP_HEADERS_ONLY)
  return()
endif()

# Puts the first of these host compilers with which nvcc builds a program into the variable, or nothing. It is tried in a project of
# its own and with this build's flags: enable_language() ends the configuration where it fails, and check_language() tries neither
# the linker's flags nor the architecture.
function(upsweep_find_cuda_host variable)
  set(folder ${CMAKE_BINARY_DIR}/CMakeFiles/upsweep_cuda)
  file(WRITE ${folder}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(check CUDA)\nadd_executable(check check.cu)\n")
  file(WRITE ${folder}/check.cu "__global__ void kernel() {}\nint main() { kernel<<<1, 1>>>(); }\n")
  foreach(host ${ARGN})
    message(CHECK_START "Trying ${CMAKE_CUDA_COMPILER} with ${host}")
    file(REMOVE_RECURSE ${folder}/build)
    execute_process(
      COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${folder} ${folder}/build --build-generator ${CMAKE_GENERATOR}
              --build-options -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER} -DCMAKE_CUDA_HOST_COMPILER=${host}
              -DCMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES} -DCMAKE_EXE_LINKER_FLAGS=${CMAKE_EXE_LINKER_FLAGS}
      RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(status EQUAL 0)
      message(CHECK_PASS "works")
      set(${variable} ${host} CACHE INTERNAL "The host compiler of nvcc")
      return()
    endif()
    file(APPEND ${folder}/failures.log "${output}")
    message(CHECK_FAIL "does not build a program, see ${folder}/failures.log")
  endforeach()
  set(${variable} "" CACHE INTERNAL "The host compiler of nvcc")
endfunction()

set(UPSWEEP_CUDA OFF)
if(UPSWEEP_SANITIZE)
  message(STATUS "CUDA: tests and benchmarks are not built, since the host's sanitizers do not instrument them")
else()
  find_program(CMAKE_CUDA_COMPILER NAMES $ENV{CUDACXX} nvcc PATHS /usr/local/cuda/bin)
  # The GPU of the tunings; newer ones compile the embedded PTX. A few tests show that the code also compiles for the oldest
  # GPU (tests/cuda/CMakeLists.txt), since compiling all of them twice would take two minutes more.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  if(CMAKE_CUDA_COMPILER AND NOT DEFINED UPSWEEP_CUDA_HOST)
    # The host compiler, unless the user sets one: nvcc's default, or else the C++ compiler, for whose linker these flags are.
    # The default may not know this linker, and nvcc may refuse a C++ compiler much newer than itself.
    set(hosts ${CMAKE_CUDA_HOST_COMPILER} $ENV{CUDAHOSTCXX})
    if(NOT hosts)
      set(hosts g++ ${CMAKE_CXX_COMPILER})
    endif()
    upsweep_find_cuda_host(UPSWEEP_CUDA_HOST ${hosts})
  endif()
  if(UPSWEEP_CUDA_HOST)
    set(CMAKE_CUDA_HOST_COMPILER ${UPSWEEP_CUDA_HOST})
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
    if(CMAKE_CUDA_HOST_COMPILER MATCHES "clang")
      add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-unused-function>")  # of CUDA's own headers, by the hundred
    endif()
    set(UPSWEEP_CUDA ON)
    message(STATUS "CUDA: nvcc ${CMAKE_CUDA_COMPILER_VERSION} with ${UPSWEEP_CUDA_HOST}, for ${CMAKE_CUDA_ARCHITECTURES}")
  else()
    message(STATUS "CUDA: no working nvcc, so the tests and benchmarks of include/upsweep/cuda are not built")
  endif()
endif()

# upsweep_add_cuda_program(NAME file.cu): an executable that uses the library.
function(upsweep_add_cuda_program name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE upsweep::cuda)
endfunction()

# CMake 3.25 does not know C++20 for nvcc 13. Options of a source follow the standard that CMake chooses, and the last one counts.
function(upsweep_use_cuda_cpp20 target)
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -std=c++20)
endfunction()

# Without a GPU (on Linux, or on Windows below it) tests can only be compiled, which takes half an hour of processor time; the
# target cuda_tests does it.
if(EXISTS /dev/nvidiactl OR EXISTS /dev/dxg)
  set(UPSWEEP_HAS_GPU ON)
else()
  set(UPSWEEP_HAS_GPU OFF)
endif()

# upsweep_add_cuda_test(NAME [COMPILED] [TIMEOUT seconds]): NAME_test.cu as the test cuda/NAME, skipped where there is no GPU.
#   COMPILED  that it compiles is a part of the test, so that it is built without a GPU, too
function(upsweep_add_cuda_test name)
  cmake_parse_arguments(arg "COMPILED" "TIMEOUT" "" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  upsweep_add_cuda_program(cuda_${name}_test ${name}_test.cu)
  # Optimising the host's part of hundreds of kernels takes as long as assembling PTX. Code for GPUs is always optimised.
  target_compile_options(cuda_${name}_test PRIVATE -Xcompiler=-O1)
  add_dependencies(cuda_tests cuda_${name}_test)
  if(NOT UPSWEEP_HAS_GPU AND NOT arg_COMPILED)
    set_target_properties(cuda_${name}_test PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  add_test(NAME cuda/${name} COMMAND cuda_${name}_test)
  # These tests share the device, so they run one by one.
  set_tests_properties(cuda/${name} PROPERTIES LABELS cuda TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 RESOURCE_LOCK cuda_device)
endfunction()
