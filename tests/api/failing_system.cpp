// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that stand in for the system's. They are the whole program's, as are those that they replace.
#include "failing_system.h"
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <pthread.h>

namespace {

std::atomic<bool> is_failing{false}, fails_for_good{false}, has_struck{false}, has_no_threads{false};
std::atomic<int64_t> num_left{0};

void *allocate(size_t bytes, size_t alignment) {
  if (is_failing.load(std::memory_order_relaxed)) {
    const int64_t left = num_left.fetch_sub(1);
    if (left == 0 || (left < 0 && fails_for_good)) {
      has_struck = true;
      throw std::bad_alloc();
    }
  }
  void *memory = nullptr;
  if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes ? bytes : 1) != 0)
    throw std::bad_alloc();
  return memory;
}

}  // namespace

#define EXPORT __attribute__((visibility("default"), noinline))
EXPORT void *operator new(size_t bytes) { return allocate(bytes, 16); }
EXPORT void *operator new[](size_t bytes) { return allocate(bytes, 16); }
EXPORT void *operator new(size_t bytes, std::align_val_t alignment) { return allocate(bytes, static_cast<size_t>(alignment)); }
EXPORT void operator delete(void *memory) noexcept { std::free(memory); }
EXPORT void operator delete[](void *memory) noexcept { std::free(memory); }
EXPORT void operator delete(void *memory, size_t) noexcept { std::free(memory); }
EXPORT void operator delete[](void *memory, size_t) noexcept { std::free(memory); }
EXPORT void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
EXPORT void operator delete(void *memory, size_t, std::align_val_t) noexcept { std::free(memory); }

extern "C" EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*main)(void *),
                                     void *argument) {
  static auto *const real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return has_no_threads ? EAGAIN : real(thread, attributes, main, argument);
}

namespace upsweep::tests {

FailingMemory::FailingMemory(int64_t num_given, bool for_good) {
  ::fails_for_good = for_good;
  ::has_struck = false;
  ::num_left = num_given;
  ::is_failing = true;
}
FailingMemory::~FailingMemory() { ::is_failing = false; }
bool FailingMemory::has_struck() const { return ::has_struck; }

NoThreads::NoThreads() { ::has_no_threads = true; }
NoThreads::~NoThreads() { ::has_no_threads = false; }

}  // namespace upsweep::tests
