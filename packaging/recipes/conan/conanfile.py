# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The headers, for Conan 2: `conan create .` beside the release's archive @ARCHIVE@."""

import os

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.files import check_sha256, copy, unzip


class Upsweep(ConanFile):
    name = "upsweep"
    version = "@VERSION@"
    license = "Apache-2.0 WITH LLVM-exception"
    description = "Scans, compactions, reductions and sorts in headers: for CUDA, CPU threads and OpenCL queues"
    package_type = "header-library"
    exports_sources = "@ARCHIVE@"
    no_copy_source = True
    options = {"with_opencl": [True, False]}
    default_options = {"with_opencl": False}

    def requirements(self):
        if self.options.with_opencl:
            self.requires("opencl-icd-loader/[>=2023]")

    def package_id(self):
        self.info.clear()

    def source(self):
        if not os.path.exists("@ARCHIVE@"):
            raise ConanException("the release's archive @ARCHIVE@ must lie beside this recipe")
        check_sha256(self, "@ARCHIVE@", "@SHA256@")
        unzip(self, "@ARCHIVE@", strip_root=True)

    def build(self):
        # CMake makes the texts of the OpenCL kernels, which needs no compiler.
        self.run(f'cmake -S "{self.source_folder}" -B "{self.build_folder}/headers" -DUPSWEEP_HEADERS_ONLY=ON')

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for library in ["cuda", "cpu", "opencl"]:
            self.run(f'cmake --install "{self.build_folder}/headers" --prefix "{self.package_folder}" --component {library}')

    def package_info(self):
        # The package's own files for find_package(upsweep) are used.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("share", "cmake", "upsweep")]
        self.cpp_info.libdirs, self.cpp_info.bindirs = [], []
        self.cpp_info.system_libs = ["pthread"]
