// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates the OpenCL C functions that element_text.h declares.
#include "cli/files/element_text.h"

namespace upsweep::cli {
namespace {

std::string swapped(size_t bytes) {
  switch (bytes) {
  case 2: return "as_ushort(as_uchar2(bits).yx)";
  case 4: return "as_uint(as_uchar4(bits).wzyx)";
  default: return "as_ulong(as_uchar8(bits).s76543210)";
  }
}

// NUMBER upsweep_number(BITS bits). Reads a half as a float, which devices without 16-bit numbers also support.
std::string number_text(ElementType type) {
  const std::string bits = bits_type(type).name;
  const bool is_half = type.scalar == Scalar::Half;
  const std::string name(is_half ? "float" : info_of(type.scalar).name);
  std::string text = fmt::format("{} upsweep_number({} bits) {{\n", name, bits);
  if (type.is_swapped) text += fmt::format("  bits = {};\n", swapped(type.bytes()));
  text += is_half ? "  return vload_half(0, (const half *)&bits);\n" : fmt::format("  return as_{}(bits);\n", name);
  return text + "}\n";
}

}  // namespace

opencl::element_type bits_type(ElementType type) {
  switch (type.bytes()) {
  case 1: return opencl::type_of<uint8_t>::value();
  case 2: return opencl::type_of<uint16_t>::value();
  case 4: return opencl::type_of<uint32_t>::value();
  default: return opencl::type_of<uint64_t>::value();
  }
}

opencl::function keeping_text(ElementType type, const Comparison &comparison) {
  return {"upsweep_keeps",
          number_text(type) + fmt::format("bool upsweep_keeps({} bits) {{ return {}; }}\n", bits_type(type).name,
                                          comparison.text(type, "upsweep_number(bits)"))};
}

opencl::function equality_text(ElementType type) {
  if (!is_real(type.scalar)) return {};
  return {"upsweep_same",
          number_text(type) +
              fmt::format("bool upsweep_same({0} a, {0} b) {{ return upsweep_number(a) == upsweep_number(b); }}\n",
                          bits_type(type).name)};
}

}  // namespace upsweep::cli
