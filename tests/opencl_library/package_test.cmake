# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the OpenCL component from `build` below `scratch`, builds `example` against that tree alone, and runs its programs.
file(REMOVE_RECURSE ${scratch})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix --component opencl)
run(${CMAKE_COMMAND} -S ${example} -B ${scratch}/build -G Ninja -D CMAKE_PREFIX_PATH=${scratch}/prefix -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_CXX_COMPILER=${compiler})
run(${CMAKE_COMMAND} --build ${scratch}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${scratch}/build --output-on-failure)
