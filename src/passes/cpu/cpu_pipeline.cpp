// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the steps in their order, kernel by kernel where a step is about one.
#include "passes/cpu/cpu_pipeline.h"
#include "passes/cpu/assembly_flags.h"

#include "passes/common/claimed_alignment.h"
#include "passes/common/flat_memory.h"
#include "passes/common/image_handles.h"
#include "passes/common/inline_context.h"
#include "passes/common/link_builtins.h"
#include "passes/common/optimise.h"
#include "passes/cpu/code_object.h"
#include "passes/cpu/group_joining.h"
#include "passes/cpu/kernel_arguments.h"
#include "passes/cpu/lanes/lane_uniformity.h"
#include "passes/cpu/lanes/vectorise_lanes.h"
#include "passes/cpu/lanes/whole_masks.h"
#include "passes/cpu/legalise_half.h"
#include "passes/cpu/lower_context.h"
#include "passes/cpu/polling_loops.h"
#include "passes/cpu/prefetch_rows.h"
#include "passes/cpu/safe_division.h"
#include "passes/cpu/scalar/split_lanes.h"
#include "passes/cpu/split_at_waits.h"
#include "passes/cpu/split_stores.h"
#include "passes/cpu/stack_use.h"
#include "passes/cpu/unit_order.h"
#include "passes/cpu/work_group_loop.h"
#include "targets/cpu/kernel_abi.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

unsigned default_sub_group_size(const TargetMachine &machine) {
  return machine.getTargetFeatureString().contains("+avx512f") ? 16 : 8;
}

/// A kernel between the steps.
struct Unfinished {
  KernelRecord record;
  LocalLayout locals;
  LaneUnit lane;  ///< scalar code only
  Units units;
  std::optional<Units> large;  ///< for launches with large memory objects, if `units` are not for them
};

class Pipeline {
public:
  Pipeline(Module &module, TargetMachine &machine, const CpuPipelineOptions &options)
      : module_(module), machine_(machine), options_(options), optimiser_(machine, options.verify) {}
  Error run();

private:
  static bool tells_sub_groups(const Function &item);
  unsigned fitting_lanes(const Function &item) const;
  Unfinished make_units(Kernel &kernel);
  void make_scalar(Unfinished &work, Function &item);
  bool make_vector(Unfinished &work, Function &item);
  void settle_order(Function &item, bool in_order);
  void make_large(Unfinished &work, Function &item);
  void lower(Unfinished &work, Function *&unit);
  void finish(Unfinished &work);
  void repair_for_code_generation(ArrayRef<KernelRecord> records);
  Error verify(const char *step) { return options_.verify ? verify_after(step, module_) : Error::success(); }

  Module &module_;
  TargetMachine &machine_;
  CpuPipelineOptions options_;
  Optimiser optimiser_;
};

// In the loop over a work-group's units the constants and addresses of a unit are loop invariants. Those of a long one are more
// than there are registers, and each that LLVM takes out of the loop lives through the whole of it: with a number of blocks
// that grows alike, liveness and register allocation take the square of their number.
void inline_into_loop(Function &unit) {
  constexpr unsigned kMostInstructions = 2000;
  if (unit.getInstructionCount() <= kMostInstructions) unit.addFnAttr(Attribute::AlwaysInline);
}

/// cl_intel_required_subgroup_size: a size that the device does not have is an error of the build.
Error check_sub_group_sizes(ArrayRef<Kernel> kernels) {
  for (const Kernel &kernel : kernels) {
    const uint32_t size = kernel.description.required_sub_group_size;
    if (size != 0 && (size < 4 || size > 32 || !isPowerOf2_32(size)))
      return createStringError("error: kernel '" + kernel.description.name + "' requires sub-groups of " +
                               std::to_string(size) + " work-items; there are sizes 4, 8, 16 and 32\n");
  }
  return Error::success();
}

void Pipeline::settle_order(Function &item, bool in_order) {
  if (!asks_for_order(item)) return;
  resolve_order(item, in_order);
  optimiser_.clean_up(item);
  resolve_scratch_barriers(item);
}

void Pipeline::make_scalar(Unfinished &work, Function &item) {
  settle_order(item, false);
  work.lane = split_lanes(item, work.record.description.name);
  work.units.full = work.lane.lane;
}

// False when the item cannot be vectorised; it is then as it was.
bool Pipeline::make_vector(Unfinished &work, Function &item) {
  Function *settled = &item;
  if (asks_for_order(item)) {
    ValueToValueMapTy values;
    settled = CloneFunction(&item, values);
    settled->takeName(&item);
    settle_order(*settled, !work.units.yield);
  }
  TargetTransformInfo costs = machine_.getTargetTransformInfo(*settled);
  bool rows = !tells_sub_groups(*settled) && !waits(*settled);
  VectorisedKernel vectorised = vectorise_lanes(*settled, work.record.description.sub_group_size, costs, rows);
  if (!vectorised.full) {
    if (settled != &item) settled->eraseFromParent();
    return false;
  }
  if (settled != &item) item.eraseFromParent();
  work.units.full = vectorised.full;
  work.units.row = vectorised.row;
  work.units.part = vectorised.part;
  work.units.lanes = work.record.description.sub_group_size;
  work.record.large_bytes = vectorised.largest_object.value_or(UINT64_MAX);
  if (vectorised.largest_object)
    make_large(work, *settled);
  else
    settled->eraseFromParent();
  return true;
}

// Code that takes no index for one that does not wrap (docs/decisions/wrapping-indices.md): sub-groups of any work-items, and
// where there is no code for these, single work-items, which takes less time to compile.
void Pipeline::make_large(Unfinished &work, Function &item) {
  Units &large = work.large.emplace(work.units);
  large.full = large.row = nullptr;
  if (large.part) {
    item.eraseFromParent();
    return;
  }
  assert(!waits(item) && "a kernel without `part` neither waits nor can tell its sub-groups");
  large.full = split_lanes(item, work.record.description.name).lane;
  large.full->addFnAttr(Attribute::OptimizeForSize);
  large.lanes = 1;
}

void Pipeline::lower(Unfinished &work, Function *&unit) {
  lower_context(*unit, work.locals, work.record.description.sub_group_size, work.units.wait);
  if (work.units.wait) unit = make_coroutine(*unit);
}

// Whether the result can depend on which work-items make a sub-group.
bool Pipeline::tells_sub_groups(const Function &item) {
  return any_of(instructions(item), [](const Instruction &instruction) {
    StringRef callee = callee_name(instruction);
    return callee.starts_with("__ups_sg_") || callee == "__ups_lane" || callee == "__ups_sub_group_id" ||
           callee == "__ups_max_sub_group_size";
  });
}

// Lanes for a kernel that neither asks for a number nor can tell: fewer when it computes with wide vectors, so that one of them
// takes no more than four registers for all lanes. (A chain of multiply-adds on float16 runs 3 times faster with 4 lanes than
// with 16.)
unsigned Pipeline::fitting_lanes(const Function &item) const {
  if (tells_sub_groups(item)) return options_.sub_group_size;
  uint64_t widest = 1;
  for (const Instruction &instruction : instructions(item)) {
    if (instruction.getType()->isVectorTy())
      widest = std::max<uint64_t>(widest, instruction.getType()->getPrimitiveSizeInBits().getFixedValue());
  }
  uint64_t register_bits = options_.sub_group_size * 32;
  return std::clamp<uint64_t>(llvm::bit_floor(4 * register_bits / widest), 4, options_.sub_group_size);
}

Unfinished Pipeline::make_units(Kernel &kernel) {
  Unfinished work;
  KernelDescription &description = work.record.description = std::move(kernel.description);
  const uint32_t required = description.required_sub_group_size;
  Function &item = *kernel.item;
  copy_written_arguments(item);
  optimiser_.clean_up(item);
  align_variables(item);
  description.sub_group_size = work.units.sub_group_size = required ? required : fitting_lanes(item);
  work.units.yield = add_yields(item);

  work.locals = lay_out_locals(item);
  description.local_bytes = work.locals.bytes;
  description.private_bytes = stack_bytes(item);
  description.prints = any_of(instructions(item), [](const Instruction &each) { return callee_name(each) == "printf"; });
  if (options_.lanes == Lanes::kScalar || !make_vector(work, item)) make_scalar(work, item);

  Function *&full = work.units.full, *&row = work.units.row, *&part = work.units.part;
  work.units.wait = waits(*full) || (part && waits(*part));
  if (kernel.global_ids_alone && !work.units.wait)
    work.record.joins = work.units.row && walks_rows(*full) ? UPSWEEP_JOIN_ROWS : UPSWEEP_JOIN_LINES;
  lower(work, full);
  if (!work.units.wait) inline_into_loop(*full);
  if (row) {
    lower(work, row);
    mark_odd_masks(*row);
    inline_into_loop(*row);
  }
  if (part) {
    lower(work, part);
    part->addFnAttr(Attribute::NoInline);
  }
  if (work.large) {
    work.large->part = part;
    work.large->wait = work.units.wait;
    if (work.large->full) lower(work, work.large->full);
  }
  return work;
}

void Pipeline::finish(Unfinished &work) {
  if (work.units.wait) {
    for (Function *unit : {work.units.full, work.units.part}) {
      if (!unit) continue;
      Frame frame = take_frame(*unit);
      work.units.frame.bytes = std::max(work.units.frame.bytes, frame.bytes);
      work.units.frame.align = std::max(work.units.frame.align, frame.align);
    }
  }
  if (!work.lane.sites.empty()) {
    work.lane.lane = work.units.full;
    work.units.run_sub_group =
        make_sub_group_runner(work.lane, work.record.description.name, work.record.description.sub_group_size);
  }
  work.record.entry = make_work_group_loop(work.units, work.record.description.name + ".entry");
  if (work.large) {
    work.large->frame = work.units.frame;
    work.record.large_entry = make_work_group_loop(*work.large, work.record.description.name + ".large");
    work.record.large_entry->addFnAttr(Attribute::OptimizeForSize);
  }
  work.record.frame_unit = work.units.lanes;
  work.record.frame_bytes = frame_bytes_per_unit(work.units);
}

Error Pipeline::run() {
  if (!options_.sub_group_size) options_.sub_group_size = default_sub_group_size(machine_);
  SmallVector<Library *, 1> libraries;
  if (options_.library) libraries.push_back(options_.library);
  if (Error error = link_builtins(module_, libraries, machine_)) return error;
  flatten_memory(module_);
  open_image_handles(module_);
  clobber_assembly_flags(module_);
  for (Function &function : module_) make_divisions_safe(function);
  if (Error error = verify("linking the library")) return error;
  SmallVector<Kernel, 8> kernels = make_items(module_);
  if (Error error = check_sub_group_sizes(kernels)) return error;
  for (Kernel &kernel : kernels) kernel.global_ids_alone = has_global_ids_alone(*kernel.item);
  if (Error error = inline_context(kernels, [&](Function &function) { optimiser_.simplify(function); })) return error;
  if (Error error = verify("inlining")) return error;
  std::vector<Unfinished> works;
  for (Kernel &kernel : kernels) works.push_back(make_units(kernel));
  if (Error error = verify("making sub-groups")) return error;
  if (any_of(works, [](const Unfinished &work) { return work.units.wait; }))
    split_coroutines(module_, optimiser_.module_analyses(), options_.optimise);
  SmallVector<KernelRecord, 8> records;
  for (Unfinished &work : works) {
    finish(work);
    work.record.description.stack_bytes = stack_bytes(*work.record.entry);
    if (work.record.large_entry)
      work.record.description.stack_bytes =
          std::max(work.record.description.stack_bytes, stack_bytes(*work.record.large_entry));
    records.push_back(std::move(work.record));
  }
  emit_code_object(module_, records);
  set_cpu_attributes(module_, machine_);
  if (Error error = verify("making work-group loops")) return error;
  optimiser_.finish(module_, options_.optimise);
  // A function that is kept out of line is for odd sub-groups, whose masks are never whole.
  for (Function &function : module_)
    if (options_.optimise && !function.hasFnAttribute(Attribute::NoInline)) version_whole_masks(function);
  repair_for_code_generation(records);
  if (Error error = verify("the last step")) return error;
  return options_.verify ? check_alignment(module_) : Error::success();
}

void Pipeline::repair_for_code_generation(ArrayRef<KernelRecord> records) {
  for (const KernelRecord &record : records)
    if (options_.optimise && record.joins == UPSWEEP_JOIN_ROWS) prefetch_rows(*record.entry);
  if (!machine_.getTargetFeatureString().contains("+avx512fp16"))
    for (Function &function : module_) legalise_half(function);  // last: InstCombine would undo some of it
  for (Function &function : module_) {
    if (function.isDeclaration()) continue;
    TargetTransformInfo costs = machine_.getTargetTransformInfo(function);
    split_stores(function, costs.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
  }
}

}  // namespace

Error run_cpu_pipeline(Module &module, TargetMachine &machine, const CpuPipelineOptions &options) {
  return Pipeline(module, machine, options).run();
}

}  // namespace upsweep::passes
