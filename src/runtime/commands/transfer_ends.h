// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two ends of a transfer and its accesses to memory, in one form for all kinds of transfers. Targets choose by them where a
// transfer is carried out, and when it may be.
#ifndef UPSWEEP_RUNTIME_COMMANDS_TRANSFER_ENDS_H
#define UPSWEEP_RUNTIME_COMMANDS_TRANSFER_ENDS_H

#include "base/small_vector.h"
#include "runtime/commands/transfer.h"

namespace upsweep {

/// Where one end of a transfer is.
enum class EndAt {
  kNowhere,   ///< there are no bytes: a fill's pattern is the command's own, and an unmapping moves nothing
  kPointer,   ///< at a pointer: memory of the application, or of SVM
  kHostCopy,  ///< in the host's copy of memory objects, wherever the device works
  kObject,    ///< in memory objects, where the device works
};

struct TransferEnds {
  EndAt from = EndAt::kNowhere;
  EndAt to = EndAt::kNowhere;
  size_t bytes = 0;                      ///< that go from one to the other; 0 for migrations
  bool is_linear = true;                 ///< the bytes are in one piece at both ends
  bool host_writes = false;              ///< the host is about to write its copy
  const char *pointer = nullptr;         ///< of the end at a pointer, the target's if both are
  const MemoryObject *source = nullptr;  ///< the memory object that is read; null: none, or several

  /// Whether the newest bytes must reach the host's copy or leave it: the commands that write them have to end first, unless
  /// the device copies the bytes behind them.
  bool moves_host_copy() const { return to == EndAt::kHostCopy || (from == EndAt::kHostCopy && to == EndAt::kObject); }
};

TransferEnds ends_of(const Transfer &transfer);

/// One access of a transfer to the bytes of a memory object, or at a pointer.
struct TransferAccess {
  const Place *place;
  Access access;
  ByteRange range;
  bool on_host = false;  ///< to the host's copy, wherever the device works
};
using TransferAccesses = SmallVector<TransferAccess, 2>;

TransferAccesses accesses_of(const CopyTransfer &copy);
TransferAccesses accesses_of(const FillTransfer &fill);
TransferAccesses accesses_of(const MapTransfer &map);
TransferAccesses accesses_of(const UnmapTransfer &unmap);
TransferAccesses accesses_of(const MigrateTransfer &migrate);

/// Makes the bytes current where the transfer uses them (Residency): in the memory of `target`, or on the host if that is null.
/// `may_fail`: the transfer may come to write nothing (Target::can_follow). All that mappings, unmappings and migrations do.
Result<void> make_current(const TransferAccesses &accesses, Target *target, bool may_fail = false);
Result<void> make_current(const Transfer &transfer, Target *target, bool may_fail = false);

}  // namespace upsweep
#endif
