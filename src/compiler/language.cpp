// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's language as Clang options and macros.
#include "compiler/language.h"

#include <string_view>

namespace upsweep::compiler {
namespace {

// Known to Clang's OpenCLExtensions.def: it defines the macro and checks the use.
constexpr std::string_view kClangExtensions[] = {
    "cl_khr_byte_addressable_store",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_fp64",
    "cl_khr_fp16",
    "cl_khr_subgroups",
    "cl_clang_storage_class_specifiers",
    "__cl_clang_function_pointers",
    "__cl_clang_bitfields",
    "__opencl_c_generic_address_space",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_subgroups",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_fp64",
};

} // namespace

std::string clang_extensions() {
  std::string list = "-all";
  for (std::string_view extension : kClangExtensions)
    (list += ",+") += extension;
  return list;
}

std::string prelude() {
  return R"(#pragma once
#if defined(__OPENCL_CPP_VERSION__) || __OPENCL_C_VERSION__ >= 200
#define cl_khr_subgroup_extended_types 1
#define cl_khr_subgroup_non_uniform_vote 1
#define cl_khr_subgroup_ballot 1
#define cl_khr_subgroup_non_uniform_arithmetic 1
#define cl_khr_subgroup_shuffle 1
#define cl_khr_subgroup_shuffle_relative 1
#define cl_khr_subgroup_clustered_reduce 1
#define cl_khr_subgroup_rotate 1
#endif
#if __OPENCL_CPP_VERSION__ == 202100 || __OPENCL_C_VERSION__ == 300
#define __opencl_c_work_group_collective_functions 1
#define __opencl_c_atomic_scope_device 1
#define __opencl_c_atomic_scope_all_devices 1
#define __opencl_c_int64 1
#endif
#include "opencl-c-base.h"
)";
}

} // namespace upsweep::compiler
