# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit's configuration for all tests that are text: what a RUN line can say.
#   %upsweepc  our compiler          %opt  opt with our passes loaded as a plugin          %python, FileCheck, not, split-file
import os
import shlex
import sys

import lit.formats

build = lit_config.params["upsweep_build"]
llvm_bin = lit_config.params["llvm_bin"]

config.name = "upsweep"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".cl", ".test"]
config.excludes = ["inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(build, "tests", "lit")
config.environment["PATH"] = os.pathsep.join([os.path.join(build, "bin"), llvm_bin, os.environ["PATH"]])
for name in ("OCL_ICD_VENDORS", "UPSWEEP_CACHE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%python", shlex.quote(sys.executable)))
config.substitutions.append(("%upsweepc", os.path.join(build, "bin", "upsweepc")))
# opt is built without a sanitizer, so the run-time library that the plugin needs must come first.
runtime = lit_config.params.get("upsweep_sanitizer_runtime")
opt = f"env LD_PRELOAD={runtime} ASAN_OPTIONS=detect_leaks=0 {llvm_bin}/opt" if runtime else f"{llvm_bin}/opt"
config.substitutions.append(("%opt", f"{opt} -load-pass-plugin={build}/lib/upsweep_passes.so"))
