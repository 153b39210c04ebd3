# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# UPSWEEP_SANITIZE=address,undefined or thread instruments all code of this project.
set(UPSWEEP_SANITIZE "" CACHE STRING "Sanitizers for everything built here, as in -fsanitize=")
if(UPSWEEP_SANITIZE)
  add_compile_options(-fsanitize=${UPSWEEP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${UPSWEEP_SANITIZE})
  # The checks of virtual calls need RTTI, which LLVM lacks.
  if(UPSWEEP_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=vptr)
  endif()
endif()
