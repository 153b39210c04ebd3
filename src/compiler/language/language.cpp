// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns base/features.def into Clang options and macros.
#include "compiler/language/language.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

namespace upsweep::compiler {
namespace {

/// Clang defines the macros of these features and checks their use; other features only need a macro.
constexpr llvm::StringRef kKnownToClang[] = {
#define OPENCL_GENERIC_EXTENSION(name, ...) #name,
#include "clang/Basic/OpenCLExtensions.def"
};

/// Clang's own extensions: useful to libraries, and inactive without a pragma.
constexpr llvm::StringRef kClangOnly[] = {"cl_clang_storage_class_specifiers", "__cl_clang_function_pointers",
                                          "__cl_clang_variadic_functions", "__cl_clang_bitfields",
                                          "__cl_clang_non_portable_kernel_param_types"};

/// Clang's header defines these for OpenCL C 2.0 whatever the device supports.
constexpr llvm::StringRef kAssumedByHeader[] = {"__opencl_c_pipes", "__opencl_c_device_enqueue", "__opencl_c_read_write_images",
                                                "__opencl_c_images"};

/// Features that belong to an extension, such as "__opencl_c_ext_fp16_global_atomic_add".
constexpr llvm::StringRef kFloatAtomics = "__opencl_c_ext_fp";
constexpr llvm::StringRef kClocks = "__opencl_c_kernel_clock_scope_";

/// Pipe functions take generic pointers, and blocks are in program scope: Clang rejects the features of pipes and blocks
/// without the features of generic pointers and program-scope variables.
bool is_left_out(llvm::StringRef name, const std::vector<std::string> &without) {
  const auto lacks = [&](llvm::StringRef feature) { return llvm::is_contained(without, feature); };
  if (llvm::StringRef bits = name; bits.consume_front(kFloatAtomics))
    return lacks(name) || lacks("cl_ext_float_atomics") || (bits.starts_with("16") && lacks("cl_khr_fp16")) ||
           (bits.starts_with("64") && (lacks("cl_khr_fp64") || lacks("__opencl_c_fp64")));
  if (name.starts_with(kClocks) && lacks("cl_khr_kernel_clock")) return true;
  const bool needs_generic_pointers = name == "__opencl_c_pipes" || name == "__opencl_c_device_enqueue";
  return lacks(name) || (needs_generic_pointers && lacks("__opencl_c_generic_address_space")) ||
         (name == "__opencl_c_device_enqueue" && lacks("__opencl_c_program_scope_global_variables"));
}

bool known_to_clang(llvm::StringRef name) { return llvm::is_contained(kKnownToClang, name); }

constexpr llvm::StringRef k31 = "CL3.1";

}  // namespace

std::string clang_language(const Options &options) { return options.language == k31 ? "CL3.0" : options.language; }

bool has_language(FeatureColumn column, const Options &options) {
  const llvm::StringRef language = options.language;
  return language.starts_with("CLC++") || llvm::any_of(opencl_c_versions(column), [&](const cl_name_version &each) {
           return language == llvm::formatv("CL{0}.{1}", CL_VERSION_MAJOR(each.version), CL_VERSION_MINOR(each.version)).str();
         });
}

std::string prelude(FeatureColumn column, const Options &options) {
  const std::vector<std::string> &without = options.without;
  std::string text = "#pragma once\n";
  auto define = [&](llvm::StringRef name) {
    if (!known_to_clang(name) && !is_left_out(name, without)) text += (llvm::Twine("#define ") + name + " 1\n").str();
  };
  auto is_new = [](llvm::StringRef name) {
    return name.starts_with("cl_khr_subgroup") || name == "cl_ext_float_atomics" || name.starts_with(kFloatAtomics) ||
           name.starts_with(kClocks);
  };
  const std::span<const cl_name_version> features = opencl_c_features(column);
  auto has = [&](llvm::StringRef feature) {
    return llvm::any_of(features, [&](const cl_name_version &each) { return feature == each.name; });
  };
  // Its functions come with its features, which Clang checks in every version.
  for (const cl_name_version &feature : features)
    if (llvm::StringRef(feature.name).starts_with("__opencl_c_integer_dot_product")) define(feature.name);
  if (has("__opencl_c_images")) text += "#define __IMAGE_SUPPORT__ 1\n";
  for (const cl_name_version &extension : device_extensions(column))
    if (!is_new(extension.name)) define(extension.name);
  // Extensions of cl_khr_subgroups and of the atomic functions, which need OpenCL C 2.0.
  text += "#if defined(__OPENCL_CPP_VERSION__) || __OPENCL_C_VERSION__ >= 200\n";
  for (const cl_name_version &extension : device_extensions(column))
    if (is_new(extension.name)) define(extension.name);
  for (const cl_name_version &feature : features)
    if (is_new(feature.name)) define(feature.name);
  text += "#endif\n#if __OPENCL_CPP_VERSION__ == 202100 || __OPENCL_C_VERSION__ == 300\n";
  for (const cl_name_version &feature : features)
    if (!is_new(feature.name)) define(feature.name);
  text += "#endif\n#include \"opencl-c-base.h\"\n";
  for (llvm::StringRef name : kAssumedByHeader)
    if (!has(name)) text += (llvm::Twine("#undef ") + name + "\n").str();
  // "A constant expression of type float": the header's definition calls as_float().
  text += "#undef NAN\n#define NAN __builtin_nanf(\"\")\n";
  // The header's definition is a cast, for which Clang 19 generates invalid IR.
  if (has("__opencl_c_pipes"))
    text += "#if defined(__opencl_c_pipes)\nreserve_id_t __attribute__((overloadable, const)) __null_reserve_id(void);\n"
            "#undef CLK_NULL_RESERVE_ID\n#define CLK_NULL_RESERVE_ID __null_reserve_id()\n#endif\n";
  // Clang 19 also generates invalid IR for this cast, and for comparisons of these types
  // (compiler/corrections/sema_corrections.cpp).
  if (has("__opencl_c_device_enqueue"))
    text += "#if defined(__opencl_c_device_enqueue)\n"
            "clk_event_t __attribute__((overloadable, const)) __null_event(void);\n"
            "bool __attribute__((overloadable, const)) __same_handle(clk_event_t, clk_event_t);\n"
            "bool __attribute__((overloadable, const)) __same_handle(queue_t, queue_t);\n"
            "#undef CLK_NULL_EVENT\n#define CLK_NULL_EVENT __null_event()\n#endif\n";
  // After the header, which compares with 300. Versions before 3.1 have no CL_VERSION_3_1, "which requires support for OpenCL C
  // 3.1".
  if (options.language == k31)
    text += "#undef __OPENCL_C_VERSION__\n#define __OPENCL_C_VERSION__ 310\n#define CL_VERSION_3_1 310\n";
  return text;
}

std::string clang_extensions(FeatureColumn column, const std::vector<std::string> &without) {
  std::string list = "-all";
  auto enable = [&](llvm::StringRef name) {
    if (known_to_clang(name) && !is_left_out(name, without)) list += (llvm::Twine(",+") + name).str();
  };
  for (const cl_name_version &feature : opencl_c_features(column)) enable(feature.name);
  for (const cl_name_version &extension : device_extensions(column)) enable(extension.name);
  llvm::for_each(kClangOnly, enable);
  return list;
}

}  // namespace upsweep::compiler
