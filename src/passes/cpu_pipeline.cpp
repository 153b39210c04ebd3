// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the steps in their order, kernel by kernel where a step is about one.
#include "passes/cpu_pipeline.h"

#include "passes/code_object.h"
#include "passes/flat_memory.h"
#include "passes/inline_context.h"
#include "passes/kernel_arguments.h"
#include "passes/link_builtins.h"
#include "passes/lower_context.h"
#include "passes/optimise.h"
#include "passes/split_lanes.h"
#include "passes/vectorise_lanes.h"
#include "passes/work_group_loop.h"

using namespace llvm;

namespace upsweep::passes {
namespace {

unsigned default_sub_group_size(const TargetMachine &machine) {
  return machine.getTargetFeatureString().contains("+avx512f") ? 16 : 8;
}

class Pipeline {
public:
  Pipeline(Module &module, TargetMachine &machine, CpuPipelineOptions options)
      : module_(module), machine_(machine), options_(std::move(options)), optimiser_(machine) {}
  Error run();

private:
  Units make_units(Kernel &kernel, unsigned sub_group_size);
  KernelRecord compile(Kernel &kernel);

  Module &module_;
  TargetMachine &machine_;
  CpuPipelineOptions options_;
  Optimiser optimiser_;
};

Units Pipeline::make_units(Kernel &kernel, unsigned sub_group_size) {
  Units units;
  if (options_.lanes == Lanes::kVector) {
    TargetTransformInfo costs = machine_.getTargetTransformInfo(*kernel.item);
    VectorisedKernel vectorised = vectorise_lanes(*kernel.item, sub_group_size, costs);
    if (vectorised.full) return {vectorised.full, vectorised.part, sub_group_size};
  }
  units.full = split_lanes(*kernel.item, kernel.name);
  return units;
}

KernelRecord Pipeline::compile(Kernel &kernel) {
  KernelRecord record{kernel.name, std::move(kernel.info)};
  record.sub_group_size = record.info.required_sub_group_size ? record.info.required_sub_group_size : options_.sub_group_size;
  copy_written_arguments(*kernel.item);
  optimiser_.clean_up(*kernel.item);
  LocalLayout locals = lay_out_locals(*kernel.item);
  record.local_bytes = locals.bytes;
  Units units = make_units(kernel, record.sub_group_size);
  for (Function *unit : {units.full, units.part})
    if (unit) lower_context(*unit, locals, record.sub_group_size);
  units.full->addFnAttr(Attribute::AlwaysInline);
  record.entry = make_work_group_loop(units, kernel.name);
  record.frame_unit = units.lanes;
  return record;
}

Error Pipeline::run() {
  if (!options_.sub_group_size) options_.sub_group_size = default_sub_group_size(machine_);
  if (Error error = link_builtins(module_, options_.library, machine_)) return error;
  flatten_memory(module_);
  SmallVector<Kernel, 8> kernels = make_items(module_);
  if (Error error = inline_context(kernels, [&](Function &function) { optimiser_.simplify(function); })) return error;
  SmallVector<KernelRecord, 8> records;
  for (Kernel &kernel : kernels) records.push_back(compile(kernel));
  emit_code_object(module_, records);
  optimiser_.finish(module_, options_.optimise);
  return Error::success();
}

} // namespace

Error run_cpu_pipeline(Module &module, TargetMachine &machine, CpuPipelineOptions options) {
  return Pipeline(module, machine, std::move(options)).run();
}

} // namespace upsweep::passes
