// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory that ends at a page that faults, so that an access beyond an image is noticed.
#ifndef UPSWEEP_TESTS_IMAGES_GUARDED_MEMORY_H
#define UPSWEEP_TESTS_IMAGES_GUARDED_MEMORY_H

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace upsweep::tests {

class GuardedMemory {
public:
  GuardedMemory() = default;
  GuardedMemory(size_t size, unsigned char value) : size_(size) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mapped_ = (size + page - 1) / page * page + page;
    void *map = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc();
    map_ = static_cast<unsigned char *>(map);
    mprotect(map_ + mapped_ - page, page, PROT_NONE);
    data_ = map_ + mapped_ - page - size;
    std::memset(data_, value, size);
  }
  GuardedMemory(GuardedMemory &&other) noexcept { *this = std::move(other); }
  GuardedMemory &operator=(GuardedMemory &&other) noexcept {
    std::swap(map_, other.map_);
    std::swap(data_, other.data_);
    std::swap(mapped_, other.mapped_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~GuardedMemory() {
    if (map_) munmap(map_, mapped_);
  }

  [[nodiscard]] std::span<unsigned char> bytes() const { return {data_, size_}; }

private:
  unsigned char *map_ = nullptr, *data_ = nullptr;
  size_t mapped_ = 0, size_ = 0;
};

}  // namespace upsweep::tests
#endif
