// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encoding of kernel descriptions: each field by its type; lists are preceded by their length.
#include "base/kernel_description.h"

namespace upsweep {
namespace {

void put_field(WireWriter &writer, const std::string &text) { writer.put(std::string_view(text)); }
void put_field(WireWriter &writer, const FixedSize auto &value) { writer.put(value); }
void put_field(WireWriter &writer, const ArgumentDescription &argument) {
#define UPSWEEP_KERNEL_FIELD(type, name)
#define UPSWEEP_ARGUMENT_FIELD(type, name) put_field(writer, argument.name);
#include "base/kernel_description.def"
}
void put_field(WireWriter &writer, const std::vector<ArgumentDescription> &arguments) {
  writer.put(static_cast<uint32_t>(arguments.size()));
  for (const ArgumentDescription &argument : arguments) put_field(writer, argument);
}

void get_field(WireReader &reader, std::string &text) { text = reader.text(); }
void get_field(WireReader &reader, bool &value) { value = reader.get<uint8_t>() != 0; }
void get_field(WireReader &reader, FixedSize auto &value) { value = reader.get<std::remove_reference_t<decltype(value)>>(); }
void get_field(WireReader &reader, ArgumentDescription &argument) {
#define UPSWEEP_KERNEL_FIELD(type, name)
#define UPSWEEP_ARGUMENT_FIELD(type, name) get_field(reader, argument.name);
#include "base/kernel_description.def"
}
// A length beyond the remaining bytes makes the reader fail, since each argument takes at least one byte.
void get_field(WireReader &reader, std::vector<ArgumentDescription> &arguments) {
  const auto count = reader.get<uint32_t>();
  for (uint32_t i = 0; i < count && reader.ok(); ++i) get_field(reader, arguments.emplace_back());
}

/// Whether the argument's bytes, which clSetKernelArg and launches write, are inside the block. Descriptions may come from
/// program binaries. An address, or an offset into local memory, is a uint64_t.
bool is_inside(const ArgumentDescription &argument, uint32_t block_bytes) {
  const bool is_address = argument.kind == ArgumentKind::kGlobal || argument.kind == ArgumentKind::kConstant ||
                          argument.kind == ArgumentKind::kLocal;
  return uint64_t{argument.offset} + (is_address ? sizeof(uint64_t) : argument.size) <= block_bytes;
}

}  // namespace

void put(WireWriter &writer, const KernelDescription &kernel) {
#define UPSWEEP_ARGUMENT_FIELD(type, name)
#define UPSWEEP_KERNEL_FIELD(type, name) put_field(writer, kernel.name);
#include "base/kernel_description.def"
}

std::optional<KernelDescription> get_kernel_description(WireReader &reader) {
  KernelDescription kernel;
#define UPSWEEP_ARGUMENT_FIELD(type, name)
#define UPSWEEP_KERNEL_FIELD(type, name) get_field(reader, kernel.name);
#include "base/kernel_description.def"
  for (const ArgumentDescription &argument : kernel.arguments)
    if (argument.kind > ArgumentKind::kQueue || !is_inside(argument, kernel.argument_block_bytes)) return std::nullopt;
  return reader.ok() ? std::optional(std::move(kernel)) : std::nullopt;
}

}  // namespace upsweep
