// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replacements for functions of the system. They replace them for the whole program.
#include "failing_system.h"
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <pthread.h>

namespace {

std::atomic<bool> is_failing{false}, fails_for_good{false}, has_struck{false}, has_no_threads{false};
std::atomic<int64_t> num_left{0};

/// Whether this allocation must fail.
bool fails() {
  if (!is_failing.load(std::memory_order_relaxed)) return false;
  const int64_t left = num_left.fetch_sub(1);
  if (left > 0 || (left < 0 && !fails_for_good)) return false;
  return has_struck = true;
}

}  // namespace

#define EXPORT __attribute__((visibility("default"), noinline))
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
namespace {

void *allocate(size_t bytes, size_t alignment) {
  void *memory = nullptr;
  if (fails() || posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes ? bytes : 1) != 0)
    throw std::bad_alloc();
  return memory;
}

}  // namespace

// malloc() belongs to the sanitizer, and the driver's operator new to the shared C++ library.
EXPORT void *operator new(size_t bytes) { return allocate(bytes, 16); }
EXPORT void *operator new[](size_t bytes) { return allocate(bytes, 16); }
EXPORT void *operator new(size_t bytes, std::align_val_t alignment) { return allocate(bytes, static_cast<size_t>(alignment)); }
EXPORT void operator delete(void *memory) noexcept { std::free(memory); }
EXPORT void operator delete[](void *memory) noexcept { std::free(memory); }
EXPORT void operator delete(void *memory, size_t) noexcept { std::free(memory); }
EXPORT void operator delete[](void *memory, size_t) noexcept { std::free(memory); }
EXPORT void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
EXPORT void operator delete(void *memory, size_t, std::align_val_t) noexcept { std::free(memory); }
#else
// The driver contains the C++ library, whose operator new allocates here. The C library allocates here too, but ends the
// program when it has no memory for a thread's variables.
namespace {

bool is_the_drivers(const void *caller) {
  Dl_info info{};
  return is_failing.load(std::memory_order_relaxed) && dladdr(caller, &info) != 0 &&
         std::strstr(info.dli_fname, "libupsweep-opencl") != nullptr;
}

}  // namespace

extern "C" void *__libc_malloc(size_t bytes);
extern "C" void *__libc_memalign(size_t alignment, size_t bytes);
extern "C" EXPORT void *malloc(size_t bytes) {
  if (!is_the_drivers(__builtin_return_address(0)) || !fails()) return __libc_malloc(bytes);
  errno = ENOMEM;
  return nullptr;
}
extern "C" EXPORT void *aligned_alloc(size_t alignment, size_t bytes) {
  if (!is_the_drivers(__builtin_return_address(0)) || !fails()) return __libc_memalign(alignment, bytes);
  errno = ENOMEM;
  return nullptr;
}
extern "C" EXPORT int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  *memory = is_the_drivers(__builtin_return_address(0)) && fails() ? nullptr : __libc_memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
#endif

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
