// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds __ups_race and __ups_race_meet.
#include "passes/cpu/check/check_races.h"

#include "base/race_abi.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/check/mark_races.h"
#include "passes/cpu/check/provenance.h"
#include "passes/cpu/check/quiet_arguments.h"
#include "passes/cpu/check/texels.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// cl_mem_fence_flags: local and global memory.
constexpr uint32_t kBothSpaces = 3;
/// memory_order and memory_scope of OpenCL C.
constexpr uint32_t kRelaxedOrder = 0, kSeqCstOrder = 5, kDevice = 2, kAllDevices = 3;

/// The components of a vector, as bits, that are as the vector at the pointer had them.
uint64_t kept_components(const Value &value, const Value &pointer) {
  const auto count = cast<FixedVectorType>(value.getType())->getNumElements();
  if (const auto *load = dyn_cast<LoadInst>(&value))
    return load->getPointerOperand() == &pointer ? maskTrailingOnes<uint64_t>(count) : 0;
  if (const auto *insert = dyn_cast<InsertElementInst>(&value)) {
    const auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
    if (!index || index->getValue().uge(count)) return 0;
    return kept_components(*insert->getOperand(0), pointer) & ~(uint64_t{1} << index->getZExtValue());
  }
  const auto *shuffle = dyn_cast<ShuffleVectorInst>(&value);
  if (!shuffle || shuffle->getOperand(0)->getType() != value.getType()) return 0;
  uint64_t kept = 0;
  for (unsigned side : {0U, 1U}) {
    const uint64_t of_side = kept_components(*shuffle->getOperand(side), pointer);
    for (unsigned i = 0; i < count; ++i)
      if (shuffle->getMaskValue(i) == static_cast<int>(side * count + i)) kept |= of_side & uint64_t{1} << i;
  }
  return kept;
}

class RaceChecker {
public:
  explicit RaceChecker(Kernel &kernel)
      : item_(*kernel.item), kernel_(kernel.description), finder_(item_, kernel.description), quiet_(kernel, finder_),
        sites_(*item_.getParent(), kernel.description.name), builder_(item_.getContext()) {}
  void run();

private:
  struct Event {
    Value *pointer, *width, *value;
    uint32_t access, kind;
    Value *order, *scope;
    Type *written = nullptr;
  };
  FunctionCallee declare(Ups intrinsic, ArrayRef<Type *> parameters);
  [[nodiscard]] bool is_shared(const Value &pointer, const std::optional<Origin> &origin) const;
  void note_argument(Value &pointer, uint32_t access);
  Constant *site(Instruction &at, const Event &event, const std::optional<Origin> &origin);
  void add(Instruction &at, const Event &event);
  void add_meet(Instruction &behind, uint32_t kind, Value *spaces);
  void check_access(Instruction &instruction);
  void check_texel(CallInst &call);
  bool check_components(StoreInst &store);
  void check_marked(CallInst &mark);
  void check_meeting(Instruction &instruction);

  Function &item_;
  KernelDescription &kernel_;
  ProvenanceFinder finder_;
  QuietArguments quiet_;
  SiteTable sites_;
  IRBuilder<> builder_;
};

FunctionCallee RaceChecker::declare(Ups intrinsic, ArrayRef<Type *> parameters) {
  FunctionCallee callee =
      item_.getParent()->getOrInsertFunction(name_of(intrinsic), FunctionType::get(builder_.getVoidTy(), parameters, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return callee;
}

/// Whether several work-items can reach the memory, and a kernel can write to it.
bool RaceChecker::is_shared(const Value &pointer, const std::optional<Origin> &origin) const {
  if (origin) {
    const bool is_null = origin->bytes && *origin->bytes == 0;
    if (is_null || origin->is_trusted || origin->is_constant || origin->kind == UPSWEEP_OBJECT_PRIVATE) return false;
    return origin->kind != UPSWEEP_OBJECT_ARGUMENT ||
           kernel_.arguments[static_cast<size_t>(origin->argument)].kind != ArgumentKind::kConstant;
  }
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects);
  return !all_of(objects, [](const Value *object) { return isa<AllocaInst, ConstantPointerNull, UndefValue>(object); });
}

/// For races between commands. A pointer of unknown origin is no argument's.
void RaceChecker::note_argument(Value &pointer, uint32_t access) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects);
  objects.push_back(&pointer);
  for (const Value *object : objects)
    if (const std::optional<Origin> origin = finder_.origin(const_cast<Value *>(object)))
      if (origin->kind == UPSWEEP_OBJECT_ARGUMENT) kernel_.arguments[static_cast<size_t>(origin->argument)].accesses |= access;
}

Constant *RaceChecker::site(Instruction &at, const Event &event, const std::optional<Origin> &origin) {
  SiteFacts facts;
  facts.access = event.access;
  if (const auto *width = dyn_cast<ConstantInt>(event.width)) facts.width = width->getZExtValue();
  facts.written = event.written;
  if (origin) {
    facts.kind = origin->kind;
    facts.object = origin->name;
    facts.argument = origin->argument;
  }
  return sites_.site(at, facts);
}

void RaceChecker::add(Instruction &at, const Event &event) {
  builder_.SetInsertPoint(&at);
  Value *site = ConstantPointerNull::get(builder_.getPtrTy());
  Value *kind = builder_.getInt32(event.kind);
  if (event.kind != UPSWEEP_RACE_FENCE) {
    const std::optional<Origin> origin = finder_.origin(event.pointer);
    note_argument(*event.pointer, event.access);
    if (!is_shared(*event.pointer, origin)) return;
    const bool may_be_quiet = event.kind == UPSWEEP_RACE_PLAIN || event.kind == UPSWEEP_RACE_WHOLE_COPY;
    Value *is_quiet =
        origin && may_be_quiet && origin->kind == UPSWEEP_OBJECT_ARGUMENT ? quiet_.condition(origin->argument) : nullptr;
    if (is_quiet) kind = builder_.CreateSelect(is_quiet, builder_.getInt32(UPSWEEP_RACE_QUIET), kind);
    if (event.kind != UPSWEEP_RACE_ATOMIC_DONE) site = this->site(at, event, origin);
  }
  Type *i32 = builder_.getInt32Ty(), *i64 = builder_.getInt64Ty(), *pointer = builder_.getPtrTy();
  builder_.CreateCall(declare(Ups::kRace, {pointer, i64, pointer, i64, i32, i32, i32}),
                      {event.pointer, event.width, site, event.value, kind, event.order, event.scope});
}

void RaceChecker::add_meet(Instruction &behind, uint32_t kind, Value *spaces) {
  builder_.SetInsertPoint(behind.getNextNode());
  Type *i32 = builder_.getInt32Ty();
  builder_.CreateCall(declare(Ups::kRaceMeet, {i32, i32}), {builder_.getInt32(kind), spaces});
}

/// A store to components of a vector changes no others. Whether it was one.
bool RaceChecker::check_components(StoreInst &store) {
  auto *type = dyn_cast<FixedVectorType>(store.getValueOperand()->getType());
  if (!type) return false;
  const uint64_t kept = kept_components(*store.getValueOperand(), *store.getPointerOperand());
  const uint64_t bytes = store.getDataLayout().getTypeStoreSize(type->getElementType()).getFixedValue();
  for (unsigned i = 0; kept && i < type->getNumElements(); ++i) {
    if (kept >> i & 1) continue;
    builder_.SetInsertPoint(&store);
    Value *component = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), store.getPointerOperand(), i * bytes);
    add(store, {component, builder_.getInt64(bytes), builder_.getInt64(0), UPSWEEP_WRITES, UPSWEEP_RACE_PLAIN,
                builder_.getInt32(kRelaxedOrder), builder_.getInt32(kDevice)});
  }
  return kept != 0;
}

/// An atomic that did not come from the library's functions has LLVM's order, of which the strongest holds.
void RaceChecker::check_access(Instruction &instruction) {
  const RaceRole role = race_role(instruction);
  if (role == RaceRole::kOwn) return;
  // A load from the argument block, or of the library from the driver's memory.
  if (instruction.hasMetadata(LLVMContext::MD_invariant_load) && !finder_.origin(instruction.getOperand(0))) return;
  const bool is_atomic = instruction.isAtomic();
  if (auto *store = dyn_cast<StoreInst>(&instruction); store && !is_atomic && check_components(*store)) return;
  for (const CheckedAccess &access : checked_accesses(instruction)) {
    if (access.is_silent) continue;
    builder_.SetInsertPoint(&instruction);
    Event event{access.pointer,
                access.width,
                value_bits(builder_, access.value),
                access.access,
                static_cast<uint32_t>(is_atomic                 ? UPSWEEP_RACE_ATOMIC
                                      : role == RaceRole::kCopy ? UPSWEEP_RACE_COPY
                                                                : UPSWEEP_RACE_PLAIN),
                builder_.getInt32(is_atomic ? kSeqCstOrder : kRelaxedOrder),
                builder_.getInt32(kDevice),
                access.value ? access.value->getType() : nullptr};
    add(instruction, event);
    if (!is_atomic || !(access.access & UPSWEEP_READS)) continue;
    event.kind = UPSWEEP_RACE_ATOMIC_DONE;
    add(*instruction.getNextNode(), event);
  }
}

/// A texel of level 0, at integer coordinates.
void RaceChecker::check_texel(CallInst &call) {
  const TexelAccess access(call);
  if (access.is_write) {
    const auto *level = dyn_cast<ConstantInt>(access.level());
    if (!level || !level->isZero()) return;
  }
  builder_.SetInsertPoint(&call);
  builder_.SetCurrentDebugLocation(call.getDebugLoc());
  const Texel texel = find_texel(builder_, access);
  SiteFacts facts;
  facts.access = access.is_write ? UPSWEEP_WRITES : UPSWEEP_READS;
  facts.kind = UPSWEEP_OBJECT_IMAGE;
  if (const std::optional<Origin> origin = finder_.origin(access.image)) {
    facts.object = origin->name;
    facts.argument = origin->argument;
  }
  Constant *site = sites_.site(call, facts);
  builder_.SetInsertPoint(SplitBlockAndInsertIfThen(texel.is_inside, &call, false));
  builder_.SetCurrentDebugLocation(call.getDebugLoc());
  Type *i32 = builder_.getInt32Ty(), *i64 = builder_.getInt64Ty(), *pointer = builder_.getPtrTy();
  builder_.CreateCall(declare(Ups::kRace, {pointer, i64, pointer, i64, i32, i32, i32}),
                      {builder_.CreateIntToPtr(texel.address, pointer), texel.bytes, site, builder_.getInt64(0),
                       builder_.getInt32(UPSWEEP_RACE_PLAIN), builder_.getInt32(kRelaxedOrder), builder_.getInt32(kDevice)});
}

void RaceChecker::check_marked(CallInst &mark) {
  const auto constant = [&](unsigned i) {
    return static_cast<uint32_t>(cast<ConstantInt>(mark.getArgOperand(i))->getZExtValue());
  };
  const uint32_t kind = constant(3);
  Value *scope = mark.getArgOperand(5);
  const auto *known = dyn_cast<ConstantInt>(scope);
  // The fence of a barrier in its own work-group says nothing more than the barrier.
  const bool is_wide = !known || known->getZExtValue() == kDevice || known->getZExtValue() == kAllDevices;
  const bool is_idle = kind == UPSWEEP_RACE_FENCE && constant(2) == UPSWEEP_WRITES && !is_wide;
  const bool is_done_store = kind == UPSWEEP_RACE_ATOMIC_DONE && !(constant(2) & UPSWEEP_READS);
  if (!is_idle && !is_done_store)
    add(mark,
        {mark.getArgOperand(0), mark.getArgOperand(1), mark.getArgOperand(6), constant(2), kind, mark.getArgOperand(4), scope});
  mark.eraseFromParent();
}

void RaceChecker::check_meeting(Instruction &instruction) {
  const UpsFunction &callee = ups_function(instruction);
  if (callee.id == Ups::kWorkGroupBarrier) {
    const RaceRole role = race_role(instruction);
    const uint32_t kind = role == RaceRole::kCopyWait ? UPSWEEP_RACE_COPY_WAIT : UPSWEEP_RACE_BARRIER;
    Value *spaces =
        role == RaceRole::kCollective ? builder_.getInt32(kBothSpaces) : cast<CallInst>(instruction).getArgOperand(0);
    add_meet(instruction, kind, spaces);
  } else if (callee.id == Ups::kSubGroupBarrier) {
    add_meet(instruction, UPSWEEP_RACE_SUB_GROUP, cast<CallInst>(instruction).getArgOperand(0));
  } else if (callee.is_of_sub_group() && callee.id != Ups::kSgCommon && callee.id != Ups::kSgCommonPointer) {
    add_meet(instruction, UPSWEEP_RACE_SUB_GROUP, builder_.getInt32(kBothSpaces));
  }
}

void RaceChecker::run() {
  SmallVector<Instruction *, 64> all;
  for (Instruction &instruction : instructions(item_)) all.push_back(&instruction);
  const auto writes_texels = [](const Instruction *instruction) { return intrinsic_of(*instruction) == Ups::kWriteTexel; };
  const bool has_written_image = any_of(all, writes_texels);
  for (Instruction *instruction : all) {
    if (intrinsic_of(*instruction) == Ups::kRaceAtomic) {
      check_marked(cast<CallInst>(*instruction));
      continue;
    }
    if (is_contained({Ups::kReadTexel, Ups::kWriteTexel}, intrinsic_of(*instruction))) {
      if (has_written_image) check_texel(cast<CallInst>(*instruction));
      continue;
    }
    check_access(*instruction);
    check_meeting(*instruction);
  }
}

}  // namespace

void check_races(Kernel &kernel, Program &program) {
  if (!program.options.checks.has(Check::kRace)) return;
  RaceChecker(kernel).run();
  kernel.item->removeFnAttr(Attribute::SanitizeThread);
  program.functions->clear(*kernel.item, kernel.item->getName());
}

}  // namespace upsweep::passes
