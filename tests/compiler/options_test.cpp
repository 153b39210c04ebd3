// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splitting and checking of option strings.
#include "compiler/options.h"

#include <gtest/gtest.h>

namespace upsweep::compiler {
namespace {

using Words = std::vector<std::string>;

Words split(std::string_view text) {
  auto words = split_options(text);
  if (words) return *words;
  return {"error: " + llvm::toString(words.takeError())};
}

/// The error's text, or an empty one.
std::string error_of(std::string_view text, OptionContext context = OptionContext::kBuild) {
  auto options = parse_options(text, context);
  return options ? "" : llvm::toString(options.takeError());
}

Words clang_arguments(std::string_view text) {
  auto options = parse_options(text, OptionContext::kBuild);
  if (options) return options->clang_arguments;
  return {"error: " + llvm::toString(options.takeError())};
}

TEST(Options, GivenQuotes_WhenSplit_ThenTheyGroup) {
  EXPECT_EQ(split(""), Words{});
  EXPECT_EQ(split("  -w \t\n -g "), (Words{"-w", "-g"}));
  EXPECT_EQ(split("-D \"A=b c\""), (Words{"-D", "A=b c"}));
  EXPECT_EQ(split("-DX='a b'"), (Words{"-DX=a b"}));
  EXPECT_EQ(split("-DX=\\\"text\\\""), (Words{"-DX=\"text\""}));
  EXPECT_EQ(split("-DX=\"a \\\" b\""), (Words{"-DX=a \" b"}));
  EXPECT_EQ(split("-I/a\\ b -I\"/c d\"/e"), (Words{"-I/a b", "-I/c d/e"}));
  EXPECT_EQ(split("-DX='\"a\"'"), (Words{"-DX=\"a\""}));
  EXPECT_EQ(split("-DX=\"'\""), (Words{"-DX='"}));
  EXPECT_EQ(split("-DX=a\\nb"), (Words{"-DX=a\\nb"}));
  EXPECT_EQ(split("-D \"\""), (Words{"-D", ""}));
  EXPECT_NE(split("-DX=\"a")[0].find("never closed"), std::string::npos);
}

TEST(Options, GivenDefinitionsAndFolders_WhenParsed_ThenJoinedForClang) {
  EXPECT_EQ(clang_arguments("-DA -D B=2 -I x -Iy"), (Words{"-DA", "-DB=2", "-Ix", "-Iy"}));
  EXPECT_EQ(clang_arguments("-D \"TWICE(x)=x+x\""), (Words{"-DTWICE(x)=x+x"}));
}

TEST(Options, GivenMistakes_WhenParsed_ThenTheMessageNamesThem) {
  EXPECT_NE(error_of("-invalid").find("-invalid"), std::string::npos);
  EXPECT_NE(error_of("kernel.cl").find("kernel.cl"), std::string::npos);
  EXPECT_NE(error_of("-D").find("-D"), std::string::npos);
  EXPECT_NE(error_of("-D 1x=2").find("1x"), std::string::npos);
  EXPECT_NE(error_of("-D \"\""), "");
  EXPECT_NE(error_of("-I").find("-I"), std::string::npos);
  EXPECT_NE(error_of("-cl-std=CL4.0").find("CL4.0"), std::string::npos);
  EXPECT_NE(error_of("-cl-std="), "");
}

TEST(Options, GivenOptionsThatLoadCodeOrFiles_WhenParsed_ThenTheyAreRefused) {
  for (const char *text :
       {"-Wl,-init,f",        "-Wp,-include,x", "-Wa,-I/",      "-Xclang -load", "-load x.so", "-fplugin=x.so",
        "-fpass-plugin=x.so", "-include x.h",   "-imacros x.h", "-isystem /",    "-iquote /",  "@options",
        "--config=x",         "-mllvm -x",      "-o x",         "-emit-llvm",    "-fmodules",  "-fmodule-file=x",
        "-include-pch x",     "-ivfsoverlay x", "-B/"})
    for (const OptionContext context : {OptionContext::kBuild, OptionContext::kCompile, OptionContext::kLink}) {
      auto options = parse_options(text, context);
      EXPECT_FALSE(static_cast<bool>(options)) << text;
      if (!options)
        EXPECT_NE(llvm::toString(options.takeError()).find(std::string(text).substr(0, 2)), std::string::npos) << text;
    }
  // An option's folder may have any name, even that of an option.
  auto folder = parse_options("-I@file -I -include", OptionContext::kBuild);
  ASSERT_TRUE(static_cast<bool>(folder));
  EXPECT_EQ(folder->clang_arguments, (std::vector<std::string>{"-I@file", "-I-include"}));
}

Treatment treatment(std::string_view text, Restriction of, OptionContext context = OptionContext::kBuild) {
  auto options = parse_options(text, context);
  EXPECT_TRUE(static_cast<bool>(options)) << text;
  if (options) return options->treatments.of(of);
  llvm::consumeError(options.takeError());
  return Treatment::kRefused;
}

TEST(Options, GivenAForbiddenThing_WhenAnOptionPermitsIt_ThenTheLastOneCounts) {
  constexpr Restriction kMacros = Restriction::kVariadicMacros, kLong = Restriction::kLongLong;
  EXPECT_EQ(treatment("", kMacros), Treatment::kWarned);
  EXPECT_EQ(treatment("", kLong), Treatment::kRefused);
  EXPECT_EQ(treatment("-Werror", kMacros), Treatment::kWarned);
  EXPECT_EQ(treatment("-Werror=restrictions", kMacros), Treatment::kRefused);
  EXPECT_EQ(treatment("-Werror=restrictions -Wno-error=variadic-macros", kMacros), Treatment::kWarned);
  EXPECT_EQ(treatment("-Werror=variadic-macros -Wvariadic-macros", kMacros), Treatment::kWarned);
  EXPECT_EQ(treatment("-Wno-restrictions -Wrestrictions", kMacros), Treatment::kWarned);
  EXPECT_EQ(treatment("-Wno-error=variadic-macros", kMacros), Treatment::kWarned);
  EXPECT_EQ(treatment("-Wno-error=variadic-macros", kLong), Treatment::kRefused);
  EXPECT_EQ(treatment("-Wno-variadic-macros -Werror", kMacros), Treatment::kPermitted);
  EXPECT_EQ(treatment("-Wno-restrictions -Wlong-long", kMacros), Treatment::kPermitted);
  EXPECT_EQ(treatment("-Wno-restrictions -Wlong-long", kLong), Treatment::kRefused);
  EXPECT_EQ(treatment("-Wno-error=restrictions -Werror=long-long", kLong), Treatment::kRefused);
  EXPECT_EQ(treatment("-Wno-error=recursion", Restriction::kRecursion, OptionContext::kCompile), Treatment::kWarned);
  EXPECT_EQ(treatment("-Wno-recursion", Restriction::kRecursion, OptionContext::kLink), Treatment::kPermitted);
}

TEST(Options, GivenANameThatNoRestrictionHas_WhenPermitted_ThenTheMessageNamesItAndThoseThereAre) {
  for (const char *wrong :
       {"-Wno-error=variadic", "-Wno-error=", "-Wno-", "-W", "-Wall", "-Wno-error=no-recursion", "-Wno-recursion,long-long"}) {
    EXPECT_NE(error_of(wrong).find("'" + std::string(wrong) + "' is not an option of clBuildProgram"), std::string::npos)
        << wrong;
    EXPECT_NE(error_of(wrong).find("recursion, reserved-names, variadic-macros"), std::string::npos) << error_of(wrong);
  }
}

TEST(Options, GivenEveryOptionOfTheSpecification_WhenParsedForItsEntryPoints_ThenAccepted) {
  struct {
    const char *option;
    bool build, link;
  } const table[] = {
      {"-D A=1", true, false},
      {"-I folder", true, false},
      {"-cl-single-precision-constant", true, false},
      {"-cl-denorms-are-zero", true, true},
      {"-cl-fp32-correctly-rounded-divide-sqrt", true, false},
      {"-cl-opt-disable", true, false},
      {"-cl-strict-aliasing", true, false},
      {"-cl-uniform-work-group-size", true, false},
      {"-cl-no-subgroup-ifp", true, true},
      {"-cl-mad-enable", true, true},
      {"-cl-no-signed-zeros", true, true},
      {"-cl-unsafe-math-optimizations", true, true},
      {"-cl-finite-math-only", true, true},
      {"-cl-fast-relaxed-math", true, true},
      {"-w", true, false},
      {"-Werror", true, false},
      {"-cl-std=CL1.1", true, false},
      {"-cl-std=CL1.2", true, false},
      {"-cl-std=CL2.0", true, false},
      {"-cl-std=CL3.0", true, false},
      {"-cl-std=CL3.1", true, false},
      {"-cl-std=CL3.2", false, false},
      {"-cl-std=CLC++2021", true, false},
      {"-cl-kernel-arg-info", true, false},
      {"-g", true, false},
      {"-create-library", false, true},
      {"-cl-ext=-__opencl_c_fp64", true, false},
      {"-cl-ext=-cl_khr_fp16,-__opencl_c_subgroups", true, false},
      {"-cl-ext=", false, false},
      {"-cl-ext=-", false, false},
      {"-cl-ext=+cl_khr_fp16", false, false},
      {"-cl-ext=-cl_khr_fp16,", true, false},
      {"-cl-ext=-cl_khr_fp16,,", false, false},
      {"-cl-ext=-__opencl_c_images", true, false},
      {"-cl-ext=-__opencl_c_int64", false, false},
      {"-create-library -enable-link-options", false, true},
      {"-enable-link-options", false, false},
  };
  for (const auto &row : table) {
    EXPECT_EQ(error_of(row.option, OptionContext::kBuild).empty(), row.build) << row.option;
    EXPECT_EQ(error_of(row.option, OptionContext::kCompile).empty(), row.build) << row.option;
    EXPECT_EQ(error_of(row.option, OptionContext::kLink).empty(), row.link) << row.option;
  }
}

}  // namespace
}  // namespace upsweep::compiler
