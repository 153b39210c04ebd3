// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kernels of the CUDA library on the host (run.py): each thread of a block is a fiber, and each running block has a
// thread of the host. It emulates a GPU of compute capability 7.5 with one block on each multiprocessor, but not its memory
// model. A deadlock or unknown PTX ends the program.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

#include <sched.h>
#include <sys/mman.h>

#define threadIdx emulated_away_thread
#define blockIdx emulated_away_block
#define blockDim emulated_away_block_dim
#define gridDim emulated_away_grid
#include <device_launch_parameters.h>
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#include <cuda_runtime.h>

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __launch_bounds__
#undef __grid_constant__
#undef __forceinline__
#define __global__
#define __device__
#define __host__
#define __shared__ thread_local
#define __launch_bounds__(...)
#define __grid_constant__
#define __forceinline__ inline

inline thread_local uint3 threadIdx, blockIdx;
inline thread_local dim3 blockDim, gridDim;

namespace emulated {

inline constexpr std::size_t kStackBytes = 128 * 1024;
inline int resident_blocks() {
  static const int number = std::getenv("EMULATED_BLOCKS") ? std::atoi(std::getenv("EMULATED_BLOCKS")) : 4;
  return number;
}

extern "C" void emulated_switch(void **from, void *to);
asm(R"(
.pushsection .text.emulated_switch,"axG",@progbits,emulated_switch,comdat
.weak emulated_switch
.type emulated_switch,@function
emulated_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.popsection
)");

// Threads that wait for each other. `generation` changes when all live threads have arrived.
struct Meeting {
  unsigned living = 0, arrived = 0;
  unsigned generation = 0;
};

struct Warp {
  Meeting meeting;
  std::uint64_t slots[2][32];
  unsigned living = 0;  // a bit for each lane
};

struct Fiber {
  void *stack_pointer = nullptr;
  unsigned thread = 0;
  bool is_done = false;
  const unsigned *waits_for = nullptr;  // while *waits_for == generation
  unsigned generation = 0;
};

struct Named {
  unsigned arrived = 0, generation = 0;
};

struct Block {
  std::vector<Fiber> fibers;
  std::vector<Warp> warps;
  Meeting meeting;
  Named named[16];
  unsigned counts[2] = {0, 0};
  unsigned turn = 0;
  void *scheduler = nullptr;
  Fiber *current = nullptr;
  const std::function<void()> *kernel = nullptr;
  unsigned living = 0;
};
inline thread_local Block *block = nullptr;

inline constexpr std::size_t kDynamicBytes = 64 * 1024;
inline unsigned char *dynamic_memory() {
  alignas(128) static thread_local unsigned char bytes[kDynamicBytes];
  return bytes;
}

inline void go_back() { emulated_switch(&block->current->stack_pointer, block->scheduler); }
inline void yield() { go_back(); }

inline void wait_while(const unsigned &word, unsigned generation) {
  if (word == generation) {
    block->current->waits_for = &word;
    block->current->generation = generation;
    go_back();
    block->current->waits_for = nullptr;
  }
}
inline void let_go(Meeting &meeting) {
  if (meeting.arrived > 0 && meeting.arrived == meeting.living) {
    meeting.arrived = 0;
    ++meeting.generation;
  }
}
inline void meet(Meeting &meeting) {
  const unsigned generation = meeting.generation;
  ++meeting.arrived;
  let_go(meeting);
  wait_while(meeting.generation, generation);
}

[[noreturn]] inline void start_fiber() {
  (*block->kernel)();
  Fiber &own = *block->current;
  own.is_done = true;
  Warp &warp = block->warps[own.thread / 32];
  warp.living &= ~(1u << own.thread % 32);
  --warp.meeting.living;
  let_go(warp.meeting);
  --block->meeting.living;
  let_go(block->meeting);
  --block->living;
  go_back();
  std::abort();
}

struct Stacks {
  std::vector<unsigned char *> all;
  unsigned char *get(std::size_t i) {
    while (all.size() <= i) {
      void *const at = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      all.push_back(static_cast<unsigned char *>(at));
    }
    return all[i];
  }
  ~Stacks() {
    for (unsigned char *stack : all) {
      munmap(stack, kStackBytes);
    }
  }
};

inline void run_block(const std::function<void()> &kernel, unsigned index, unsigned threads, unsigned blocks, Stacks &stacks) {
  Block own;
  own.fibers.resize(threads);
  own.warps.resize((threads + 31) / 32);
  own.meeting.living = own.living = threads;
  own.kernel = &kernel;
  blockIdx = {index, 0, 0};
  blockDim = dim3(threads);
  gridDim = dim3(blocks);
  block = &own;
  std::memset(dynamic_memory(), 0x5b, kDynamicBytes);
  for (unsigned t = 0; t < threads; ++t) {
    own.fibers[t].thread = t;
    own.warps[t / 32].living |= 1u << t % 32;
    ++own.warps[t / 32].meeting.living;
    auto **top = reinterpret_cast<void **>(stacks.get(t) + kStackBytes);
    *--top = nullptr;
    *--top = reinterpret_cast<void *>(&start_fiber);
    top -= 6;
    own.fibers[t].stack_pointer = top;
  }
  while (own.living > 0) {
    bool has_run = false;
    for (unsigned t = 0; t < threads; ++t) {
      Fiber &fiber = own.fibers[t];
      if (fiber.is_done || (fiber.waits_for != nullptr && *fiber.waits_for == fiber.generation)) {
        continue;
      }
      has_run = true;
      own.current = &fiber;
      threadIdx = {t, 0, 0};
      emulated_switch(&own.scheduler, fiber.stack_pointer);
    }
    if (!has_run) {
      std::fprintf(stderr, "emulation: the threads of block %u wait for each other in vain\n", index);
      std::abort();
    }
    if (blocks > 1) {
      sched_yield();
    }
  }
}

inline void run_grid(const std::function<void()> &kernel, unsigned blocks, unsigned threads) {
  std::atomic<unsigned> next{0};
  const auto work = [&] {
    Stacks stacks;
    for (unsigned b = next++; b < blocks; b = next++) {
      run_block(kernel, b, threads, blocks, stacks);
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 0; i < std::min<unsigned>(blocks, resident_blocks()); ++i) {
    others.emplace_back(work);
  }
  for (std::thread &other : others) {
    other.join();
  }
}

template <class... Parameters, class... Arguments>
cudaError_t launch(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...), const Arguments &...arguments) {
  const std::tuple<std::remove_const_t<Parameters>...> all(arguments...);
  if (config->blockDim.x > 1024 || config->gridDim.x == 0 || config->dynamicSmemBytes > kDynamicBytes) {
    std::fprintf(stderr, "emulation: a launch of %u blocks of %u threads, %zu bytes\n", config->gridDim.x, config->blockDim.x,
                 config->dynamicSmemBytes);
    std::abort();
  }
  run_grid([&] { std::apply(kernel, all); }, config->gridDim.x, config->blockDim.x);
  return cudaSuccess;
}

inline Warp &warp() { return block->warps[block->current->thread / 32]; }
inline unsigned lane() { return block->current->thread % 32; }
// The values of all lanes.
inline const std::uint64_t *exchanged(std::uint64_t value) {
  Warp &own = warp();
  auto &slots = own.slots[own.meeting.generation % 2];
  slots[lane()] = value;
  meet(own.meeting);
  return slots;
}
inline unsigned ballot(bool is_set) {
  const unsigned living_before = warp().living;
  const std::uint64_t *const all = exchanged(is_set);
  unsigned mask = 0;
  for (unsigned i = 0; i < 32; ++i) {
    mask |= (living_before >> i & 1) != 0 && all[i] != 0 ? 1u << i : 0;
  }
  return mask;
}

template <class T>
std::uint64_t as_word(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uint64_t>(value);
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

inline unsigned shuffled(const char *text, std::uint64_t word, int distance, unsigned clamp) {
  const std::uint64_t *const all = exchanged(word);
  const int own = static_cast<int>(lane());
  const int segment = static_cast<int>(clamp >> 8 & 31);
  const int most = static_cast<int>(clamp & 31);
  const int first = own & segment, last = first | (most & ~segment);
  int from = own;
  if (std::strstr(text, ".up.") != nullptr) {
    from = own - distance < (first | (most & ~segment)) ? own : own - distance;
  } else if (std::strstr(text, ".down.") != nullptr) {
    from = own + distance > last ? own : own + distance;
  } else {
    const int wanted = first | (distance & ~segment & 31);
    from = wanted > last ? own : wanted;
  }
  return static_cast<unsigned>(all[from]);
}

template <class... Outs, class... Ins>
void ptx(const char *text, std::tuple<Outs &...> outs, Ins... ins) {
  const std::uint64_t in[] = {as_word(ins)..., 0};
  const auto is = [&](const char *start) { return std::strncmp(text, start, std::strlen(start)) == 0; };
  constexpr std::size_t kOuts = sizeof...(Outs);
  std::uint64_t out[kOuts + 1] = {};
  bool sets = true;
  if (text[0] == 0) {
    sets = false;
  } else if (is("mov.u32 %0, %%laneid")) {
    out[0] = lane();
  } else if (is("shfl.sync.down")) {
    out[0] = shuffled(text, in[0], static_cast<int>(in[1]), 31);
  } else if (is("shfl.sync")) {
    out[0] = shuffled(text, in[0], static_cast<int>(in[1]), static_cast<unsigned>(in[2]));
  } else if (is("st.relaxed.gpu.global.u32")) {
    __atomic_store_n(reinterpret_cast<std::uint32_t *>(in[0]), static_cast<std::uint32_t>(in[1]), __ATOMIC_SEQ_CST);
  } else if (is("st.release.sys.global.u32")) {
    __atomic_store_n(reinterpret_cast<std::uint32_t *>(in[0]), static_cast<std::uint32_t>(in[1]), __ATOMIC_SEQ_CST);
  } else if (is("ld.acquire.sys.global.u32")) {
    sched_yield();  // another rank's block may run on this core
    yield();
    out[0] = __atomic_load_n(reinterpret_cast<const std::uint32_t *>(in[0]), __ATOMIC_SEQ_CST);
  } else if (is("mov.u64 %0, %%globaltimer")) {
    out[0] = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  } else if (is("st.relaxed.gpu.global.u64")) {
    __atomic_store_n(reinterpret_cast<std::uint64_t *>(in[0]), in[1], __ATOMIC_SEQ_CST);
  } else if (is("red.relaxed.gpu.global.add.u32")) {
    __atomic_fetch_add(reinterpret_cast<std::uint32_t *>(in[0]), static_cast<std::uint32_t>(in[1]), __ATOMIC_SEQ_CST);
  } else if (is("ld.relaxed.gpu.global.u64") || is("ld.relaxed.gpu.global.v2.u64")) {
    yield();
    for (std::size_t i = 0; i < kOuts; ++i) {
      out[i] = __atomic_load_n(reinterpret_cast<const std::uint64_t *>(in[0]) + i, __ATOMIC_SEQ_CST);
    }
  } else if (is("ld.relaxed.gpu.global.v4.u32")) {
    yield();
    for (std::size_t i = 0; i < kOuts; ++i) {
      out[i] = __atomic_load_n(reinterpret_cast<const std::uint32_t *>(in[0]) + i, __ATOMIC_SEQ_CST);
    }
  } else if (is("popc.b32")) {
    out[0] = static_cast<unsigned>(__builtin_popcount(static_cast<unsigned>(in[0])));
  } else if (is("{ .reg .pred is_set;")) {
    const bool own = (in[0] & in[1]) != 0;
    const unsigned lanes = ballot(own);
    out[0] = own ? lanes : ~lanes;
  } else if (is("lop3.b32 %0, %0, %1, %2, 0x80")) {
    if constexpr (kOuts > 0) {
      out[0] = as_word(std::get<0>(outs)) & in[0] & in[1];
    }
  } else if (is("barrier.sync")) {
    Named &named = block->named[in[0]];
    const unsigned generation = named.generation;
    if (++named.arrived == in[1]) {
      named.arrived = 0;
      ++named.generation;
    }
    wait_while(named.generation, generation);
  } else {
    std::fprintf(stderr, "emulation: no %s\n", text);
    std::abort();
  }
  if (sets) {
    std::size_t i = 0;
    const auto set = [&](auto &to) {
      using To = std::decay_t<decltype(to)>;
      if constexpr (std::is_pointer_v<To>) {
        to = reinterpret_cast<To>(out[i++]);
      } else {
        to = static_cast<To>(out[i++]);
      }
    };
    std::apply([&](auto &...each) { (set(each), ...); }, outs);
  }
}

template <class T>
T taken_and_put(T *at, const std::function<T(T)> &change) {
  T old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
  T next = change(old);
  while (!__atomic_compare_exchange_n(at, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    next = change(old);
  }
  return old;
}

}  // namespace emulated

#include "intrinsics.h"
