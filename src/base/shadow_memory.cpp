// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps the shadow.
#include "base/shadow_memory.h"
#include "base/check_abi.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace upsweep {
namespace {

struct Range {
  uint64_t begin, end;
};

/// Addresses of Linux on x86-64: the heap behind a program at a fixed address; mappings of the old layout, which grow upwards
/// (Documentation/process: ADDR_COMPAT_LAYOUT); programs at any address, and their heap; mappings and stacks.
constexpr std::array kUsual{Range{0, UINT64_C(0x0100) << 32}, Range{UINT64_C(0x2a00) << 32, UINT64_C(0x2c00) << 32},
                            Range{UINT64_C(0x5400) << 32, UINT64_C(0x5800) << 32},
                            Range{UINT64_C(0x7000) << 32, UINT64_C(0x8000) << 32}};
constexpr uint64_t kPage = 4096;

/// For fewer bytes a memset takes no longer than the system's calls.
constexpr uint64_t kManyBytes = uint64_t{1} << 20;
/// The size of the ones that all large unwritten objects share, so that their shadows take no memory before the first write.
constexpr uint64_t kSharedBytes = uint64_t{16} << 20;

bool map_at(void *wanted, uint64_t bytes, int flags, int file) {
  void *mapped = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | flags, file, 0);
  if (mapped == MAP_FAILED) return false;
  // Hints: a written byte must not cost a huge page, and a core dump needs no shadow.
  madvise(mapped, bytes, MADV_NOHUGEPAGE);
  madvise(mapped, bytes, MADV_DONTDUMP);
  if (mapped == wanted) return true;
  munmap(mapped, bytes);  // a kernel that does not know MAP_FIXED_NOREPLACE
  return false;
}

bool map_shadow(uint64_t begin, uint64_t bytes) {
  return map_at(shadow_of(reinterpret_cast<const void *>(begin)), bytes, MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1);
}

struct FileOfOnes {
  int file = -1;
  struct stat state{};
};

FileOfOnes make_file() {
  FileOfOnes made{memfd_create("upsweep shadow", MFD_CLOEXEC)};
  if (made.file < 0) return {};
  void *mapped = MAP_FAILED;
  if (ftruncate(made.file, kSharedBytes) == 0 && fstat(made.file, &made.state) == 0)
    mapped = mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, made.file, 0);
  if (mapped == MAP_FAILED) {
    close(made.file);
    return {};
  }
  std::memset(mapped, 0xff, kSharedBytes);
  munmap(mapped, kSharedBytes);
  return made;
}

/// A file of kSharedBytes of ones; -1 if there is none. A program may close all files, and its next file has this number then.
int file_of_ones() {
  static const FileOfOnes made = make_file();
  struct stat now{};
  const bool is_it =
      made.file >= 0 && fstat(made.file, &now) == 0 && now.st_dev == made.state.st_dev && now.st_ino == made.state.st_ino;
  return is_it ? made.file : -1;
}

/// False if some pages have their old contents.
bool map_pages(char *shadow, uint64_t bytes, bool is_written) {
  if (is_written) return map_at(shadow, bytes, MAP_ANONYMOUS | MAP_FIXED, -1);
  const int file = file_of_ones();
  if (file < 0) return false;
  for (uint64_t done = 0; done < bytes; done += kSharedBytes)
    if (!map_at(shadow + done, std::min(bytes - done, kSharedBytes), MAP_FIXED, file)) return false;
  return true;
}

}  // namespace

char *shadow_of(const void *address) {
  const auto at = reinterpret_cast<int64_t>(address);
  return reinterpret_cast<char *>(at + (at < UPSWEEP_SHADOW_SPLIT ? UPSWEEP_SHADOW_LOW : UPSWEEP_SHADOW_HIGH));
}

void set_shadow(const void *memory, uint64_t bytes, bool is_written) {
  char *shadow = shadow_of(memory);
  const int value = is_written ? 0 : 0xff;
  if (bytes >= (is_written ? kManyBytes : 2 * kSharedBytes)) {
    const uint64_t head = -reinterpret_cast<uint64_t>(shadow) % kPage, pages = (bytes - head) / kPage * kPage;
    if (map_pages(shadow + head, pages, is_written)) {
      std::memset(shadow, value, head);
      shadow += head + pages;
      bytes -= head + pages;
    }
  }
  std::memset(shadow, value, bytes);
}

bool reserve_shadow() {
  return std::ranges::all_of(kUsual, [](const Range &range) { return map_shadow(range.begin, range.end - range.begin); });
}

bool reserve_shadow_of(const void *object, uint64_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(object) / kPage * kPage;
  const uint64_t end = reinterpret_cast<uint64_t>(object) + bytes;
  const auto contains = [&](const Range &range) { return range.begin <= begin && end <= range.end; };
  if (std::ranges::any_of(kUsual, contains)) return true;
  // Objects may share pages, and an object may be registered again.
  for (uint64_t page = begin; page < end; page += kPage) {
    unsigned char state = 0;
    char *shadow = shadow_of(reinterpret_cast<const void *>(page));
    if (mincore(shadow, 1, &state) != 0 && !map_shadow(page, kPage)) return false;
  }
  return true;
}

}  // namespace upsweep
