// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel descriptions as bytes: every field arrives, and damaged bytes are refused.
#include "base/kernel_description.h"

#include <gtest/gtest.h>

namespace upsweep::tests {
namespace {

/// Different values in all fields.
template <typename T>
void set(T &field, uint32_t &number) {
  if constexpr (std::is_same_v<T, std::string>)
    field = "text " + std::to_string(++number);
  else if constexpr (std::is_same_v<T, bool>)
    field = true;
  else if constexpr (std::is_same_v<T, ArgumentKind>)
    field = ArgumentKind::kLocal;
  else if constexpr (std::is_same_v<T, GroupSize>)
    field = {++number, ++number, ++number};
  else if constexpr (std::is_integral_v<T>)
    field = static_cast<T>(++number);
}

KernelDescription full_description() {
  KernelDescription kernel;
  uint32_t number = 0;
  kernel.arguments.resize(2);
  for (ArgumentDescription &argument : kernel.arguments) {
#define UPSWEEP_KERNEL_FIELD(type, name)
#define UPSWEEP_ARGUMENT_FIELD(type, name) set(argument.name, number);
#include "base/kernel_description.def"
  }
#define UPSWEEP_ARGUMENT_FIELD(type, name)
#define UPSWEEP_KERNEL_FIELD(type, name) set(kernel.name, number);
#include "base/kernel_description.def"
  kernel.argument_block_bytes = 64;  // room for both
  return kernel;
}

Bytes encode(const KernelDescription &kernel) {
  WireWriter writer;
  put(writer, kernel);
  return writer.take();
}

TEST(KernelDescription, GivenAllFields_WhenWrittenAndRead_ThenTheyAreTheSame) {
  const KernelDescription kernel = full_description();
  const Bytes bytes = encode(kernel);
  WireReader reader(bytes);
  EXPECT_EQ(get_kernel_description(reader), kernel);
  EXPECT_TRUE(reader.at_end());
  // `kernel` differs from a default description, so fields that are not written would be found.
  EXPECT_NE(kernel, KernelDescription());
}

TEST(KernelDescription, GivenFewerBytes_WhenRead_ThenTheyAreRefused) {
  const Bytes bytes = encode(full_description());
  for (size_t size = 0; size < bytes.size(); ++size) {
    WireReader reader(ByteSpan(bytes).first(size));
    EXPECT_FALSE(get_kernel_description(reader)) << size;
  }
}

TEST(KernelDescription, GivenAnArgumentOfAnUnknownKind_WhenRead_ThenItIsRefused) {
  KernelDescription kernel = full_description();
  kernel.arguments[1].kind = static_cast<ArgumentKind>(8);
  const Bytes bytes = encode(kernel);
  WireReader reader(bytes);
  EXPECT_FALSE(get_kernel_description(reader));
}

TEST(KernelDescription, GivenAnArgumentBeyondItsBlock_WhenRead_ThenItIsRefused) {
  struct Case {
    ArgumentKind kind;
    uint32_t offset, size;
    bool fits;
  };
  // Addresses and offsets of local memory have 8 bytes, whatever the size says.
  const Case cases[] = {{ArgumentKind::kValue, 60, 4, true},          {ArgumentKind::kValue, 60, 5, false},
                        {ArgumentKind::kValue, 64, 0, true},          {ArgumentKind::kValue, 65, 0, false},
                        {ArgumentKind::kGlobal, 56, 8, true},         {ArgumentKind::kGlobal, 57, 1, false},
                        {ArgumentKind::kConstant, 60, 0, false},      {ArgumentKind::kLocal, 60, 4, false},
                        {ArgumentKind::kValue, 8, UINT32_MAX, false}, {ArgumentKind::kLocal, UINT32_MAX, 8, false}};
  for (const Case &one : cases) {
    KernelDescription kernel = full_description();
    kernel.arguments[1].kind = one.kind;
    kernel.arguments[1].offset = one.offset;
    kernel.arguments[1].size = one.size;
    const Bytes bytes = encode(kernel);
    WireReader reader(bytes);
    EXPECT_EQ(get_kernel_description(reader).has_value(), one.fits) << one.offset << ' ' << one.size;
  }
}

}  // namespace
}  // namespace upsweep::tests
