// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the tables of kernel_abi.h as constants; their fields have the same order.
#include "passes/cpu/code_object.h"

#include "passes/common/host_variables.h"
#include "passes/common/kernel_info.h"
#include "passes/common/link_builtins.h"
#include "passes/cpu/group_layout.h"
#include "passes/cpu/work_group_loop.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// A constant without a name.
Constant *data(Module &module, Constant *contents) {
  auto *variable = new GlobalVariable(module, contents->getType(), true, GlobalValue::PrivateLinkage, contents);
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return variable;
}

Constant *table(Module &module, ArrayRef<Constant *> records) {
  if (records.empty()) return ConstantPointerNull::get(PointerType::get(module.getContext(), 0));
  return data(module, ConstantArray::get(ArrayType::get(records[0]->getType(), records.size()), records));
}

/// For each of `units.lanes` work-items.
uint64_t frame_bytes(const Kernel &kernel) {
  const uint64_t bytes = frame_bytes_per_unit(kernel.units);
  return kernel.scalar ? std::max(bytes, frame_bytes_per_unit(kernel.scalar->units) * kernel.units.lanes) : bytes;
}

static_assert(sizeof(UpsweepKernelCode) == 48 && sizeof(UpsweepVariable) == 32 && sizeof(UpsweepCodeObject) == 56,
              "the records below have these fields and no others");

}  // namespace

void emit_code_object(Module &module, Program &program) {
  const ArrayRef<Kernel> kernels(program.kernels);
  LLVMContext &context = module.getContext();
  auto word = [&](uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); };
  auto wide = [&](uint64_t value) { return ConstantInt::get(Type::getInt64Ty(context), value); };
  SmallVector<Constant *, 8> records;
  WireWriter descriptions;
  for (const Kernel &kernel : kernels) {
    put(descriptions, kernel.description);
    records.push_back(ConstantStruct::getAnon(
        context, {kernel.entry, kernel.large_entry ? kernel.large_entry : kernel.entry, wide(kernel.large_bytes),
                  wide(frame_bytes(kernel)), word(kernel.units.lanes), word(kernel.joins), word(kernel.polls), word(0)}));
  }
  SmallVector<Constant *, 8> variables;
  for (const auto &[name, variable, access] : host_variables(module)) {
    const uint64_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    variables.push_back(ConstantStruct::getAnon(
        context, {data(module, ConstantDataArray::getString(context, name)), variable, wide(size), wide(access)}));
  }
  const ArrayRef<uint8_t> bytes(descriptions.bytes().data(), descriptions.bytes().size());
  Constant *object = ConstantStruct::getAnon(
      context, {word(UPSWEEP_CPU_ABI), word(static_cast<uint32_t>(kernels.size())), table(module, records),
                data(module, ConstantDataArray::get(context, bytes)), wide(bytes.size()), wide(program_scope_bytes(module)),
                table(module, variables), wide(variables.size())});
  new GlobalVariable(module, object->getType(), true, GlobalValue::ExternalLinkage, object, UPSWEEP_CODE_OBJECT_SYMBOL);
  set_cpu_attributes(module, *program.options.machine);
}

}  // namespace upsweep::passes
