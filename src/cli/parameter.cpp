// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks arguments against the kernel's types, so that a mistake gives a message instead of a wrong result.
#include "cli/parameter.h"

#include "cli/image_argument.h"

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

// "unsigned int*" → "uint": drivers use both spellings of unsigned types.
std::string element_name(std::string type) {
  std::erase_if(type, [](char c) { return c == '*' || c == ' '; });
  if (type.starts_with("unsigned")) type.replace(0, 8, "u");
  return type;
}

std::string_view access_name(cl_kernel_arg_access_qualifier access) {
  switch (access) {
  case CL_KERNEL_ARG_ACCESS_READ_ONLY: return "read_only ";
  case CL_KERNEL_ARG_ACCESS_WRITE_ONLY: return "write_only ";
  case CL_KERNEL_ARG_ACCESS_READ_WRITE: return "read_write ";
  default: return "";
  }
}

Result<void> check_fits_image(const ImageTypeName &type, const HostArgument &argument) {
  if (argument.kind != HostArgument::Kind::Image) return fail("it is an image: write image:FILE or image:WxH");
  const bool is_depth = type.name.find("depth") != std::string_view::npos;
  if (is_depth != (argument.format.image_channel_order == CL_DEPTH))
    return fail("{} {} order=DEPTH", type.name, is_depth ? "needs" : "cannot have");
  if (argument.extent.size() != type.sizes)
    return fail("{} has {} size{}, but the given image has {}: {}", type.name, type.sizes, type.sizes == 1 ? "" : "s",
                argument.extent.size(), extent_text(argument.extent));
  return {};
}

}  // namespace

std::string Parameter::declaration() const {
  const std::string_view qualifier = space == CL_KERNEL_ARG_ADDRESS_GLOBAL && find_image_type(type) ? "" : space_name(space);
  return fmt::format("{}{}{}{}{}", qualifier, access_name(access), type, name.empty() ? "" : " ", name);
}

Result<std::vector<Parameter>> parameters_of(const cl::Kernel &kernel) {
  std::vector<Parameter> parameters(kernel.getInfo<CL_KERNEL_NUM_ARGS>());
  for (cl_uint i = 0; i < parameters.size(); ++i) {
    Parameter &parameter = parameters[i];
    for (const cl_int error : {kernel.getArgInfo(i, CL_KERNEL_ARG_NAME, &parameter.name),
                               kernel.getArgInfo(i, CL_KERNEL_ARG_TYPE_NAME, &parameter.type),
                               kernel.getArgInfo(i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, &parameter.space),
                               kernel.getArgInfo(i, CL_KERNEL_ARG_ACCESS_QUALIFIER, &parameter.access)})
      if (auto done = check(error, "ask for the kernel's parameters"); !done) return Failure(done.error());
  }
  return parameters;
}

Result<void> check_fits(const Parameter &parameter, const HostArgument &argument) {
  using Kind = HostArgument::Kind;
  if (parameter.type.starts_with("pipe") || parameter.type == "queue_t")
    return fail("pipes and queues cannot be passed from the command line");
  if (const ImageTypeName *type = find_image_type(parameter.type)) return check_fits_image(*type, argument);
  if (argument.kind == Kind::Image) return fail("it is not an image");
  const bool is_sampler = argument.kind == Kind::Sampler;
  if (parameter.type == "sampler_t" && !is_sampler)
    return fail("it is a sampler: write sampler:WORDS, such as sampler:linear,clamp_to_edge,normalized");
  if (parameter.type != "sampler_t" && is_sampler) return fail("it is not a sampler");
  if (is_sampler) return {};
  if (parameter.space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
    if (argument.kind != Kind::Local) return fail("it is local memory: write local:BYTES");
    return {};
  }
  if (argument.kind == Kind::Local) return fail("it is not local memory");
  const bool pointer = parameter.space != CL_KERNEL_ARG_ADDRESS_PRIVATE;
  if (pointer && argument.kind == Kind::Value)
    return fail("it is a buffer: write file.npy, zeros:TYPE:N, range:TYPE:N or random:TYPE:N");
  if (!pointer && argument.kind == Kind::Buffer) return fail("it is a value, not a buffer: write TYPE:VALUE");
  const auto wanted = parse_value_type(element_name(parameter.type));
  if (!wanted) return {};  // a structure or void: any bytes may be valid
  // A plain array may be used as vectors, as is common in OpenCL C; files have no vector types.
  if (pointer ? wanted->scalar != argument.type.scalar : *wanted != argument.type)
    return fail("{} is given", argument.type.name());
  if (argument.bytes.size() % wanted->bytes() != 0)
    return fail("the {} bytes given are not a multiple of {}", argument.bytes.size(), wanted->name());
  return {};
}

}  // namespace upsweep::cli
