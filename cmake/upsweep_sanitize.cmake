# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# UPSWEEP_SANITIZE=address,undefined or thread instruments everything that this project builds.
set(UPSWEEP_SANITIZE "" CACHE STRING "Sanitizers for everything built here, as in -fsanitize=")
if(UPSWEEP_SANITIZE)
  add_compile_options(-fsanitize=${UPSWEEP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${UPSWEEP_SANITIZE})
  # LLVM has no RTTI, which the checks of virtual calls need.
  if(UPSWEEP_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=vptr)
  endif()
  # The driver and its tests are compiled several sources at a time: their headers are what takes the time.
  set(driver upsweep_base upsweep_compiler_client upsweep_runtime upsweep_api upsweep_target_cpu upsweep_target_cuda)
  set(driver_tests api_core_tests api_image_tests api_object_tests runtime_test separate_memory_test targets_test gpu_queues_test)
  cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL set_target_properties ${driver} ${driver_tests} PROPERTIES UNITY_BUILD ON)
endif()
