# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Functions that declare tests. tests/<area>/CMakeLists.txt calls them; the label of a test is its area.
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# The environment of each test: only our driver, and a compile cache in the build folder.
set(UPSWEEP_TEST_ENVIRONMENT "OCL_ICD_VENDORS=${CMAKE_BINARY_DIR}/vendors;UPSWEEP_CACHE_DIR=${CMAKE_BINARY_DIR}/test-cache")
# A sanitizer build of only the driver, without the minutes for Clang and LLVM, uses another build's compiler for its kernels.
set(UPSWEEP_TEST_COMPILER "" CACHE FILEPATH "The upsweepc that tests of the driver use; empty: the one of this build")
if(UPSWEEP_TEST_COMPILER)
  list(APPEND UPSWEEP_TEST_ENVIRONMENT "UPSWEEP_COMPILER=${UPSWEEP_TEST_COMPILER}")
endif()

# upsweep_needs_compiler(TARGETS...): builds the targets after upsweepc.
function(upsweep_needs_compiler)
  foreach(target ${ARGN})
    if(NOT UPSWEEP_TEST_COMPILER)
      add_dependencies(${target} upsweepc)
    endif()
  endforeach()
endfunction()
if(UPSWEEP_SANITIZE)
  # Tests of crashes must see the compiler crash. LLVM's own code is not instrumented: its allocators poison memory in
  # functions compiled here, and do not unpoison it in functions that were not.
  list(APPEND UPSWEEP_TEST_ENVIRONMENT "ASAN_OPTIONS=handle_segv=0 allow_user_poisoning=0"
       "TSAN_OPTIONS=handle_segv=0 suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan.supp")
  set(runtime asan)
  if(UPSWEEP_SANITIZE MATCHES "thread")
    set(runtime tsan)
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libclang_rt.${runtime}-${CMAKE_SYSTEM_PROCESSOR}.so
                  OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(UPSWEEP_LIT_SANITIZER -D upsweep_sanitizer_runtime=${runtime})
endif()

# upsweep_discover_tests(TARGET PREFIX LABELS labels... ENVIRONMENT variables... [PROPERTIES ...])
# The cases of a GoogleTest program as tests. Listing them when the tests run, not when they are built, keeps a crash at
# start-up from breaking the build. gtest_discover_tests() keeps the first element of a list alone, so lists are set afterwards.
function(upsweep_discover_tests target prefix)
  cmake_parse_arguments(arg "" "" "LABELS;ENVIRONMENT;PROPERTIES" ${ARGN})
  string(MAKE_C_IDENTIFIER "${prefix}" list)
  gtest_discover_tests(${target} TEST_PREFIX "${prefix}." TEST_LIST ${list} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES ${arg_PROPERTIES})
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${list}_environment.cmake)
  file(CONFIGURE OUTPUT ${script} @ONLY CONTENT [[
foreach(test IN LISTS @list@)
  set_tests_properties("${test}" PROPERTIES LABELS "@arg_LABELS@" ENVIRONMENT "@arg_ENVIRONMENT@")
endforeach()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()

# upsweep_add_test(NAME [OPENCL] [TIMEOUT seconds] SOURCES files... [LIBRARIES targets...])
# A GoogleTest program; each of its cases is a test of ctest. OPENCL: it links the ICD loader and runs our driver
# on the device that tests/tested_device.h says; such tests have the label `device`.
function(upsweep_add_test name)
  cmake_parse_arguments(arg "OPENCL" "TIMEOUT" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(UPSWEEP_SANITIZE)  # code takes up to ten times as long
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 5")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME area)
  set(labels ${area})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
  list(LENGTH arg_SOURCES num_sources)
  if(num_sources GREATER 2)  # GoogleTest's header takes half of a source's time, and precompiling it takes as long as one source
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  endif()
  if(arg_OPENCL)
    target_compile_definitions(${name} PRIVATE CL_TARGET_OPENCL_VERSION=300)
    target_link_libraries(${name} PRIVATE OpenCL)
    add_dependencies(${name} upsweep-opencl)
    upsweep_needs_compiler(${name})
    list(APPEND labels device)
  endif()
  upsweep_discover_tests(${name} ${area}/${name} LABELS ${labels} ENVIRONMENT ${UPSWEEP_TEST_ENVIRONMENT}
                         PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()

option(UPSWEEP_LONG_TESTS "Add the tests that take minutes: all kernels for all processors and GPUs" OFF)

# upsweep_run_for_processors(TARGET FILTER)
# Runs the cases of FILTER of a GoogleTest program again, with code for older processors than this computer's (UPSWEEP_CPU), as
# a test of ctest for each. With UPSWEEP_LONG_TESTS it runs all cases, also for x86-64-v4. Cases for processors that this
# computer cannot run are skipped.
function(upsweep_run_for_processors target filter)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME area)
  set(processors x86-64-v2 x86-64-v3)
  if(UPSWEEP_LONG_TESTS)
    list(APPEND processors x86-64-v4)
    set(filter *)
  endif()
  foreach(processor ${processors})
    set(test ${area}/${target}_${processor})
    add_test(NAME ${test} COMMAND ${target} --gtest_filter=${filter})
    set_tests_properties(${test} PROPERTIES LABELS ${area} TIMEOUT 1200 SKIP_REGULAR_EXPRESSION "this computer cannot run code for"
      ENVIRONMENT "${UPSWEEP_TEST_ENVIRONMENT};UPSWEEP_CPU=${processor};UPSWEEP_VERIFY=1")
  endforeach()
endfunction()

# upsweep_add_lit() adds the *.ll, *.cl and *.test files below the calling folder as a test of ctest, run by LLVM's lit.
function(upsweep_add_lit)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME area)
  add_test(NAME ${area}/lit COMMAND ${Python3_EXECUTABLE} ${LLVM_INSTALL_PREFIX}/build/utils/lit/lit.py -sv
           -D upsweep_build=${CMAKE_BINARY_DIR} -D llvm_bin=${LLVM_TOOLS_BINARY_DIR} ${UPSWEEP_LIT_SANITIZER}
           ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(${area}/lit PROPERTIES LABELS ${area} ENVIRONMENT "${UPSWEEP_TEST_ENVIRONMENT}" TIMEOUT 600)
endfunction()
