// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracks where the bytes of a memory object are: in host memory, and in one copy for each target that has its own memory.
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

/// A command's access to bytes. kWrite overwrites all of them, so their old values need not be moved.
enum class Access { kRead, kWrite, kReadWrite };

/// State of one root memory object. Records for each byte which places hold its newest value, and moves bytes before commands
/// use them. A byte that nothing has written yet has no valid copy, and is not moved.
///
/// A command declares its accesses before its dependents declare theirs: when it starts to run, or when it is issued on a
/// target that lets commands follow each other. Concurrent commands may hold the same bytes in several places as long as none
/// writes them. They may always hold different bytes of an object.
class Residency {
public:
  /// `application`: the memory of CL_MEM_USE_HOST_PTR, or null. With `is_shared` it is SVM, which all devices access at the
  /// same address, so copies are not needed.
  Residency(const Context &context, cl_mem_flags flags, size_t bytes, char *application, bool is_shared);

  /// The host memory, allocated by the first call. CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<char *> host();
  /// The host memory, or null if it is not allocated.
  const char *known_host() const { return host_.load(std::memory_order_acquire); }
  /// The address in the memory of `target`, which has its own memory; allocated by the first call.
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE.
  Result<uint64_t> address_on(Target &target);
  /// The allocation at that address; null before it is allocated.
  DeviceMemory *memory_on(const Target &target);

  /// Whether a target of the context may hold a copy, now or later. If not, the host always has the newest bytes.
  bool can_have_copies() const { return can_have_copies_; }

  /// Moves the newest bytes to the host, or to a target with its own memory, and records the coming access there. Returns after
  /// the bytes have moved.
  Result<void> make_current_on_host(Access access, ByteRange range);
  Result<void> make_current_on(Target &target, Access access, ByteRange range);

  /// A counter that changes whenever a command declares a write; targets use it to invalidate derived data.
  uint64_t num_writes() const { return num_writes_.load(std::memory_order_acquire); }

  /// For a target that copies bytes to the host in order after its pending work: whether it holds the newest value of the whole
  /// range and the host does not. The target then copies the range to host() and calls arrived_on_host().
  bool expect_on_host(const Target &target, ByteRange range);
  /// The bytes of an expected range are in host(). Bytes that another command has declared to write since stay invalid.
  void arrived_on_host(ByteRange range);

private:
  /// A place of bytes. The host's place has no target.
  struct Copy {
    Target *target;
    std::unique_ptr<DeviceMemory> memory;
    RangeList valid;             ///< bytes whose newest value is here
    std::unique_ptr<Copy> next;  ///< the copy created before this copy
  };

  /// The target's copy, or null. Takes no lock, since copies never move during the object's lifetime.
  Copy *find_copy(const Target &target) const;
  Result<char *> host_locked();
  Result<Copy *> copy_locked(Target &target);
  Result<void> use_locked(Copy &place, Access access, ByteRange range);
  Result<void> fetch_locked(Copy &place, ByteRange range);
  Result<void> move_locked(Copy &to, Copy &from, ByteRange range);
  std::vector<Copy *> places_locked();
  bool is_elsewhere_locked(const Copy &place);  ///< whether another place also holds valid bytes

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
  // The members below are written with the lock held, but may be read without it.
  std::atomic<Copy *> newest_copy_{nullptr};  ///< copies_
  /// The target whose copy is the only one: it has the newest value of every byte, and no other place has any. Commands there
  /// change no state, which is the common case.
  std::atomic<const Target *> sole_holder_{nullptr};
};

}  // namespace upsweep
#endif
