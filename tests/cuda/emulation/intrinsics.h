// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's functions for kernels, and the functions of its runtime that the library and its tests call, for the emulation's
// threads and the host's memory.
#pragma once

#include "emulation.h"

#define cudaLaunchKernelEx ::emulated::launch

inline void __syncthreads() { emulated::meet(emulated::block->meeting); }
inline int __syncthreads_count(int is_set) {
  // Two sums alternate. When all threads leave, the sum that was read is 0 again.
  auto &own = *emulated::block;
  unsigned &count = own.counts[own.meeting.generation % 2];
  count += is_set != 0 ? 1 : 0;
  emulated::meet(own.meeting);
  const int all = static_cast<int>(count);
  emulated::meet(own.meeting);
  count = 0;
  emulated::meet(own.meeting);
  return all;
}
inline int __syncthreads_or(int is_set) { return __syncthreads_count(is_set) > 0 ? 1 : 0; }
inline void __syncwarp(unsigned = ~0u) { emulated::meet(emulated::warp().meeting); }
inline unsigned __ballot_sync(unsigned, int is_set) { return emulated::ballot(is_set != 0); }
inline int __all_sync(unsigned, int is_set) { return emulated::ballot(is_set == 0) == 0 ? 1 : 0; }
inline int __any_sync(unsigned, int is_set) { return emulated::ballot(is_set != 0) != 0 ? 1 : 0; }
inline unsigned __match_any_sync(unsigned, unsigned value) {
  const unsigned living = emulated::warp().living;
  const std::uint64_t *const all = emulated::exchanged(value);
  unsigned same = 0;
  for (unsigned i = 0; i < 32; ++i) {
    same |= (living >> i & 1) != 0 && all[i] == value ? 1u << i : 0;
  }
  return same;
}
inline unsigned __shfl_sync(unsigned, unsigned value, int from, int width = 32) {
  const std::uint64_t *const all = emulated::exchanged(value);
  const unsigned own = emulated::lane(), wide = static_cast<unsigned>(width);
  return static_cast<unsigned>(all[own / wide * wide + static_cast<unsigned>(from) % wide]);
}
inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence_block() {}
inline void __threadfence_system() { __threadfence(); }
inline void __nanosleep(unsigned) { emulated::yield(); }
[[noreturn]] inline void __trap() {
  std::fprintf(stderr, "emulation: trap\n");
  std::abort();
}
inline long long clock64() {
  emulated::yield();
  static std::atomic<long long> time{0};
  return time += 1000;
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t both = static_cast<std::uint64_t>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= static_cast<unsigned>(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  }
  return result;
}
inline unsigned __vadd4(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int i = 0; i < 32; i += 8) {
    sum |= ((a >> i) + (b >> i) & 0xff) << i;
  }
  return sum;
}
inline unsigned __vadd2(unsigned a, unsigned b) { return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16; }
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8) {
    c += (a >> i & 0xff) * (b >> i & 0xff);
  }
  return c;
}
inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) {
    c += static_cast<std::int8_t>(a >> i) * static_cast<std::int8_t>(b >> i);
  }
  return c;
}
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline int __float2int_rn(float x) { return static_cast<int>(__builtin_rintf(x)); }
inline float __uint_as_float(unsigned x) {
  float y;
  std::memcpy(&y, &x, 4);
  return y;
}
inline std::size_t __cvta_generic_to_global(const void *p) { return reinterpret_cast<std::size_t>(p); }
inline std::size_t __cvta_generic_to_shared(const void *p) { return reinterpret_cast<std::size_t>(p); }
template <class T>
T __ldcs(const T *from) {
  return *from;
}
template <class T, class U>
void __stcs(T *to, U value) {
  *to = value;
}

template <class T, class U>
T atomicAdd(T *at, U more) {
  return emulated::taken_and_put<T>(at, [=](T old) { return static_cast<T>(old + static_cast<T>(more)); });
}
inline float atomicAdd(float *at, float more) {
  std::uint32_t bits = emulated::taken_and_put<std::uint32_t>(reinterpret_cast<std::uint32_t *>(at), [=](std::uint32_t old) {
    const float sum = __uint_as_float(old) + more;
    std::memcpy(&old, &sum, 4);
    return old;
  });
  return __uint_as_float(bits);
}
inline double atomicAdd(double *at, double more) {
  std::uint64_t bits = emulated::taken_and_put<std::uint64_t>(reinterpret_cast<std::uint64_t *>(at), [=](std::uint64_t old) {
    double sum;
    std::memcpy(&sum, &old, 8);
    sum += more;
    std::memcpy(&old, &sum, 8);
    return old;
  });
  double old;
  std::memcpy(&old, &bits, 8);
  return old;
}
template <class T, class U>
T atomicSub(T *at, U less) {
  return emulated::taken_and_put<T>(at, [=](T old) { return static_cast<T>(old - static_cast<T>(less)); });
}
template <class T, class U>
T atomicMax(T *at, U other) {
  return emulated::taken_and_put<T>(at, [=](T old) { return std::max<T>(old, static_cast<T>(other)); });
}
template <class T, class U>
T atomicMin(T *at, U other) {
  return emulated::taken_and_put<T>(at, [=](T old) { return std::min<T>(old, static_cast<T>(other)); });
}
template <class T, class U>
T atomicOr(T *at, U other) {
  return emulated::taken_and_put<T>(at, [=](T old) { return old | static_cast<T>(other); });
}
template <class T, class U>
T atomicXor(T *at, U other) {
  return emulated::taken_and_put<T>(at, [=](T old) { return old ^ static_cast<T>(other); });
}
template <class T, class U>
T atomicExch(T *at, U value) {
  return emulated::taken_and_put<T>(at, [=](T) { return static_cast<T>(value); });
}
template <class T, class U, class V>
T atomicCAS(T *at, U expected, V value) {
  return emulated::taken_and_put<T>(at, [=](T old) { return old == static_cast<T>(expected) ? static_cast<T>(value) : old; });
}
inline unsigned atomicInc(unsigned *at, unsigned most) {
  return emulated::taken_and_put<unsigned>(at, [=](unsigned old) { return old >= most ? 0 : old + 1; });
}

template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

// The runtime.
template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*)(Parameters...), cudaFuncAttribute, int) {
  return cudaSuccess;
}
template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*)(Parameters...)) {
  attributes->ptxVersion = 75;
  return cudaSuccess;
}
extern "C" {
inline cudaError_t emulated_malloc(void **data, std::size_t bytes) {
  *data = std::aligned_alloc(256, (bytes + 511) / 256 * 256);
  std::memset(*data, 0xd7, bytes);  // shows unwritten bytes
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaMalloc(void **data, std::size_t bytes) { return emulated_malloc(data, bytes); }
__attribute__((weak)) cudaError_t cudaMallocAsync(void **data, std::size_t bytes, cudaStream_t) {
  return emulated_malloc(data, bytes);
}
__attribute__((weak)) cudaError_t cudaFree(void *data) {
  std::free(data);
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaFreeAsync(void *data, cudaStream_t) {
  std::free(data);
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaMemset(void *to, int value, std::size_t bytes) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaMemsetAsync(void *to, int value, std::size_t bytes, cudaStream_t) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaGetDeviceCount(int *number) {
  *number = 1;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrMultiProcessorCount ? emulated::resident_blocks() : 64 * 1024;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  *stream = nullptr;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int) {
  *stream = nullptr;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
// Streams and events do nothing, since all work is done when its call returns.
__attribute__((weak)) cudaError_t cudaSetDevice(int) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
  *can = 1;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  *event = nullptr;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaHostAlloc(void **data, std::size_t bytes, unsigned) {
  return emulated_malloc(data, bytes);
}
__attribute__((weak)) cudaError_t cudaFreeHost(void *data) {
  std::free(data);
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) {
  *pool = nullptr;
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, std::size_t) {
  return cudaSuccess;
}
__attribute__((weak)) cudaError_t cudaMallocFromPoolAsync(void **data, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
  return emulated_malloc(data, bytes);
}
__attribute__((weak)) cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, std::size_t bytes, cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
__attribute__((weak)) const char *cudaGetErrorString(cudaError_t error) {
  static thread_local char text[40];
  std::snprintf(text, sizeof text, "error %d of the emulation", static_cast<int>(error));
  return text;
}
__attribute__((weak)) cudaError_t cudaGetLastError() { return cudaSuccess; }
__attribute__((weak)) const char *cudaGetErrorName(cudaError_t) { return "an error of the emulation"; }
__attribute__((weak)) cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
__attribute__((weak)) cudaError_t cudaGetDriverEntryPoint(const char *, void **function, unsigned long long,
                                                          cudaDriverEntryPointQueryResult *) {
  *function = nullptr;
  return cudaErrorSymbolNotFound;
}
__attribute__((weak)) cudaError_t cudaGetDriverEntryPointByVersion(const char *, void **function, unsigned, unsigned long long,
                                                                   cudaDriverEntryPointQueryResult *) {
  *function = nullptr;
  return cudaErrorSymbolNotFound;
}
}
