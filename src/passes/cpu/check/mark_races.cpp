// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the library's functions by their names.
#include "passes/cpu/check/mark_races.h"

#include "base/check_abi.h"
#include "base/race_abi.h"
#include "passes/common/link_builtins.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// memory_order and memory_scope of OpenCL C.
enum CallOrder : uint32_t { kRelaxed = 0, kAcquire = 2, kRelease = 3, kAcqRel = 4, kSeqCst = 5 };
enum CallScope : uint32_t { kWorkGroupScope = 1, kDeviceScope = 2 };

/// "atomic_fetch_add_explicit" of "_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order", and the parameters.
std::pair<StringRef, StringRef> split_name(StringRef name) {
  size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length)) return {};
  return {name.take_front(length), name.drop_front(std::min(length, name.size()))};
}

/// Bytes of the elements behind the first pointer of a function's mangled parameters, as memory holds them; 0 if it is none.
uint64_t element_bytes(StringRef parameters) {
  if (!parameters.consume_front("PU3AS")) return 0;
  parameters = parameters.drop_front(std::min<size_t>(1, parameters.size()));
  parameters.consume_front("K");
  uint64_t count = 1;
  if (parameters.consume_front("Dv") && (parameters.consumeInteger(10, count) || !parameters.consume_front("_"))) return 0;
  constexpr StringLiteral kTypes[] = {"c", "a", "h", "s", "t", "Dh", "i", "j", "f", "l", "m", "d"};
  constexpr uint64_t kBytes[] = {1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8};
  for (const auto &[type, bytes] : zip_equal(kTypes, kBytes))
    if (parameters.starts_with(type)) return bytes * (count == 3 ? 4 : count);
  return 0;
}

uint32_t order_of(AtomicOrdering ordering) {
  switch (ordering) {
  case AtomicOrdering::Acquire: return kAcquire;
  case AtomicOrdering::Release: return kRelease;
  case AtomicOrdering::AcquireRelease: return kAcqRel;
  case AtomicOrdering::SequentiallyConsistent: return kSeqCst;
  default: return kRelaxed;
  }
}

class RaceMarker {
public:
  explicit RaceMarker(Function &function)
      : function_(function), builder_(function.getContext()), name_(split_name(function.getName()).first),
        parameters_(split_name(function.getName()).second) {}
  void run();

private:
  struct Sync {
    Value *order, *scope;
  };
  Value *last_argument(unsigned from_end) const { return function_.getArg(function_.arg_size() - 1 - from_end); }
  [[nodiscard]] bool has_scope() const { return parameters_.contains("memory_scope"); }
  Sync sync_of(const Instruction &atomic);
  void set_role(Instruction &instruction, RaceRole role);
  void set_roles(RaceRole role);
  void set_barriers(RaceRole role);
  void add_mark(Value *pointer, Value *width, uint32_t access, uint32_t kind, const Sync &sync, Value *value = nullptr);
  void mark_atomic(Instruction &atomic);
  void mark_fences();
  void mark_copy(uint64_t element_bytes);

  Function &function_;
  IRBuilder<> builder_;
  StringRef name_, parameters_;
};

void RaceMarker::set_role(Instruction &instruction, RaceRole role) {
  auto *number = ConstantAsMetadata::get(builder_.getInt32(static_cast<uint32_t>(role)));
  instruction.setMetadata(kRaceRole, MDNode::get(builder_.getContext(), number));
}

void RaceMarker::set_roles(RaceRole role) {
  for (Instruction &instruction : instructions(function_))
    if (isa<LoadInst, StoreInst, MemIntrinsic, AtomicRMWInst, AtomicCmpXchgInst>(instruction)) set_role(instruction, role);
}

void RaceMarker::set_barriers(RaceRole role) {
  for (Instruction &instruction : instructions(function_))
    if (intrinsic_of(instruction) == Ups::kWorkGroupBarrier) set_role(instruction, role);
}

/// A compare-and-exchange of the library has always the strongest order; other atomics have their own.
RaceMarker::Sync RaceMarker::sync_of(const Instruction &atomic) {
  Value *device = builder_.getInt32(kDeviceScope);
  if (isa<AtomicCmpXchgInst>(atomic)) {
    if (!name_.starts_with("atomic_compare_exchange")) {
      const bool is_legacy = name_ == "atomic_cmpxchg" || name_ == "atom_cmpxchg";
      return {builder_.getInt32(is_legacy ? kRelaxed : kSeqCst), device};
    }
    if (!name_.ends_with("_explicit")) return {builder_.getInt32(kSeqCst), device};
    return {last_argument(has_scope() ? 2 : 1), has_scope() ? last_argument(0) : device};
  }
  AtomicOrdering ordering = AtomicOrdering::Monotonic;
  if (const auto *load = dyn_cast<LoadInst>(&atomic)) ordering = load->getOrdering();
  if (const auto *store = dyn_cast<StoreInst>(&atomic)) ordering = store->getOrdering();
  if (const auto *update = dyn_cast<AtomicRMWInst>(&atomic)) ordering = update->getOrdering();
  return {builder_.getInt32(order_of(ordering)), has_scope() ? last_argument(0) : device};
}

void RaceMarker::add_mark(Value *pointer, Value *width, uint32_t access, uint32_t kind, const Sync &sync, Value *value) {
  Type *i32 = builder_.getInt32Ty(), *i64 = builder_.getInt64Ty(), *ptr = builder_.getPtrTy();
  auto *type = FunctionType::get(builder_.getVoidTy(), {ptr, i64, i32, i32, i32, i32, i64}, false);
  FunctionCallee callee = function_.getParent()->getOrInsertFunction(name_of(Ups::kRaceAtomic), type);
  auto *mark = cast<Function>(callee.getCallee());
  mark->setOnlyAccessesInaccessibleMemory();
  mark->setDoesNotThrow();
  mark->setWillReturn();
  if (!value) value = builder_.getInt64(0);
  builder_.CreateCall(callee,
                      {pointer, width, builder_.getInt32(access), builder_.getInt32(kind), sync.order, sync.scope, value});
}

void RaceMarker::mark_atomic(Instruction &atomic) {
  Value *pointer = nullptr;
  Type *type = atomic.getType();
  uint32_t access = UPSWEEP_READS | UPSWEEP_WRITES;
  if (auto *load = dyn_cast<LoadInst>(&atomic)) {
    pointer = load->getPointerOperand();
    access = UPSWEEP_READS;
  } else if (auto *store = dyn_cast<StoreInst>(&atomic)) {
    pointer = store->getPointerOperand();
    type = store->getValueOperand()->getType();
    access = UPSWEEP_WRITES;
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&atomic)) {
    pointer = update->getPointerOperand();
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&atomic)) {
    pointer = exchange->getPointerOperand();
    type = exchange->getNewValOperand()->getType();
  }
  Value *width = builder_.getInt64(atomic.getDataLayout().getTypeStoreSize(type).getFixedValue());
  const Sync sync = sync_of(atomic);
  builder_.SetInsertPoint(&atomic);
  const bool may_fail = isa<AtomicCmpXchgInst>(atomic);
  add_mark(pointer, width, access, may_fail ? uint32_t{UPSWEEP_RACE_EXCHANGE} : uint32_t{UPSWEEP_RACE_ATOMIC}, sync);
  builder_.SetInsertPoint(atomic.getNextNode());
  if (may_fail) {
    Value *has_written = builder_.CreateZExt(builder_.CreateExtractValue(&atomic, 1), builder_.getInt64Ty());
    add_mark(pointer, width, access, UPSWEEP_RACE_EXCHANGE_DONE, sync, has_written);
  } else {
    add_mark(pointer, width, access, UPSWEEP_RACE_ATOMIC_DONE, sync);
  }
  set_role(atomic, RaceRole::kOwn);
}

/// The access of a fence's mark tells whether it belongs to a barrier: UPSWEEP_WRITES if it does. A barrier with a scope beyond
/// the work-group is a fence of that scope behind the barrier, where it holds for all work-items.
void RaceMarker::mark_fences() {
  const bool has_barrier = name_.ends_with("_barrier");
  Value *null = ConstantPointerNull::get(builder_.getPtrTy()), *none = builder_.getInt64(0);
  const auto mark = [&](Value *order, Value *scope) {
    add_mark(null, none, has_barrier ? UPSWEEP_WRITES : UPSWEEP_READS, UPSWEEP_RACE_FENCE, {order, scope});
  };
  builder_.SetInsertPoint(function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *group = builder_.getInt32(kWorkGroupScope);
  if (name_ == "atomic_work_item_fence") return mark(last_argument(1), last_argument(0));
  if (name_ == "mem_fence") return mark(builder_.getInt32(kAcqRel), group);
  if (name_ == "read_mem_fence") return mark(builder_.getInt32(kAcquire), group);
  if (name_ == "write_mem_fence") return mark(builder_.getInt32(kRelease), group);
  if (!has_scope()) return;
  for (Instruction &instruction : make_early_inc_range(instructions(function_))) {
    if (!isa<ReturnInst>(instruction)) continue;
    builder_.SetInsertPoint(&instruction);
    mark(builder_.getInt32(kAcqRel), last_argument(0));
  }
}

/// Marks an access of each memory, for all elements. The arguments: to, from, the number of elements, an event.
void RaceMarker::mark_copy(uint64_t element_bytes) {
  set_roles(RaceRole::kOwn);
  builder_.SetInsertPoint(function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *bytes = builder_.CreateMul(function_.getArg(2), builder_.getInt64(element_bytes));
  const Sync none{builder_.getInt32(kRelaxed), builder_.getInt32(kDeviceScope)};
  add_mark(function_.getArg(1), bytes, UPSWEEP_READS, UPSWEEP_RACE_WHOLE_COPY, none);
  add_mark(function_.getArg(0), bytes, UPSWEEP_WRITES, UPSWEEP_RACE_WHOLE_COPY, none);
}

void RaceMarker::run() {
  const uint64_t copied_bytes = name_ == "async_work_group_copy" ? element_bytes(parameters_) : 0;
  if (copied_bytes && function_.arg_size() == 4) return mark_copy(copied_bytes);
  if (name_.starts_with("async_work_group_")) return set_roles(RaceRole::kCopy);
  if (name_ == "wait_group_events") return set_barriers(RaceRole::kCopyWait);
  if (name_.starts_with("work_group_") && name_ != "work_group_barrier") return set_barriers(RaceRole::kCollective);
  if (is_contained({"work_group_barrier", "sub_group_barrier", "atomic_work_item_fence", "mem_fence", "read_mem_fence",
                    "write_mem_fence"},
                   name_))
    return mark_fences();
  if (name_.starts_with("atomic_") || name_.starts_with("atom_")) {
    SmallVector<Instruction *, 8> atomics;
    for (Instruction &instruction : instructions(function_))
      if (instruction.isAtomic() && !isa<FenceInst>(instruction)) atomics.push_back(&instruction);
    for (Instruction *atomic : atomics) mark_atomic(*atomic);
    return;
  }
  // Packets of pipes are the library's to protect.
  if (function_.getName().contains("_pipe")) set_roles(RaceRole::kOwn);
}

}  // namespace

RaceRole race_role(const Instruction &instruction) {
  const MDNode *role = instruction.getMetadata(kRaceRole);
  if (!role) return RaceRole::kNone;
  return static_cast<RaceRole>(mdconst::extract<ConstantInt>(role->getOperand(0))->getZExtValue());
}

void mark_races(Module &module, Program &program) {
  if (!program.options.checks.has(Check::kRace)) return;
  for (Function &function : module) {
    if (function.isDeclaration()) continue;
    // LLVM must not read on behalf of other work-items: it would be a race that the source does not have.
    function.addFnAttr(Attribute::SanitizeThread);
    if (function.hasFnAttribute(kLibraryAttribute)) RaceMarker(function).run();
  }
}

}  // namespace upsweep::passes
