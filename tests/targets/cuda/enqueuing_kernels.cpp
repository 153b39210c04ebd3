// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages in the form that kernels write.
#include "enqueuing_kernels.h"
#include <atomic>
#include <cstring>
#include <string_view>
#include <thread>

namespace upsweep::tests {
namespace {

KernelBody kernels;

std::atomic_ref<uint64_t> shared(uint64_t &number) { return std::atomic_ref(number); }

std::atomic_ref<uint64_t> state_of(const UpsweepTree &tree, uint64_t event) {
  return shared(real<uint64_t>(tree.events)[static_cast<uint32_t>(event)]);
}

/// A block's literal starts with its size and alignment, and the address of its function.
constexpr size_t kHeaderWords = sizeof(UpsweepBlock) / 8;

/// `groups` work-groups have ended, of `total` in a grid or in the launch.
void end_groups(const UpsweepGrid &grid, uint32_t end, uint64_t groups, uint64_t total) {
  UpsweepTree &tree = *real<UpsweepTree>(grid.tree);
  const uint32_t number = end ? end - 1 : 0;
  uint64_t &ended = real<uint64_t>(tree.ended_groups)[number];
  if (shared(ended).fetch_add(groups) + groups != total) return;
  shared(ended).store(0);
  shared(reinterpret_cast<uint64_t *>(tree.ends)[number]).store(shared(tree.taken_slots).load());
}

}  // namespace

UpsweepTree &KernelThread::tree() const { return *real<UpsweepTree>(grid.tree); }

void KernelThread::send(std::vector<uint64_t> words) const {
  const uint64_t slots = (words.size() + UPSWEEP_SLOT_WORDS - 1) / UPSWEEP_SLOT_WORDS;
  words.resize(slots * UPSWEEP_SLOT_WORDS);
  words[0] |= slots;
  const uint64_t first = shared(tree().taken_slots).fetch_add(slots);
  auto &host = *reinterpret_cast<UpsweepTreeHost *>(tree().host);
  while (first + slots - shared(host.read_slots).load() > UPSWEEP_RING_SLOTS) std::this_thread::yield();
  for (uint64_t i = 0; i < slots; ++i) {
    const uint64_t slot = first + i, phase = slot / UPSWEEP_RING_SLOTS % 2 ? 0 : 1;
    uint64_t *to = reinterpret_cast<uint64_t *>(tree().ring) + slot % UPSWEEP_RING_SLOTS * 8;
    const uint64_t *from = &words[i * UPSWEEP_SLOT_WORDS];
    uint64_t bits = phase;
    for (int k = 0; k < 7; ++k) bits |= (from[k] & 1) << (k + 1);
    // The last word is written before all others in one slot, and after them in the next.
    if (slot % 2) shared(to[7]).store(bits, std::memory_order_relaxed);
    for (int k = 7; k-- > 0;) shared(to[k]).store((from[k] & ~uint64_t{1}) | phase, std::memory_order_relaxed);
    if (slot % 2 == 0) shared(to[7]).store(bits, std::memory_order_relaxed);
  }
}

void KernelThread::send(uint32_t action, uint64_t event, uint64_t value) const {
  send({uint64_t{action} << 32, grid.command, event, value});
}

void KernelThread::capture_times(uint64_t event, uint64_t address) const {
  auto &times = reinterpret_cast<UpsweepTreeHost *>(tree().host)->times[static_cast<uint32_t>(event)];
  if (shared(times.event).load() != event) return send(UPSWEEP_MESSAGE_TIMES, event, address);
  for (size_t i = 0; i < 2; ++i) reinterpret_cast<uint64_t *>(address)[i] = shared(times.values[i]).load();
}

bool KernelThread::take_queue(uint32_t index, uint64_t bytes) const {
  UpsweepTreeQueue &queue = tree().queues[index];
  auto &host = *reinterpret_cast<UpsweepTreeHost *>(tree().host);
  if (shared(queue.taken).fetch_add(bytes) + bytes - shared(host.returned[index]).load() <= queue.bytes) return true;
  shared(queue.taken).fetch_sub(bytes);
  return false;
}

bool KernelThread::enqueue(const EnqueuedCommand &command, uint64_t *event) const {
  const uint64_t literal_bytes = command.block ? 8 * (kHeaderWords + command.captured.size()) : 0;
  const uint64_t queue_bytes = (256 + literal_bytes + 63) / 64 * 64;
  if (!take_queue(command.queue, queue_bytes)) return false;
  const uint64_t made = command.has_event ? new_event() : 0;
  std::vector<uint64_t> words{uint64_t{UPSWEEP_MESSAGE_COMMAND} << 32,
                              grid.command,
                              made,
                              0,
                              command.block | uint64_t{command.flags | (command.block ? 1u << 16 : 0) | command.queue << 24}
                                                  << 32,
                              command.waits.size() | command.locals.size() << 32,
                              literal_bytes | queue_bytes << 32};
  if (command.block) words.insert(words.end(), {command.offset, command.global_size, command.local_size});
  words.insert(words.end(), command.waits.begin(), command.waits.end());
  words.insert(words.end(), command.locals.begin(), command.locals.end());
  if (command.block) {
    words.insert(words.end(), {literal_bytes | uint64_t{8} << 32, 0});
    words.insert(words.end(), command.captured.begin(), command.captured.end());
  }
  send(words);
  if (event) *event = made;
  return true;
}

uint64_t KernelThread::new_event() const {
  uint64_t place = shared(tree().new_events).fetch_add(1);
  auto &host = *reinterpret_cast<UpsweepTreeHost *>(tree().host);
  if (place >= UPSWEEP_TREE_EVENTS) {
    const uint64_t used = shared(tree().used_events).fetch_add(1);
    while (shared(host.free_events).load() <= used) std::this_thread::yield();
    place = host.places[used % UPSWEEP_TREE_EVENTS];
  }
  const auto state = state_of(tree(), place);
  const uint64_t uses = (state.load() >> 32) + 1;
  state.store(uses << 32 | 1);
  return uses << 32 | place;
}

bool KernelThread::is_valid(uint64_t event) const {
  const uint64_t state = state_of(tree(), event).load();
  return state >> 32 == event >> 32 && static_cast<uint32_t>(state) != 0;
}

void KernelThread::retain(uint64_t event) const { state_of(tree(), event).fetch_add(1); }

void KernelThread::release(uint64_t event) const {
  if (static_cast<uint32_t>(state_of(tree(), event).fetch_sub(1)) == 1) send(UPSWEEP_MESSAGE_RELEASED, event, 0);
}

void set_kernels(KernelBody body) { kernels = std::move(body); }

void run_enqueuing(const char *name, const void *parameter, unsigned blocks) {
  if (std::string_view(name).find("block_invoke") == std::string_view::npos) {
    const auto &grid = *static_cast<const UpsweepGrid *>(parameter);
    for (unsigned i = 0; i < blocks; ++i) kernels(KernelThread(grid, grid.group_base[0] + i, nullptr), 0);
    return end_groups(grid, 0, blocks, grid.num_groups[0]);
  }
  const auto &items = *static_cast<const UpsweepItems *>(parameter);
  if (!items.items) return;
  // the first block's name is "…_block_invoke_kernel", the second block's "…_block_invoke_2_kernel"
  const std::string_view rest = std::string_view(name).substr(std::string_view(name).find("block_invoke") + 12);
  const uint32_t number = rest[0] == '_' && rest[1] >= '2' && rest[1] <= '9' ? static_cast<uint32_t>(rest[1] - '0') : 1;
  for (unsigned i = 0; i < blocks; ++i) {
    const UpsweepItemOfBlock its = items.block_mask ? real<UpsweepItemOfBlock>(items.item_of)[i] : UpsweepItemOfBlock{0, 0};
    const UpsweepItem &item = real<UpsweepItem>(items.items)[its.number];
    const uint32_t block = items.block_mask ? i - item.first_block : i;
    // Only the second block of these tests has local arguments before its literal.
    const auto *literal = real<uint64_t>(items.arguments + its.arguments) + (number == 2 ? UPSWEEP_BLOCK_ALIGNMENT / 8 : 0);
    kernels(KernelThread(item.grid, item.grid.group_base[0] + block, literal + kHeaderWords), number);
  }
  end_groups(real<UpsweepItem>(items.items)->grid, items.end, blocks, blocks);
}

}  // namespace upsweep::tests
