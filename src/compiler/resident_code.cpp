// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies each segment that is not written, then puts the copy in its place in one system call.
#include "compiler/resident_code.h"

#include "base/sanitizer.h"

#include <link.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <span>

namespace upsweep::compiler {
namespace {

constexpr uintptr_t kLargePage = uintptr_t{2} << 20;

uintptr_t rounded_up(uintptr_t address) { return (address + kLargePage - 1) / kLargePage * kLargePage; }

/// Whole large pages alone: the rest of a segment stays a mapping of the file.
void make_resident(uintptr_t begin, uintptr_t end, int protection) {
  begin = rounded_up(begin);
  end = end / kLargePage * kLargePage;
  if (begin >= end) return;
  size_t bytes = end - begin;
  void *room = mmap(nullptr, bytes + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return;
  auto *copy = reinterpret_cast<char *>(rounded_up(reinterpret_cast<uintptr_t>(room)));
  madvise(copy, bytes, MADV_HUGEPAGE);
  memcpy(copy, reinterpret_cast<const void *>(begin), bytes);
  bool moved = mprotect(copy, bytes, protection) == 0 &&
               mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void *>(begin)) != MAP_FAILED;
  // What is left of the room: all of it, or what was before and after the copy.
  auto *room_end = static_cast<char *>(room) + bytes + kLargePage;
  if (!moved) munmap(copy, bytes);
  if (copy > room) munmap(room, static_cast<size_t>(copy - static_cast<char *>(room)));
  if (room_end > copy + bytes) munmap(copy + bytes, static_cast<size_t>(room_end - (copy + bytes)));
}

int make_segments_resident(dl_phdr_info *object, size_t, void *) {
  for (const ElfW(Phdr) & segment : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    make_resident(begin, begin + segment.p_memsz, PROT_READ | ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0));
  }
  return 1;  // the program is the first object, and the only one that is large
}

}  // namespace

void keep_code_resident() {
  // The sanitizers take a copy of whole segments for an overflow of the constants in them.
  if (!kNeedsHugeAddressSpace) dl_iterate_phdr(make_segments_resident, nullptr);
}

}  // namespace upsweep::compiler
