// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two ends of a transfer and its memory accesses, in one form for all kinds of transfers. A target uses them to decide
// where and when to run a transfer.
#ifndef UPSWEEP_RUNTIME_COMMANDS_TRANSFER_ENDS_H
#define UPSWEEP_RUNTIME_COMMANDS_TRANSFER_ENDS_H

#include "base/small_vector.h"
#include "runtime/commands/transfer.h"

namespace upsweep {

/// The location of one end of a transfer.
enum class EndAt {
  kNowhere,   ///< none: the command holds a fill's pattern, and an unmap moves no bytes
  kPointer,   ///< at a pointer: application or SVM memory, and unified shared memory that the device does not own
  kHostCopy,  ///< in the host copy of memory objects, even if the device uses another
  kObject,    ///< in the device's copy of memory objects, or in its unified shared memory
};

struct TransferEnds {
  EndAt from = EndAt::kNowhere;
  EndAt to = EndAt::kNowhere;
  size_t bytes = 0;                      ///< moved from one end to the other; 0 for migrations
  bool is_linear = true;                 ///< the bytes are contiguous at both ends
  bool host_writes = false;              ///< the host will write its copy
  const char *pointer = nullptr;         ///< of the end at a pointer; the destination's if both ends are
  const MemoryObject *source = nullptr;  ///< the memory object that is read; null if none or several

  /// Whether the newest bytes must reach or leave the host copy. The commands that write them must end first, unless the device
  /// copies the bytes in order after them.
  bool moves_host_copy() const { return to == EndAt::kHostCopy || (from == EndAt::kHostCopy && to == EndAt::kObject); }
};

TransferEnds ends_of(const Transfer &transfer);

/// An access of a transfer, to bytes of a memory object or at a pointer.
struct TransferAccess {
  const Place *place;
  Access access;
  ByteRange range;
  bool on_host = false;  ///< to the host copy, even if the device uses another
};
using TransferAccesses = SmallVector<TransferAccess, 2>;

TransferAccesses accesses_of(const CopyTransfer &copy);
TransferAccesses accesses_of(const FillTransfer &fill);
TransferAccesses accesses_of(const FillRectTransfer &fill);
TransferAccesses accesses_of(const MapTransfer &map);
TransferAccesses accesses_of(const UnmapTransfer &unmap);
TransferAccesses accesses_of(const MigrateTransfer &migrate);
TransferAccesses accesses_of(const HintTransfer &hint);

/// Makes the bytes current where the transfer uses them (Residency): in the memory of `target`, or on the host if it is null.
/// `may_fail`: the transfer may end without writing (Target::can_follow). Maps, unmaps and migrations do nothing else.
Result<void> make_current(const TransferAccesses &accesses, Target *target, bool may_fail = false);
Result<void> make_current(const Transfer &transfer, Target *target, bool may_fail = false);

}  // namespace upsweep
#endif
