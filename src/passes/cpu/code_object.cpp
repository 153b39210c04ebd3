// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes kernel_abi.h's tables as constants: the order of the fields here is the order there.
#include "passes/cpu/code_object.h"

#include "passes/common/flat_memory.h"
#include "passes/cpu/group_layout.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

class TableWriter {
public:
  explicit TableWriter(Module &module) : module_(module), context_(module.getContext()) {}

  Constant *word(uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context_), value); }
  Constant *wide(uint64_t value) { return ConstantInt::get(Type::getInt64Ty(context_), value); }
  Constant *string(StringRef text) { return data(ConstantDataArray::getString(context_, text)); }
  Constant *data(Constant *initializer) {
    auto *variable = new GlobalVariable(module_, initializer->getType(), true, GlobalValue::PrivateLinkage, initializer);
    variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return variable;
  }
  Constant *record(ArrayRef<Constant *> fields) { return ConstantStruct::getAnon(context_, fields); }
  Constant *table(ArrayRef<Constant *> records) {
    if (records.empty()) return ConstantPointerNull::get(PointerType::get(context_, 0));
    return data(ConstantArray::get(ArrayType::get(records[0]->getType(), records.size()), records));
  }
  Constant *argument(const KernelArgument &a) {
    return record({string(a.name), string(a.type_name), word(a.kind), word(a.address_qualifier), word(a.access_qualifier),
                   word(a.type_qualifier), word(a.offset), word(a.size), word(a.align), word(0)});
  }
  Constant *kernel(const KernelRecord &kernel);

private:
  Module &module_;
  LLVMContext &context_;
};

Constant *TableWriter::kernel(const KernelRecord &kernel) {
  const KernelInfo &info = kernel.info;
  SmallVector<Constant *, 8> arguments;
  for (const KernelArgument &each : info.arguments) arguments.push_back(argument(each));
  auto triple = [&](const std::array<uint32_t, 3> &sizes) {
    return ConstantArray::get(ArrayType::get(Type::getInt32Ty(context_), 3), {word(sizes[0]), word(sizes[1]), word(sizes[2])});
  };
  return record({string(kernel.name), string(info.attributes), kernel.entry, table(arguments),
                 word(static_cast<uint32_t>(info.arguments.size())), word(info.argument_block_bytes), wide(kernel.local_bytes),
                 wide(kernel.private_bytes), wide(kernel.stack_bytes), wide(kernel.frame_bytes), word(kernel.frame_unit),
                 word(kernel.sub_group_size), triple(info.required_local_size), triple(info.local_size_hint),
                 word(info.required_sub_group_size), word(info.uniform_work_group_size), word(info.has_argument_info),
                 word(kernel.joins), word(0)});
}

static_assert(sizeof(UpsweepArgument) == 48 && sizeof(UpsweepKernel) == 128 && sizeof(UpsweepCodeObject) == 24,
              "the records above have these fields and no others");

}  // namespace

uint64_t program_scope_bytes(const Module &module) {
  uint64_t bytes = 0;
  for (const GlobalVariable &variable : module.globals())
    if (variable.hasMetadata(kGlobalMetadata)) bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
  return bytes;
}

void emit_code_object(Module &module, ArrayRef<KernelRecord> kernels) {
  TableWriter writer(module);
  SmallVector<Constant *, 8> records;
  for (const KernelRecord &kernel : kernels) records.push_back(writer.kernel(kernel));
  Constant *object = writer.record({writer.word(UPSWEEP_CPU_ABI), writer.word(static_cast<uint32_t>(kernels.size())),
                                    writer.table(records), writer.wide(program_scope_bytes(module))});
  new GlobalVariable(module, object->getType(), true, GlobalValue::ExternalLinkage, object, UPSWEEP_CODE_OBJECT_SYMBOL);
}

}  // namespace upsweep::passes
