# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the CUDA component from `build` below `scratch`, and builds `example` against that tree alone.
file(REMOVE_RECURSE ${scratch})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix --component cuda)
run(${CMAKE_COMMAND} -S ${example} -B ${scratch}/build -G Ninja -D CMAKE_PREFIX_PATH=${scratch}/prefix
    -D CMAKE_CUDA_COMPILER=${cuda_compiler} -D CMAKE_CUDA_HOST_COMPILER=${host_compiler} -D CMAKE_CUDA_ARCHITECTURES=75)
run(${CMAKE_COMMAND} --build ${scratch}/build)
