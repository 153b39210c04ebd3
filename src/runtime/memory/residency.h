// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the bytes of a memory object are: in host memory, and in a copy per target that has memory of its own.
#ifndef UPSWEEP_RUNTIME_MEMORY_RESIDENCY_H
#define UPSWEEP_RUNTIME_MEMORY_RESIDENCY_H

#include "base/result.h"
#include "runtime/memory/range_list.h"
#include "runtime/memory/target_memory.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace upsweep {

class Context;
class Target;

/// A command's use of bytes. kWrite overwrites all of them, so that their old values need not be moved.
enum class Access { kRead, kWrite, kReadWrite };

/// Of one root memory object. Knows for each byte which places hold its newest value, and moves bytes before commands use them.
/// A byte that nothing has written yet has no valid copy, and is not moved.
///
/// A command declares its accesses before its dependents declare theirs: when it starts to run, or on a target that lets
/// commands follow each other when it is issued. Commands may hold the same bytes in several places at once as long as none
/// writes them, and other bytes of one object in any case.
class Residency {
public:
  /// `application`: the memory of CL_MEM_USE_HOST_PTR, or null. With `is_shared` it is of SVM, which all devices reach at its
  /// address: then there are no copies.
  Residency(const Context &context, cl_mem_flags flags, size_t bytes, char *application, bool is_shared);

  /// The host's memory, allocated by the first call. CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<char *> host();
  /// The address in the memory of `target`, which has its own; allocated by the first call. CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<uint64_t> address_on(Target &target);
  /// The allocation behind that address; null before it is allocated.
  DeviceMemory *memory_on(const Target &target);

  /// Whether a target of the context may hold a copy, now or later. If none can, the host's bytes are always the newest.
  bool can_have_copies() const { return can_have_copies_; }

  /// Brings the newest bytes to the host, or to a target with memory of its own, and notes that they are about to be used
  /// there. Returns after the bytes have moved.
  Result<void> make_current_on_host(Access access, ByteRange range);
  Result<void> make_current_on(Target &target, Access access, ByteRange range);

  /// A number that changes whenever a command is declared to write some of the bytes: for what targets derive from them.
  uint64_t num_writes() const { return num_writes_.load(std::memory_order_acquire); }

  /// For a target that brings bytes to the host behind its work in hand, for reading: whether it holds the newest value of the
  /// whole range, and the host does not. The target then copies the range to host(), and says when it is there.
  bool expect_on_host(const Target &target, ByteRange range);
  /// The bytes of an expected range are in host(). Those that another command has been declared to write since do not count.
  void arrived_on_host(ByteRange range);

private:
  /// A place. The host's has no target.
  struct Copy {
    Target *target;
    std::unique_ptr<DeviceMemory> memory;
    RangeList valid;             ///< bytes that are the newest
    std::unique_ptr<Copy> next;  ///< the one that was made before
  };

  /// The target's copy, if there is one already. Takes no lock: copies stay where they are as long as the object lives.
  Copy *find_copy(const Target &target) const;
  Result<char *> host_locked();
  Result<Copy *> copy_locked(Target &target);
  Result<void> use_locked(Copy &place, Access access, ByteRange range);
  Result<void> fetch_locked(Copy &place, ByteRange range);
  Result<void> move_locked(Copy &to, Copy &from, ByteRange range);
  std::vector<Copy *> places_locked();
  bool is_elsewhere_locked(const Copy &place);  ///< whether another place holds bytes, too

  const Context &context_;
  const cl_mem_flags flags_;
  const size_t bytes_;
  const bool is_shared_;
  const bool can_have_copies_;
  std::mutex mutex_;  ///< guards the members below; held while bytes move
  HostMemory owned_;
  std::atomic<char *> host_;
  Copy on_host_{};
  RangeList expected_on_host_;
  std::unique_ptr<Copy> copies_;
  std::atomic<uint64_t> num_writes_{0};
  // The members below are written with the lock held, and may be read without it.
  std::atomic<Copy *> newest_copy_{nullptr};  ///< copies_
  /// The target whose copy is all that there is: it has the newest value of every byte, and no other place has one. Whatever a
  /// command does there changes nothing; most commands find it so.
  std::atomic<const Target *> sole_holder_{nullptr};
};

}  // namespace upsweep
#endif
