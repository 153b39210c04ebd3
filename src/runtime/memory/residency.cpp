// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the bytes of memory objects between the host and targets with their own memory.
#include "runtime/memory/residency.h"
#include "runtime/objects/context.h"
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
  // CL_MEM_ALLOC_HOST_PTR asks for host memory; it is most useful where a device can access it.
  owned_ = flags_ & CL_MEM_ALLOC_HOST_PTR ? context_.allocate_shared(bytes_) : allocate_host_memory(bytes_);
  if (!owned_) return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, std::to_string(bytes_) + " bytes could not be allocated");
  host_.store(owned_.get(), std::memory_order_release);
  return owned_.get();
}

Result<uint64_t> Residency::address_on(Target &target) {
  if (is_shared_) return reinterpret_cast<uint64_t>(host_.load(std::memory_order_relaxed));
  if (const Copy *copy = find_copy(target)) return copy->memory->address();
  std::lock_guard lock(mutex_);
  return copy_locked(target).map([](const Copy *copy) { return copy->memory->address(); });
}

DeviceMemory *Residency::memory_on(const Target &target) {
  const Copy *copy = find_copy(target);
  return copy ? copy->memory.get() : nullptr;
}

Residency::Copy *Residency::find_copy(const Target &target) const {
  Copy *copy = newest_copy_.load(std::memory_order_acquire);
  while (copy && copy->target != &target) copy = copy->next.get();
  return copy;
}

Result<Residency::Copy *> Residency::copy_locked(Target &target) {
  if (Copy *known = find_copy(target)) return known;
  auto memory = target.memory()->allocate(bytes_, flags_);
  if (!memory) return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, memory.error().text);
  // The memory object's initial contents are not recorded yet.
  if (!copies_ && host_.load(std::memory_order_relaxed)) on_host_.valid.add({0, bytes_});
  copies_ = std::make_unique<Copy>(Copy{&target, *std::move(memory), {}, std::move(copies_)});
  newest_copy_.store(copies_.get(), std::memory_order_release);
  return copies_.get();
}

Result<void> Residency::make_current_on_host(Access access, ByteRange range) {
  if (!can_have_copies_) return {};
  if (access != Access::kRead) num_writes_.fetch_add(1, std::memory_order_acq_rel);
  std::lock_guard lock(mutex_);
  return use_locked(on_host_, access, range);
}

Result<void> Residency::make_current_on(Target &target, Access access, ByteRange range) {
  if (access != Access::kRead) num_writes_.fetch_add(1, std::memory_order_acq_rel);
  // Concurrent commands that use the same bytes elsewhere are unordered with this command.
  if (!can_have_copies_ || sole_holder_.load(std::memory_order_acquire) == &target) return {};
  std::lock_guard lock(mutex_);
  return copy_locked(target).and_then([&](Copy *copy) { return use_locked(*copy, access, range); });
}

bool Residency::expect_on_host(const Target &target, ByteRange range) {
  std::lock_guard lock(mutex_);
  const Copy *copy = find_copy(target);
  if (!copy || !copy->valid.contains(range) || on_host_.valid.contains(range)) return false;
  expected_on_host_.add(range);
  sole_holder_.store(nullptr, std::memory_order_relaxed);  // set again by the next write
  return true;
}

void Residency::arrived_on_host(ByteRange range) {
  std::lock_guard lock(mutex_);
  for (const ByteRange &part : expected_on_host_.inside(range)) on_host_.valid.add(part);
  expected_on_host_.remove(range);
}

bool Residency::is_elsewhere_locked(const Copy &place) {
  auto holds_some = [&](const Copy *copy) { return copy != &place && !copy->valid.ranges().empty(); };
  return std::ranges::any_of(places_locked(), holds_some);
}

Result<void> Residency::use_locked(Copy &place, Access access, ByteRange range) {
  // Usually all bytes are already there.
  const bool is_there = place.valid.contains(range);
  if (is_there && access == Access::kRead) return {};
  if (access != Access::kRead) expected_on_host_.remove(range);
  if (!is_there || is_elsewhere_locked(place)) {
    sole_holder_.store(nullptr, std::memory_order_relaxed);
    if (access != Access::kWrite)
      for (const ByteRange &missing : place.valid.missing(range))
        if (auto fetched = fetch_locked(place, missing); !fetched) return fetched;
    if (access == Access::kRead) return {};
    for (Copy *other : places_locked())
      if (other != &place) other->valid.remove(range);
    place.valid.add(range);
  }
  if (place.target && place.valid.contains({0, bytes_}) && !is_elsewhere_locked(place) && expected_on_host_.ranges().empty())
    sole_holder_.store(place.target, std::memory_order_release);
  return {};
}

Result<void> Residency::fetch_locked(Copy &place, ByteRange range) {
  for (Copy *from : places_locked()) {
    if (from == &place) continue;
    for (const ByteRange &part : from->valid.inside(range)) {
      // Another place may have supplied some of these bytes already.
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
    auto copied = to.target->memory()->copy_peer(*to.memory, *from.target->memory(), *from.memory, range.begin, bytes);
    if (!copied) return fail(copied);
    if (*copied) return {};
  }
  auto host = host_locked();
  if (!host) return fail(host);
  char *at = *host + range.begin;
  if (from.target) {
    if (auto down = from.target->memory()->download(at, *from.memory, range.begin, bytes); !down) return down;
    on_host_.valid.add(range);
  }
  if (to.target) return to.target->memory()->upload(*to.memory, range.begin, at, bytes);
  return {};
}

std::vector<Residency::Copy *> Residency::places_locked() {
  // Try the host first: its bytes need only one step.
  std::vector<Copy *> places{&on_host_};
  for (Copy *copy = copies_.get(); copy; copy = copy->next.get()) places.push_back(copy);
  return places;
}

}  // namespace upsweep
