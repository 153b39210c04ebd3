// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks arguments against the kernel's own types, so that a mistake is a sentence and not a wrong result.
#include "cli/parameter.h"

#include <algorithm>

namespace upsweep::cli {
namespace {

std::string_view space_name(cl_kernel_arg_address_qualifier space) {
  switch (space) {
  case CL_KERNEL_ARG_ADDRESS_GLOBAL: return "global ";
  case CL_KERNEL_ARG_ADDRESS_CONSTANT: return "constant ";
  case CL_KERNEL_ARG_ADDRESS_LOCAL: return "local ";
  default: return "";
  }
}

// "unsigned int*" → "uint": drivers spell the unsigned types in either way.
std::string element_name(std::string type) {
  std::erase_if(type, [](char c) { return c == '*' || c == ' '; });
  if (type.starts_with("unsigned")) type.replace(0, 8, "u");
  return type;
}

bool is_opaque(std::string_view type) {
  return type.starts_with("image") || type.starts_with("sampler") || type.starts_with("pipe") || type == "queue_t";
}

}  // namespace

std::string Parameter::declaration() const {
  return fmt::format("{}{}{}{}", space_name(space), type, name.empty() ? "" : " ", name);
}

Result<std::vector<Parameter>> parameters_of(const cl::Kernel &kernel) {
  std::vector<Parameter> parameters(kernel.getInfo<CL_KERNEL_NUM_ARGS>());
  for (cl_uint i = 0; i < parameters.size(); ++i) {
    Parameter &parameter = parameters[i];
    for (const cl_int error : {kernel.getArgInfo(i, CL_KERNEL_ARG_NAME, &parameter.name),
                               kernel.getArgInfo(i, CL_KERNEL_ARG_TYPE_NAME, &parameter.type),
                               kernel.getArgInfo(i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, &parameter.space)})
      if (auto done = check(error, "ask for the kernel's parameters"); !done) return Failure(done.error());
  }
  return parameters;
}

Result<void> check_fits(const Parameter &parameter, const HostArgument &argument) {
  using Kind = HostArgument::Kind;
  if (is_opaque(parameter.type)) return fail("images, samplers, pipes and queues cannot be passed from the command line");
  if (parameter.space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
    if (argument.kind != Kind::Local) return fail("it is local memory: write local:BYTES");
    return {};
  }
  if (argument.kind == Kind::Local) return fail("it is no local memory");
  const bool pointer = parameter.space != CL_KERNEL_ARG_ADDRESS_PRIVATE;
  if (pointer && argument.kind == Kind::Value)
    return fail("it is a buffer: write file.npy, zeros:TYPE:N, range:TYPE:N or random:TYPE:N");
  if (!pointer && argument.kind == Kind::Buffer) return fail("it is a value, not a buffer: write TYPE:VALUE");
  const auto wanted = parse_value_type(element_name(parameter.type));
  if (!wanted) return {};  // a structure or void: any bytes may be right
  // A plain array may be read as vectors, as OpenCL C programs do; a file has no vector types.
  if (pointer ? wanted->scalar != argument.type.scalar : *wanted != argument.type)
    return fail("{} is given", argument.type.name());
  if (argument.bytes.size() % wanted->bytes() != 0)
    return fail("the {} bytes given are no whole number of {}", argument.bytes.size(), wanted->name());
  return {};
}

}  // namespace upsweep::cli
