// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving the bytes of memory objects between the host and targets with memory of their own.
#include "runtime/residency.h"
#include "runtime/context.h"
#include <algorithm>

namespace upsweep {

Residency::Residency(const Context &context, cl_mem_flags flags, size_t bytes, char *application, bool is_shared)
    : context_(context), flags_(flags), bytes_(bytes), is_shared_(is_shared),
      can_have_copies_(!is_shared && !context.works_in_host_memory()), host_(application) {}

Result<char *> Residency::host() {
  if (char *known = host_.load(std::memory_order_acquire)) return known;
  std::lock_guard lock(mutex_);
  return host_locked();
}

Result<char *> Residency::host_locked() {
  if (char *known = host_.load(std::memory_order_relaxed)) return known;
  // Memory that the application asks to be the host's is most use where a device reaches it.
  owned_ = flags_ & CL_MEM_ALLOC_HOST_PTR ? context_.allocate_shared(bytes_) : allocate_host_memory(bytes_);
  if (!owned_) return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, std::to_string(bytes_) + " bytes could not be allocated");
  host_.store(owned_.get(), std::memory_order_release);
  return owned_.get();
}

Result<uint64_t> Residency::address_on(Target &target) {
  if (is_shared_) return reinterpret_cast<uint64_t>(host_.load(std::memory_order_relaxed));
  std::lock_guard lock(mutex_);
  return copy_locked(target).map([](const Copy *copy) { return copy->memory->address(); });
}

DeviceMemory *Residency::memory_on(const Target &target) {
  std::lock_guard lock(mutex_);
  for (const auto &copy : copies_)
    if (copy->target == &target) return copy->memory.get();
  return nullptr;
}

Result<Residency::Copy *> Residency::copy_locked(Target &target) {
  for (const auto &copy : copies_)
    if (copy->target == &target) return copy.get();
  auto memory = target.allocate(bytes_, flags_);
  if (!memory) return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, memory.error().text);
  // Nobody has noted what the memory object was made with.
  if (copies_.empty() && host_.load(std::memory_order_relaxed)) on_host_.valid.add({0, bytes_});
  copies_.push_back(std::make_unique<Copy>(Copy{&target, *std::move(memory), {}}));
  return copies_.back().get();
}

Result<void> Residency::make_current_on_host(Access access, ByteRange range) {
  if (!can_have_copies_) return {};
  std::lock_guard lock(mutex_);
  return use_locked(on_host_, access, range);
}

Result<void> Residency::make_current_on(Target &target, Access access, ByteRange range) {
  if (!can_have_copies_) return {};
  std::lock_guard lock(mutex_);
  return copy_locked(target).and_then([&](Copy *copy) { return use_locked(*copy, access, range); });
}

bool Residency::is_elsewhere_locked(const Copy &place) const {
  auto holds_some = [&](const Copy &copy) { return &copy != &place && !copy.valid.ranges().empty(); };
  return holds_some(on_host_) || std::ranges::any_of(copies_, [&](const auto &copy) { return holds_some(*copy); });
}

Result<void> Residency::use_locked(Copy &place, Access access, ByteRange range) {
  // Most often all is where it was.
  if (place.valid.contains(range) && (access == Access::kRead || !is_elsewhere_locked(place))) return {};
  if (access != Access::kWrite)
    for (const ByteRange &missing : place.valid.missing(range))
      if (auto fetched = fetch_locked(place, missing); !fetched) return fetched;
  if (access == Access::kRead) return {};
  for (Copy *other : places_locked())
    if (other != &place) other->valid.remove(range);
  place.valid.add(range);
  return {};
}

Result<void> Residency::fetch_locked(Copy &place, ByteRange range) {
  for (Copy *from : places_locked()) {
    if (from == &place) continue;
    for (const ByteRange &part : from->valid.inside(range)) {
      // Another place may have given some of it already.
      for (const ByteRange &missing : place.valid.missing(part)) {
        if (auto moved = move_locked(place, *from, missing); !moved) return moved;
        place.valid.add(missing);
      }
    }
  }
  return {};
}

Result<void> Residency::move_locked(Copy &to, Copy &from, ByteRange range) {
  const size_t bytes = range.end - range.begin;
  if (to.target && from.target) {
    auto copied = to.target->copy_peer(*to.memory, *from.target, *from.memory, range.begin, bytes);
    if (!copied) return fail(copied);
    if (*copied) return {};
  }
  auto host = host_locked();
  if (!host) return fail(host);
  char *at = *host + range.begin;
  if (from.target) {
    if (auto down = from.target->download(at, *from.memory, range.begin, bytes); !down) return down;
    on_host_.valid.add(range);
  }
  if (to.target) return to.target->upload(*to.memory, range.begin, at, bytes);
  return {};
}

std::vector<Residency::Copy *> Residency::places_locked() {
  // The host first: what it has needs one step only.
  std::vector<Copy *> places{&on_host_};
  for (const auto &copy : copies_) places.push_back(copy.get());
  return places;
}

}  // namespace upsweep
