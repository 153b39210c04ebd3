# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The CUDA library, which is headers alone, and its tests and benchmarks, which are built where nvcc is found:
# CMAKE_CUDA_COMPILER or CUDACXX, or on the PATH, or in /usr/local/cuda. No GPU is needed to build.
add_library(upsweep_cuda INTERFACE)
add_library(upsweep::cuda ALIAS upsweep_cuda)
set_target_properties(upsweep_cuda PROPERTIES EXPORT_NAME cuda)
target_compile_features(upsweep_cuda INTERFACE cxx_std_17)
target_include_directories(upsweep_cuda INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)

set(UPSWEEP_CUDA OFF)
if(UPSWEEP_SANITIZE)
  message(STATUS "CUDA: tests and benchmarks are not built, since the host's sanitizers do not instrument them")
else()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(UPSWEEP_NVCC nvcc PATHS /usr/local/cuda/bin)
    if(UPSWEEP_NVCC)
      set(ENV{CUDACXX} ${UPSWEEP_NVCC})
    endif()
  endif()
  # The GPU that the tunings are for; later ones compile the embedded PTX. That it compiles for the oldest one as well is seen
  # from a few of the tests (tests/cuda/CMakeLists.txt), since compiling all of them twice would take two minutes more.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  # The linker's flags are those of the C++ compiler, which therefore is the host compiler unless the user says otherwise.
  if(NOT DEFINED CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
    set(UPSWEEP_CUDA ON)
    message(STATUS "CUDA: nvcc ${CMAKE_CUDA_COMPILER_VERSION}, for ${CMAKE_CUDA_ARCHITECTURES}")
  else()
    message(STATUS "CUDA: no working nvcc, so the tests and benchmarks of include/upsweep/cuda are not built")
  endif()
endif()

# upsweep_add_cuda_program(NAME file.cu): an executable that uses the library.
function(upsweep_add_cuda_program name source)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE upsweep::cuda)
endfunction()

# upsweep_add_cuda_test(NAME [TIMEOUT seconds]): NAME_test.cu as the test cuda/NAME, skipped where there is no GPU.
function(upsweep_add_cuda_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  upsweep_add_cuda_program(cuda_${name}_test ${name}_test.cu)
  add_test(NAME cuda/${name} COMMAND cuda_${name}_test)
  # One at a time: the device is shared.
  set_tests_properties(cuda/${name} PROPERTIES LABELS cuda TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77 RESOURCE_LOCK cuda_device)
endfunction()
