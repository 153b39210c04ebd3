// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies each large page of the read-only segments, then moves the copy into place with one system call.
#include "compiler/server/resident_code.h"

#include "base/sanitizer.h"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace upsweep::compiler {
namespace {

constexpr uintptr_t kLargePage = uintptr_t{2} << 20;

uintptr_t rounded_up(uintptr_t address) { return (address + kLargePage - 1) / kLargePage * kLargePage; }

void make_resident(uintptr_t page, int protection) {
  constexpr size_t kRoom = 2 * kLargePage;
  void *room = mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return;
  auto *copy = reinterpret_cast<char *>(rounded_up(reinterpret_cast<uintptr_t>(room)));
  madvise(copy, kLargePage, MADV_HUGEPAGE);
  memcpy(copy, reinterpret_cast<const void *>(page), kLargePage);
  bool moved =
      mprotect(copy, kLargePage, protection) == 0 &&
      mremap(copy, kLargePage, kLargePage, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void *>(page)) != MAP_FAILED;
  // Unmap the unused space: all of it, or the parts before and after the copy.
  auto *room_end = static_cast<char *>(room) + kRoom;
  if (!moved) munmap(copy, kLargePage);
  if (copy > room) munmap(room, static_cast<size_t>(copy - static_cast<char *>(room)));
  if (room_end > copy + kLargePage) munmap(copy + kLargePage, static_cast<size_t>(room_end - (copy + kLargePage)));
}

}  // namespace

ResidentCode::ResidentCode() {
  // The address sanitizer reports the copy of whole segments as an overflow of their constants.
  if (kNeedsHugeAddressSpace) return;
  auto collect = [](dl_phdr_info *object, size_t, void *data) {
    auto &pages = *static_cast<std::vector<Page> *>(data);
    for (const ElfW(Phdr) & segment : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
      const uintptr_t begin = object->dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
      // Only whole large pages: the rest of a segment stays mapped from the file.
      for (uintptr_t page = rounded_up(begin); page + kLargePage <= end; page += kLargePage)
        pages.push_back({page, PROT_READ | ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0)});
    }
    return 1;  // the program is the first object, and the only large one
  };
  dl_iterate_phdr(collect, &pages_);
  std::ranges::reverse(pages_);
}

bool ResidentCode::keep_next_page() {
  if (pages_.empty()) return false;
  make_resident(pages_.back().address, pages_.back().protection);
  pages_.pop_back();
  return true;
}

}  // namespace upsweep::compiler
