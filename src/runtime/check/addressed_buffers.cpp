// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list, since few programs ask for addresses.
#include "runtime/check/addressed_buffers.h"
#include "base/across_fork.h"
#include "base/checks.h"
#include "base/never_destroyed.h"
#include "runtime/objects/memory_object.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace upsweep {
namespace {

struct AddressedBuffer {
  const MemoryObject *buffer;
  uint64_t base;
};

struct AddressedBuffers {
  std::mutex mutex;
  const AcrossFork across_fork{&mutex};
  std::vector<AddressedBuffer> all;
  std::atomic<bool> is_any{false};
};

AddressedBuffers &addressed() {
  static NeverDestroyed<AddressedBuffers> buffers;
  return *buffers;
}

const MadeWithPlatform addressed_made([] { static_cast<void>(addressed()); });

}  // namespace

void note_addressed(const MemoryObject &buffer, const char *base) {
  if (enabled_checks().is_empty()) return;
  std::lock_guard lock(addressed().mutex);
  const auto is_known = [&](const AddressedBuffer &known) { return known.buffer == &buffer; };
  if (std::ranges::none_of(addressed().all, is_known)) addressed().all.push_back({&buffer, reinterpret_cast<uint64_t>(base)});
  addressed().is_any.store(true, std::memory_order_release);
}

void forget_addressed(const MemoryObject &buffer) {
  if (enabled_checks().is_empty() || !addressed().is_any.load(std::memory_order_acquire)) return;
  std::lock_guard lock(addressed().mutex);
  std::erase_if(addressed().all, [&](const AddressedBuffer &known) { return known.buffer == &buffer; });
}

std::optional<UpsweepBounds> addressed_at(const void *pointer) {
  if (!addressed().is_any.load(std::memory_order_acquire)) return std::nullopt;
  const auto address = reinterpret_cast<uint64_t>(pointer);
  uint64_t base = UINT64_MAX, read_end = 0, write_end = 0;
  std::lock_guard lock(addressed().mutex);
  for (const AddressedBuffer &known : addressed().all) {
    if (address - known.base >= known.buffer->size()) continue;
    base = std::min(base, known.base);
    const uint64_t end = known.base + known.buffer->size();
    if (!(known.buffer->flags() & CL_MEM_WRITE_ONLY)) read_end = std::max(read_end, end);
    if (!(known.buffer->flags() & CL_MEM_READ_ONLY)) write_end = std::max(write_end, end);
  }
  if (base == UINT64_MAX) return std::nullopt;
  return UpsweepBounds{base, address - base, read_end ? read_end - base : 0, write_end ? write_end - base : 0};
}

}  // namespace upsweep
