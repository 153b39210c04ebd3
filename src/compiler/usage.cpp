// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of upsweepc's options.
#include "compiler/usage.h"

namespace upsweep::compiler {
namespace {

using usage::Option;

struct BuildFlag {
  std::string_view spelling, contexts;
  const char *effect;
};

constexpr BuildFlag kBuildFlags[] = {
#define UPSWEEP_OPTION(spelling, contexts, clang_spelling, flag, effect) {spelling, #contexts, effect},
#include "compiler/options.def"
#undef UPSWEEP_OPTION
};

Option with_sign(const char *name, const char *value, const char *help) { return {{name}, value, help, false, false, "="}; }

std::vector<Option> own_options() {
  return {
      {{"-o"}, "FILE", "output file (- is standard output); default: the source's name with the output's suffix"},
      with_sign("--emit", kOutputKindNames,
                "kind of output: shared (default), a shared object that exports upsweep.code_object; module, LLVM bitcode for "
                "spir64; "
                "llvm, LLVM IR after the target's pipeline; asm, assembly; object, a relocatable object"),
      with_sign("--target", kTargetNames,
                "compile for the CPU (default), or for NVIDIA GPUs: --emit=module, llvm, or asm, which is PTX (default)"),
      with_sign("--cpu", "native|NAME",
                "an LLVM processor name such as x86-64-v3 or znver4; default: native, this computer's; for cuda sm_70 and "
                "newer, default: sm_75"),
      with_sign("--lanes", kLaneNames, "a sub-group is SIMD lanes (default), or straight scalar code"),
      with_sign(
          "--check", "CHECK[,CHECK]",
          "check kernels at run time: memory, barrier, race, init, or all of these; and arithmetic; as the driver does with "
          "UPSWEEP_CHECK"),
      {{"--verify"},
       "",
       "check the compiler's own work: LLVM's verifier between the passes, the alignment that accesses claim"},
      {{"--llvm"},
       "OPTION",
       "an option of LLVM's: -print-after=upsweep-vectorise-lanes, -time-passes, -opt-bisect-limit=N",
       false,
       true,
       "="},
      {{"--sandbox"}, "", "print the system's means to confine the driver's compiler process (UPSWEEP_COMPILER_SANDBOX)"},
      with_sign("--cache", "show|purge", "show the driver's cache of compiled programs, or remove them (UPSWEEP_CACHE_DIR)"),
      {{"-h", "--help"}, "", "print this help"},
  };
}

std::vector<Option> build_options() {
  std::vector<Option> options = {
      {{"-D"}, "NAME[=VALUE]", "define a macro", false, true},
      {{"-I"}, "FOLDER", "search included files in this folder", false, true},
      with_sign("-cl-std", "CL1.0|CL1.1|CL1.2|CL2.0|CL3.0|CL3.1|CLC++1.0|CLC++2021", "the language; default: CL1.2"),
      with_sign("-cl-ext", "-NAME[,-NAME]", "build without these features or extensions"),
      {{"-Wno-"},
       "NAME",
       "permit a construct that OpenCL C forbids, such as variadic-macros, recursion, or all restrictions",
       false,
       true,
       ""},
      {{"-Wno-error="}, "NAME", "permit it with a warning", false, true, ""},
  };
  for (const BuildFlag &flag : kBuildFlags)
    if (flag.contexts.find('B') != flag.contexts.npos) options.push_back({{std::string(flag.spelling)}, "", flag.effect});
  return options;
}

}  // namespace

usage::Command describe_command() {
  usage::Command command;
  command.name = "upsweepc";
  command.summary = "compile OpenCL C to code for CPUs or to PTX, with all options of clBuildProgram";
  command.operands = {{{}, "FILE", "OpenCL C source; - is standard input", true}};
  command.options = own_options();
  for (Option &option : build_options()) command.options.push_back(std::move(option));
  command.examples = {{"upsweepc -cl-std=CL3.0 scan.cl", "scan.so, which the driver can load"},
                      {"upsweepc --target=cuda --cpu=sm_90 -cl-std=CL3.0 scan.cl -o -", "PTX, printed"},
                      {"upsweepc --emit=asm --cpu=x86-64-v3 -cl-std=CL3.0 scan.cl", "assembly in scan.s"}};
  return command;
}

}  // namespace upsweep::compiler
