// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the pages of docs/ that are made from the driver's own tables: `generator opencl-support`, `options` and
// `build-options`.
#include "base/image_abi.h"
#include "formats/image_format.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

struct Feature {
  std::string_view name;
  std::string_view meaning;
  bool is_core = false;  ///< required of full-profile devices of OpenCL 3.1
};

// All features that OpenCL C 3.0 and newer name, in the order of the specification's table; which of them the driver has is in
// features.def.
constexpr Feature kFeatures[] = {
    {"__opencl_c_3d_image_writes", "kernels write 3D images"},
    {"__opencl_c_atomic_order_acq_rel", "acquire and release in atomic functions"},
    {"__opencl_c_atomic_order_seq_cst", "sequentially consistent atomic functions"},
    {"__opencl_c_atomic_scope_device", "atomic functions with the device as scope"},
    {"__opencl_c_atomic_scope_all_devices", "atomic functions with all devices as scope"},
    {"__opencl_c_device_enqueue", "kernels enqueue kernels"},
    {"__opencl_c_ext_fp16_global_atomic_load_store", "atomic load, store and exchange of half in global memory"},
    {"__opencl_c_ext_fp16_global_atomic_add", "atomic add and sub of half in global memory"},
    {"__opencl_c_ext_fp16_global_atomic_min_max", "atomic min and max of half in global memory"},
    {"__opencl_c_ext_fp16_local_atomic_load_store", "atomic load, store and exchange of half in local memory"},
    {"__opencl_c_ext_fp16_local_atomic_add", "atomic add and sub of half in local memory"},
    {"__opencl_c_ext_fp16_local_atomic_min_max", "atomic min and max of half in local memory"},
    {"__opencl_c_ext_fp32_global_atomic_add", "atomic add and sub of float in global memory"},
    {"__opencl_c_ext_fp32_global_atomic_min_max", "atomic min and max of float in global memory"},
    {"__opencl_c_ext_fp32_local_atomic_add", "atomic add and sub of float in local memory"},
    {"__opencl_c_ext_fp32_local_atomic_min_max", "atomic min and max of float in local memory"},
    {"__opencl_c_ext_fp64_global_atomic_add", "atomic add and sub of double in global memory"},
    {"__opencl_c_ext_fp64_global_atomic_min_max", "atomic min and max of double in global memory"},
    {"__opencl_c_ext_fp64_local_atomic_add", "atomic add and sub of double in local memory"},
    {"__opencl_c_ext_fp64_local_atomic_min_max", "atomic min and max of double in local memory"},
    {"__opencl_c_generic_address_space", "pointers without a named address space"},
    {"__opencl_c_fp64", "double"},
    {"__opencl_c_images", "images"},
    {"__opencl_c_int64", "long and ulong", true},
    {"__opencl_c_integer_dot_product_input_4x8bit", "dot products of char4 and uchar4"},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed", "dot products of four bytes in a uint", true},
    {"__opencl_c_kernel_clock_scope_device", "clock_read_device"},
    {"__opencl_c_kernel_clock_scope_work_group", "clock_read_work_group"},
    {"__opencl_c_kernel_clock_scope_sub_group", "clock_read_sub_group"},
    {"__opencl_c_pipes", "pipes"},
    {"__opencl_c_program_scope_global_variables", "variables at program scope"},
    {"__opencl_c_read_write_images", "kernels read and write one image"},
    {"__opencl_c_subgroups", "sub-group functions", true},
    {"__opencl_c_work_group_collective_functions", "work-group scans, reductions, broadcasts and votes"},
};

struct Support {
  std::string_view name;
  bool cpu, cuda;
};

constexpr auto kHas = std::to_array<Support>({
#define UPSWEEP_FEATURE(name, cpu, cuda) {#name, cpu, cuda},
#include "base/features.def"
});

struct Language {
  int major, minor;
  bool cpu, cuda;
};

constexpr auto kLanguages = std::to_array<Language>({
#define UPSWEEP_LANGUAGE(major, minor, cpu, cuda) {major, minor, cpu, cuda},
#include "base/features.def"
});

struct Extension {
  std::string_view name;
  int major, minor, patch, core;
  bool cpu, cuda;
};

constexpr auto kExtensions = std::to_array<Extension>({
#define UPSWEEP_EXTENSION(name, major, minor, patch, core, platform, cpu, cuda) {#name, major, minor, patch, core, cpu, cuda},
#include "base/features.def"
});

struct Option {
  std::string_view name, type;
  std::string fallback, reason;
};

template <typename T>
std::string text_of(const T &value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "1" : "0";
  else
    return fmt::format("{}", value);
}

std::vector<Option> all_options() {
  return {
#define UPSWEEP_OPTION(name, type, fallback, reason) {#name, #type, text_of(fallback), reason},
#include "base/options.def"
#undef UPSWEEP_OPTION
  };
}

void heading(std::string_view title, std::string_view table) {
  fmt::print("# {}\n\nGenerated from `{}` by `./dev build docs`; a test compares the two.\n", title, table);
}

// The sets of types and widths in functions.def, in readers' words.
struct Set {
  std::string_view name, meaning;
};
constexpr Set kSets[] = {
#define UPSWEEP_TYPES(name, meaning) {#name, meaning},
#define UPSWEEP_WIDTHS(name, meaning) {#name, meaning},
#define UPSWEEP_SECTION(number, title)
#define UPSWEEP_OVERLOADS(prototype, types, widths)
#define UPSWEEP_OWN_OVERLOADS(extension, prototype, types, widths)
#include "builtins/functions.def"
#undef UPSWEEP_TYPES
#undef UPSWEEP_WIDTHS
#undef UPSWEEP_SECTION
#undef UPSWEEP_OVERLOADS
#undef UPSWEEP_OWN_OVERLOADS
};

void print_section(std::string_view number, std::string_view title) {
  fmt::print("\n### {} {}\n\n| overloads | t | widths |\n|---|---|---|\n", number, title);
}

// A bar would end the table's cell.
void print_overloads(std::string prototype, std::string_view types, std::string_view widths) {
  for (size_t at = 0; (at = prototype.find('|', at)) != std::string::npos; at += 3) prototype.replace(at, 1, " / ");
  fmt::print("| `{}` | {} | {} |\n", prototype, std::ranges::find(kSets, types, &Set::name)->meaning,
             std::ranges::find(kSets, widths, &Set::name)->meaning);
}

void print_functions() {
  fmt::print(
      "\n## Built-in functions\n\nThe rows of `src/builtins/functions.def`; a test calls each overload. Functions that take "
      "blocks (`enqueue_kernel` and `get_kernel_…` of 1.13.17) have no row.\n\n| symbol | meaning |\n|---|---|\n"
      "| `t` | each of the types in the second column |\n| `i`, `u` | the signed and the unsigned integer of the size of `t` "
      "|\n"
      "| `w` | the type of twice the size of `t` |\n| `r` | the result type of a comparison of `t` |\n"
      "| `#` | each of the widths in the third column |\n"
      "| `space` | global, local, private or the generic address space |\n| `anywhere` | these, or constant |\n");
#define UPSWEEP_TYPES(name, meaning)
#define UPSWEEP_WIDTHS(name, meaning)
#define UPSWEEP_SECTION(number, title) print_section(number, title);
#define UPSWEEP_OVERLOADS(prototype, types, widths) print_overloads(prototype, #types, #widths);
#define UPSWEEP_OWN_OVERLOADS(extension, prototype, types, widths) print_overloads(prototype, #types, #widths);
#include "builtins/functions.def"
#undef UPSWEEP_TYPES
#undef UPSWEEP_WIDTHS
#undef UPSWEEP_SECTION
#undef UPSWEEP_OVERLOADS
#undef UPSWEEP_OWN_OVERLOADS
}

std::string_view short_name(const char *constant) { return std::string_view(constant).substr(std::string_view("CL_").size()); }

// Orders with the same data types are a row.
void print_images() {
  struct Row {
    std::string orders, types;
  };
  std::vector<Row> by_order, rows;
  for (const upsweep::ImageFormat &format : upsweep::image_formats()) {
    const auto order = fmt::format("`{}`", short_name(format.order().name));
    if (by_order.empty() || by_order.back().orders != order) by_order.push_back({order, ""});
    std::string &types = by_order.back().types;
    types += fmt::format("{}`{}`", types.empty() ? "" : ", ", short_name(format.type().name));
  }
  for (const Row &order : by_order) {
    const auto found = std::ranges::find(rows, order.types, &Row::types);
    if (found == rows.end())
      rows.push_back(order);
    else
      found->orders += ", " + order.orders;
  }
  fmt::print("\n## Images\n\nThe rows of `src/formats/image_formats.def`. On CPUs and GPUs kernels read, write, and read "
             "and write images of each type in each of these formats; `DEPTH` is only for 2D images and their arrays. Images "
             "have up to "
             "{} mip levels, and may be of buffers, sub-buffers, other images and host memory with pitches. `upsweep info` "
             "lists the limits of a device.\n\n| channel orders | channel data types |\n|---|---|\n",
             +UPSWEEP_MOST_LEVELS);
  for (const Row &row : rows) fmt::print("| {} | {} |\n", row.orders, row.types);
  fmt::print(
      "\nThe specifications differ or are silent about two points. `Rx` and `RGx` store one and two channels. The border "
      "colour "
      "of `Rx`, `RGx`, `RGBx` and `sRGBx` has an alpha of 0, as OpenCL C says, where Khronos's conformance tests expect 1.\n");
}

std::string_view yes_or_no(bool value) { return value ? "yes" : "no"; }

void print_spirv() {
  fmt::print("\n## SPIR-V\n\nVersions 1.0 to 1.6 of the Kernel execution model, on all devices ([how](howto/spirv.md)). "
             "Capabilities:");
  const char *separator = "";
  const auto print = [&](std::string_view name) {
    fmt::print("{} `{}`", separator, name);
    separator = ",";
  };
#define UPSWEEP_CAPABILITY(name, number) print(#name);
#include "base/spirv.def"
  fmt::print(".\n\nExtensions:");
  separator = "";
#define UPSWEEP_SPIRV_EXTENSION(name) print(#name);
#include "base/spirv.def"
  fmt::print(".\n\nExtended instructions:");
  separator = "";
#define UPSWEEP_INSTRUCTION_SET(name) print(name);
#include "base/spirv.def"
  fmt::print(". `NonSemantic.*` is ignored.\n");
}

// The newest language of a column is also the device's version of OpenCL.
void print_versions() {
  fmt::print("\n## Versions\n\nA device's newest version of OpenCL C is also its version of OpenCL. The option `-cl-std=CL3.1` "
             "chooses OpenCL C 3.1 ([what it adds](decisions/opencl-3-1.md)).\n\n| OpenCL C | x86-64 CPU | NVIDIA GPU "
             "|\n|---|---|---|\n");
  for (const Language &each : kLanguages)
    fmt::print("| {}.{} | {} | {} |\n", each.major, each.minor, yes_or_no(each.cpu), yes_or_no(each.cuda));
}

std::string core_version(int core) { return core == 0 ? "" : fmt::format("{}.{}", core / 100, core / 10 % 10); }

bool print_support() {
  heading("OpenCL support",
          "src/base/features.def`, `src/base/spirv.def`, `src/formats/image_formats.def` and `src/builtins/functions.def");
  print_versions();
  fmt::print("\n## Features of OpenCL C\n\nSince OpenCL C 3.0 a program asks for them by these macros. OpenCL 3.1 requires "
             "some of them.\n\n| feature | meaning | in 3.1 | x86-64 CPU | NVIDIA GPU |\n|---|---|---|---|---|\n");
  for (const Feature &feature : kFeatures) {
    const auto found = std::ranges::find(kHas, feature.name, &Support::name);
    const bool is_listed = found != kHas.end();
    fmt::print("| `{}` | {} | {} | {} | {} |\n", feature.name, feature.meaning, feature.is_core ? "required" : "optional",
               yes_or_no(is_listed && found->cpu), yes_or_no(is_listed && found->cuda));
  }
  fmt::print("\n## Extensions\n\nThe third column names the version of OpenCL whose core has the extension. Versions below "
             "1.0.0 are experimental: "
             "Khronos or the vendor may still change the extension.\n\n"
             "| extension | version | core | x86-64 CPU | NVIDIA GPU |\n|---|---|---|---|---|\n");
  for (const Extension &extension : kExtensions)
    fmt::print("| `{}` | {}.{}.{} | {} | {} | {} |\n", extension.name, extension.major, extension.minor, extension.patch,
               core_version(extension.core), yes_or_no(extension.cpu), yes_or_no(extension.cuda));
  print_spirv();
  print_images();
  print_functions();
  // A feature of the driver that kFeatures lacks has a wrong name.
  return std::ranges::all_of(kHas, [](const Support &listed) {
    const bool known = std::ranges::find(kFeatures, listed.name, &Feature::name) != std::end(kFeatures);
    if (!known) fmt::print(stderr, "'{}' is no feature of OpenCL C\n", listed.name);
    return known;
  });
}

std::string variable(std::string_view name) {
  std::string text = "UPSWEEP_";
  for (const char c : name) text += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

std::string_view kind(std::string_view type) { return type == "bool" ? "0 or 1" : type == "int64_t" ? "number" : "text"; }

bool print_options() {
  heading("Environment options", "src/base/options.def");
  fmt::print(
      "\nThe driver and the compiler read these variables once, when a process first needs them. A value that cannot be read "
      "counts as not set.\n\n| variable | value | default | effect |\n|---|---|---|---|\n");
  for (const Option &option : all_options())
    fmt::print("| `{}` | {} | {} | {} |\n", variable(option.name), kind(option.type), option.fallback, option.reason);
  return true;
}

// A line of compiler/options.def: `contexts` holds B, C and L.
struct BuildOption {
  std::string_view spelling, contexts, effect;
};
constexpr BuildOption kBuildOptions[] = {
#define UPSWEEP_OPTION(spelling, contexts, clang_spelling, flag, effect) {spelling, #contexts, effect},
#include "compiler/options.def"
#undef UPSWEEP_OPTION
};

struct Restriction {
  std::string_view name, treatment;
  unsigned below;
  bool in_cpp;
  std::string_view example;
};
constexpr Restriction kRestrictions[] = {
#define UPSWEEP_RESTRICTION(id, name, treatment, below, in_cpp, text, example) {name, #treatment, below, in_cpp, example},
#include "compiler/restrictions.def"
#undef UPSWEEP_RESTRICTION
};

bool print_build_options() {
  heading("Build options", "src/compiler/options.def` and `src/compiler/restrictions.def");
  fmt::print("\nBesides `-D`, `-I` and `-cl-std=`, which clBuildProgram and clCompileProgram take:\n\n"
             "| option | effect | clBuildProgram | clCompileProgram | clLinkProgram |\n|---|---|---|---|---|\n");
  for (const BuildOption &option : kBuildOptions)
    fmt::print("| `{}` | {} | {} | {} | {} |\n", option.spelling, option.effect,
               yes_or_no(option.contexts.find('B') != std::string_view::npos),
               yes_or_no(option.contexts.find('C') != std::string_view::npos),
               yes_or_no(option.contexts.find('L') != std::string_view::npos));
  fmt::print("\n`-cl-ext=-NAME[,-NAME]` builds without a feature or extension.\n\n## Constructs that OpenCL C forbids\n\n"
             "The compiler warns about some and refuses the rest ([why](decisions/restrictions.md)). These options change that "
             "at all\n"
             "three entry points; the last option counts, and `restrictions` stands for all names.\n\n"
             "| option | effect |\n|---|---|\n| `-Werror=NAME` | an error |\n"
             "| `-Wno-error=NAME` | a warning, also with `-Werror`; none with `-w` |\n"
             "| `-Wno-NAME` | no message |\n| `-WNAME` | as without an option |\n\n"
             "`-Werror=restrictions` refuses every construct that another driver may refuse. The variable "
             "`UPSWEEP_BUILD_OPTIONS` adds\n"
             "options where a program's own cannot be changed. A link permits recursion by its own options, or if all "
             "functions of the\n"
             "cycle were compiled with permission.\n\n"
             "| name | for example | forbidden in | C++ for OpenCL | without an option |\n|---|---|---|---|---|\n");
  for (const Restriction &restriction : kRestrictions) {
    const bool is_always = restriction.below > 300;
    fmt::print("| `{}` | `{}` | OpenCL C{} | {} | {} |\n", restriction.name, restriction.example,
               is_always ? "" : fmt::format(" before {}.{}", restriction.below / 100, restriction.below / 10 % 10),
               yes_or_no(restriction.in_cpp), restriction.treatment == "kWarned" ? "a warning" : "an error");
  }
  return true;
}

}  // namespace

int main(int argc, char **argv) {
  const std::string_view page = argc == 2 ? argv[1] : "";
  if (page == "opencl-support") return print_support() ? 0 : 1;
  if (page == "options") return print_options() ? 0 : 1;
  if (page == "build-options") return print_build_options() ? 0 : 1;
  fmt::print(stderr, "usage: generator opencl-support|options|build-options\n");
  return 2;
}
