# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Only headers: nothing is compiled, and all configurations are equal.
set(VCPKG_BUILD_TYPE release)

# UPSWEEP_RELEASE names the folder of the release's archive; the default is this folder.
if(DEFINED ENV{UPSWEEP_RELEASE})
  set(archive "$ENV{UPSWEEP_RELEASE}/@ARCHIVE@")
else()
  set(archive "${CMAKE_CURRENT_LIST_DIR}/@ARCHIVE@")
endif()
file(SHA512 "${archive}" found)
if(NOT found STREQUAL "@SHA512@")
  message(FATAL_ERROR "${archive} is not the one that this port was made for")
endif()

vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS -DUPSWEEP_HEADERS_ONLY=ON)
foreach(library cuda cpu opencl)
  vcpkg_execute_build_process(
    COMMAND "${CMAKE_COMMAND}" --install "${CURRENT_BUILDTREES_DIR}/${TARGET_TRIPLET}-rel" --prefix "${CURRENT_PACKAGES_DIR}" --component ${library}
    WORKING_DIRECTORY "${CURRENT_BUILDTREES_DIR}" LOGNAME install-${library})
endforeach()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/upsweep)
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
