// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The race check's intrinsics as calls of its hook.
#include "base/race_abi.h"
#include "passes/cpu/check/access.h"
#include "passes/cpu/check/lower_checks.h"
#include "passes/cpu/group_layout.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace upsweep::passes {
namespace {

/// The row that all calls of a function share; no variable of a source has a dot in its name.
AllocaInst *shared_row(Function &unit) {
  constexpr StringLiteral kName = "upsweep.race_row";
  BasicBlock &entry = unit.getEntryBlock();
  for (Instruction &instruction : entry)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && variable->getName() == kName) return variable;
  IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(ArrayType::get(builder.getInt64Ty(), sizeof(UpsweepRaceRow) / 8), nullptr, kName);
}

/// A field of the row, by its offset.
using RowField = std::pair<size_t, Value *>;

SmallVector<RowField, 16> fields_of(IRBuilder<> &builder, const CallInst &call) {
  Value *zero = builder.getInt64(0), *none = builder.getInt32(0);
  Constant *null = ConstantPointerNull::get(builder.getPtrTy());
  if (intrinsic_of(call) == Ups::kRaceMeet)
    return {{offsetof(UpsweepRaceRow, pointer), zero},
            {offsetof(UpsweepRaceRow, step), zero},
            {offsetof(UpsweepRaceRow, pointers), null},
            {offsetof(UpsweepRaceRow, value), zero},
            {offsetof(UpsweepRaceRow, values), null},
            {offsetof(UpsweepRaceRow, mask), zero},
            {offsetof(UpsweepRaceRow, width), zero},
            {offsetof(UpsweepRaceRow, kind), call.getArgOperand(0)},
            {offsetof(UpsweepRaceRow, order), none},
            {offsetof(UpsweepRaceRow, scope), none},
            {offsetof(UpsweepRaceRow, spaces), call.getArgOperand(1)}};
  const auto operand = [&](unsigned i) { return call.getArgOperand(i); };
  return {{offsetof(UpsweepRaceRow, pointer), operand(1)},  {offsetof(UpsweepRaceRow, step), operand(2)},
          {offsetof(UpsweepRaceRow, pointers), operand(3)}, {offsetof(UpsweepRaceRow, value), operand(4)},
          {offsetof(UpsweepRaceRow, values), operand(5)},   {offsetof(UpsweepRaceRow, mask), operand(6)},
          {offsetof(UpsweepRaceRow, width), operand(7)},    {offsetof(UpsweepRaceRow, kind), operand(8)},
          {offsetof(UpsweepRaceRow, order), operand(9)},    {offsetof(UpsweepRaceRow, scope), operand(10)},
          {offsetof(UpsweepRaceRow, spaces), none}};
}

/// A field of the UpsweepCheckSite of a row; 0 if the site varies.
uint64_t site_field(const CallInst &row, unsigned index) {
  const auto *site = dyn_cast<GlobalVariable>(row.getArgOperand(0));
  const auto *record = site ? dyn_cast<ConstantStruct>(site->getInitializer()) : nullptr;
  return record ? cast<ConstantInt>(record->getOperand(index))->getZExtValue() : 0;
}

/// A row of local memory that code follows without the hook, if its mask has all lanes.
struct LocalRow {
  unsigned lanes = 0, words = 0;  ///< of a lane
  bool is_same = false, writes = false;
  [[nodiscard]] unsigned num_words() const { return is_same ? words : lanes * words; }
};

std::optional<LocalRow> local_row(const CallInst &row, unsigned sub_group_size) {
  constexpr unsigned kAccess = 6, kKind = 7;  // UpsweepCheckSite
  constexpr uint64_t kMostWords = 64;
  const auto number = [&](unsigned i) { return dyn_cast<ConstantInt>(row.getArgOperand(i)); };
  const ConstantInt *step = number(2), *mask = number(6), *width = number(7), *kind = number(8);
  const uint64_t object = site_field(row, kKind), access = site_field(row, kAccess);
  const bool is_local = object == UPSWEEP_OBJECT_LOCAL || object == UPSWEEP_OBJECT_LOCAL_ARGUMENT;
  if (!is_local || !step || !width || !kind || !isa<ConstantPointerNull>(row.getArgOperand(3))) return std::nullopt;
  if (kind->getZExtValue() != UPSWEEP_RACE_PLAIN || (access != UPSWEEP_READS && access != UPSWEEP_WRITES)) return std::nullopt;
  const uint64_t bytes = width->getZExtValue();
  LocalRow found;
  found.writes = access == UPSWEEP_WRITES;
  found.lanes = mask && mask->isOne() ? 1 : sub_group_size;
  found.is_same = step->isZero() && found.lanes > 1;
  if (!isPowerOf2_64(bytes) || bytes < 4 || bytes > 4 * kMostWords || (found.is_same && found.writes)) return std::nullopt;
  found.words = static_cast<unsigned>(bytes / 4);
  if (!step->isZero() && step->getZExtValue() != bytes) return std::nullopt;
  return found.num_words() <= kMostWords ? std::optional(found) : std::nullopt;
}

/// Writes the code that follows a row of local memory without the hook. Reads first test whether they have no conflict and
/// change nothing in the shadow (UpsweepLocalShadow). Then the shadow's function follows the row. The builder ends in the code
/// for rows that the hook must follow.
class LocalRowWriter {
public:
  LocalRowWriter(IRBuilder<> &builder, CallInst &call, unsigned axis)
      : b_(builder), call_(call), group_(call.getFunction()->getArg(0)), axis_(axis) {}
  void write(const LocalRow &row);

private:
  Value *load(size_t field, Type *type) {
    return b_.CreateAlignedLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), shadow_, field), Align(4));
  }
  void find_word();
  Value *are_known(unsigned num_words);
  void follow(const LocalRow &row);

  IRBuilder<> &b_;
  CallInst &call_;
  Value *group_;
  unsigned axis_;
  Value *shadow_ = nullptr, *word_ = nullptr, *is_word_ = nullptr;
};

/// A place that is no word's becomes a large number. Every shadow has the padding, which begins at word 0 of an empty one.
void LocalRowWriter::find_word() {
  Type *i64 = b_.getInt64Ty();
  Value *checks = load_group_pointer(b_, group_, offsetof(UpsweepGroup, checks));
  shadow_ = load_group_field(b_, checks, offsetof(UpsweepCheckState, local), b_.getPtrTy());
  Value *local = load_group_pointer(b_, group_, offsetof(UpsweepGroup, local));
  Value *offset = b_.CreateSub(call_.getArgOperand(1), b_.CreatePtrToInt(local, i64));
  Value *place = b_.CreateIntrinsic(i64, Intrinsic::fshr, {offset, offset, b_.getInt64(2)});
  is_word_ = b_.CreateICmpULT(place, load(offsetof(UpsweepLocalShadow, num_words), i64));
  word_ = b_.CreateSelect(is_word_, place, b_.getInt64(0));
}

Value *LocalRowWriter::are_known(unsigned num_words) {
  Type *i32 = b_.getInt32Ty();
  const auto entries = [&](size_t array) {
    Value *first = load_group_field(b_, shadow_, array, b_.getPtrTy());
    return b_.CreateAlignedLoad(FixedVectorType::get(i32, num_words), b_.CreateGEP(i32, first, word_), Align(4));
  };
  const auto time = [&](size_t field) { return b_.CreateVectorSplat(num_words, load(field, i32)); };
  Value *are_old = b_.CreateICmpSLT(entries(offsetof(UpsweepLocalShadow, writers)), time(offsetof(UpsweepLocalShadow, old)));
  Value *are_read = b_.CreateICmpSGE(entries(offsetof(UpsweepLocalShadow, others)), time(offsetof(UpsweepLocalShadow, read)));
  return b_.CreateAnd(is_word_, b_.CreateAndReduce(b_.CreateAnd(are_old, are_read)));
}

void LocalRowWriter::follow(const LocalRow &row) {
  Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty(), *pointer = b_.getPtrTy();
  Value *place = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), call_.getArgOperand(0),
                                               offsetof(UpsweepCheckSite, findings) + UPSWEEP_RACE * sizeof(void *));
  Value *site = b_.CreateAlignedLoad(i64, place, Align(8));
  Value *is_whole = b_.CreateICmpEQ(call_.getArgOperand(6), b_.getInt64(maskTrailingOnes<uint64_t>(row.lanes)));
  Value *can_follow = b_.CreateAnd({is_word_, is_whole, b_.CreateIsNotNull(site)});
  Instruction *end = &*b_.GetInsertPoint();
  BasicBlock *before = b_.GetInsertBlock();
  Instruction *then = SplitBlockAndInsertIfThen(can_follow, end, false);
  b_.SetInsertPoint(then);
  const uint32_t shape = row.words << UPSWEEP_LOCAL_WORDS | row.lanes << UPSWEEP_LOCAL_LANES |
                         (row.is_same ? UPSWEEP_LOCAL_SAME : 0U) | (row.writes ? UPSWEEP_LOCAL_WRITES : 0U);
  auto *type = FunctionType::get(i32, {pointer, i64, i32, i32, i32}, false);
  CallInst *followed =
      b_.CreateCall(type, load_group_field(b_, shadow_, offsetof(UpsweepLocalShadow, follow), pointer),
                    {shadow_, word_, call_.getFunction()->getArg(1), b_.CreateTrunc(site, i32), b_.getInt32(shape)});
  followed->setDoesNotThrow();
  b_.SetInsertPoint(end->getParent(), end->getParent()->begin());
  PHINode *result = b_.CreatePHI(i32, 2);
  result->addIncoming(b_.getInt32(0), before);
  result->addIncoming(followed, then->getParent());
  b_.SetInsertPoint(end);
  b_.SetInsertPoint(SplitBlockAndInsertIfThen(b_.CreateIsNull(result), end, false));
}

void LocalRowWriter::write(const LocalRow &row) {
  find_word();
  if (!row.writes) {
    Value *is_new = b_.CreateNot(are_known(row.num_words()));
    b_.SetInsertPoint(SplitBlockAndInsertIfThen(is_new, &call_, false));
  }
  if (axis_ == 0) follow(row);
}

}  // namespace

CallInst *add_race_row(IRBuilder<> &builder, ArrayRef<Value *> operands) {
  Type *i64 = builder.getInt64Ty(), *i32 = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  auto *type =
      FunctionType::get(builder.getVoidTy(), {pointer, i64, i64, pointer, i64, pointer, i64, i64, i32, i32, i32}, false);
  FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(name_of(Ups::kRaceRow), type);
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  return builder.CreateCall(callee, operands);
}

void lower_item_races(Function &item) {
  for (Instruction &instruction : make_early_inc_range(instructions(item))) {
    if (intrinsic_of(instruction) != Ups::kRace) continue;
    auto *call = cast<CallInst>(&instruction);
    IRBuilder<> builder(call);
    const auto operand = [&](unsigned i) { return call->getArgOperand(i); };
    Constant *null = ConstantPointerNull::get(builder.getPtrTy());
    Value *address = builder.CreatePtrToInt(operand(0), builder.getInt64Ty());
    add_race_row(builder, {operand(2), address, builder.getInt64(0), null, operand(3), null, builder.getInt64(1), operand(1),
                           operand(4), operand(5), operand(6)});
    call->eraseFromParent();
  }
}

void lower_race(IRBuilder<> &builder, CallInst &call, unsigned axis, unsigned sub_group_size) {
  Function &unit = *call.getFunction();
  Value *group = unit.getArg(0), *row = shared_row(unit);
  constexpr unsigned kKindOperand = 8;
  if (Value *kind = intrinsic_of(call) == Ups::kRaceRow ? call.getArgOperand(kKindOperand) : nullptr;
      kind && !isa<ConstantInt>(kind)) {
    Value *is_loud = builder.CreateICmpNE(kind, builder.getInt32(UPSWEEP_RACE_QUIET));
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_loud, &call, false));
  }
  const bool is_access = intrinsic_of(call) == Ups::kRaceRow;
  if (const std::optional<LocalRow> local = is_access ? local_row(call, sub_group_size) : std::nullopt)
    LocalRowWriter(builder, call, axis).write(*local);
  SmallVector<RowField, 16> fields = fields_of(builder, call);
  fields.append({{offsetof(UpsweepRaceRow, sub_group_size), builder.getInt32(sub_group_size)},
                 {offsetof(UpsweepRaceRow, x), unit.getArg(2)},
                 {offsetof(UpsweepRaceRow, y), unit.getArg(3)},
                 {offsetof(UpsweepRaceRow, z), unit.getArg(4)},
                 {offsetof(UpsweepRaceRow, axis), builder.getInt32(axis)}});
  static_assert(sizeof(UpsweepRaceRow) == 7 * 8 + 10 * 4);
  for (const auto &[offset, value] : fields)
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), row, offset));
  Type *pointer = builder.getPtrTy();
  Value *hooks = load_group_pointer(builder, group, offsetof(UpsweepGroup, hooks));
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), hooks, offsetof(UpsweepHooks, race));
  Value *site = is_access ? call.getArgOperand(0) : ConstantPointerNull::get(builder.getPtrTy());
  CallInst *made = builder.CreateCall(FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer}, false),
                                      builder.CreateLoad(pointer, place), {group, site, row});
  made->setDoesNotThrow();
  call.eraseFromParent();
}

}  // namespace upsweep::passes
