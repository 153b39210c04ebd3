// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a program's kernel, and makes its arguments from their texts.
#include "cli/prepare.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace upsweep::cli {
namespace {

Result<cl::Kernel> find_kernel(const cl::Program &program, const std::string &name) {
  std::vector<cl::Kernel> kernels;
  if (auto done = check(cl::Program(program).createKernels(&kernels), "make the kernels"); !done) return Failure(done.error());
  std::vector<std::string> names;
  for (const auto &kernel : kernels) names.push_back(kernel.getInfo<CL_KERNEL_FUNCTION_NAME>());
  std::ranges::sort(names);
  if (names.empty()) return fail("the program has no kernel");
  if (name.empty() && kernels.size() == 1) return kernels.front();
  for (const auto &kernel : kernels)
    if (kernel.getInfo<CL_KERNEL_FUNCTION_NAME>() == name) return kernel;
  if (name.empty()) return fail("the program has several kernels; choose with --kernel: {}", fmt::join(names, ", "));
  return fail("the program has no kernel '{}'; it has {}", name, fmt::join(names, ", "));
}

Result<std::vector<HostArgument>> make_arguments(const std::vector<std::string> &texts,
                                                 const std::vector<Parameter> &parameters) {
  if (texts.size() != parameters.size()) {
    std::vector<std::string> declarations;
    for (const auto &parameter : parameters) declarations.push_back(parameter.declaration());
    return fail("the kernel takes {} arguments ({}), but --arg gives {}", parameters.size(), fmt::join(declarations, ", "),
                texts.size());
  }
  std::vector<HostArgument> arguments;
  for (size_t i = 0; i < texts.size(); ++i) {
    auto argument = parse_argument(texts[i]);
    const auto fits = argument ? check_fits(parameters[i], *argument) : Result<void>(Failure(argument.error()));
    if (!fits)
      return Failure(
          Error(fmt::format("argument {} ({}): {}", i, parameters[i].declaration(), fits.error()), fits.error().is_misuse));
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

}  // namespace

bool has_memory(const HostArgument &argument) {
  return argument.kind == HostArgument::Kind::Buffer || argument.kind == HostArgument::Kind::Image;
}

Result<PreparedKernel> prepare_kernel(const cl::Program &program, const std::string &name,
                                      const std::vector<std::string> &arguments) {
  auto kernel = find_kernel(program, name);
  if (!kernel) return Failure(kernel.error());
  auto parameters = parameters_of(*kernel);
  if (!parameters) return Failure(parameters.error());
  auto made = make_arguments(arguments, *parameters);
  if (!made) return Failure(made.error());
  return PreparedKernel{*std::move(kernel), *std::move(parameters), *std::move(made)};
}

}  // namespace upsweep::cli
