// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records by mail: a kernel of each rank writes its record to the other GPUs' memory, waits for theirs, and finishes the step.
//
// A box has two places for each sender, which alternate. A rank writes its letter k + 2 only when it has letter k + 1 of all
// ranks, each of which was then behind its reading of letter k.
#pragma once

#include <upsweep/distributed/cuda/detail/record.cuh>

namespace upsweep::distributed::detail {

inline constexpr int kMailThreads = 256;

struct alignas(16) Mailbox {
  // Records first, then the numbers of the last letters.
  __host__ __device__ static std::size_t bytes(unsigned size) { return 2 * size * (sizeof(Record) + sizeof(std::uint32_t)); }
  __device__ Record *letters(unsigned size, std::uint32_t number) {
    return reinterpret_cast<Record *>(this) + (number % 2) * size;
  }
  __device__ std::uint32_t *numbers(unsigned size, std::uint32_t number) {
    return reinterpret_cast<std::uint32_t *>(reinterpret_cast<Record *>(this) + 2 * size) + (number % 2) * size;
  }
};

struct Mail {
  const Record *own;
  Mailbox *const *boxes;
  unsigned rank, size;
  std::uint32_t number;
  std::uint64_t limit;  // nanoseconds
  const volatile std::uint32_t *ended;
  Status *status;
};

__device__ inline std::uint64_t nanoseconds() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
__device__ inline void show_number(std::uint32_t *to, std::uint32_t number) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(to), "r"(number) : "memory");
}
__device__ inline std::uint32_t shown_number(const std::uint32_t *from) {
  std::uint32_t number;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(number) : "l"(from) : "memory");
  return number;
}

// Waits for rank r's letter. False if it does not come.
__device__ inline bool await_letter(const Mail &mail, unsigned r) {
  const std::uint32_t *const number = mail.boxes[mail.rank]->numbers(mail.size, mail.number) + r;
  const std::uint64_t begin = nanoseconds();
  for (unsigned turn = 1; shown_number(number) != mail.number; ++turn) {
    if (turn % 256 == 0) {
      if (*mail.ended != 0) {
        report(mail.status, Trouble::kEnded, r, 0);
        return false;
      }
      if (nanoseconds() - begin > mail.limit) {
        report(mail.status, Trouble::kLate, r, 0);
        return false;
      }
    }
  }
  return true;
}

template <class Finish>
__global__ void mail_kernel(Mail mail, Finish finish) {
  constexpr unsigned kWords = sizeof(Record) / sizeof(uint4);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned r = warp; r < mail.size; r += kMailThreads / 32) {
    Mailbox *const box = mail.boxes[r];
    auto *const to = reinterpret_cast<uint4 *>(box->letters(mail.size, mail.number) + mail.rank);
    if (lane < kWords) {
      to[lane] = reinterpret_cast<const uint4 *>(mail.own)[lane];
      __threadfence_system();
    }
    __syncwarp();
    if (lane == 0) {
      show_number(box->numbers(mail.size, mail.number) + mail.rank, mail.number);
    }
  }
  bool has_all = true;
  for (unsigned r = threadIdx.x; r < mail.size; r += kMailThreads) {
    has_all = has_all && await_letter(mail, r);
  }
  const bool lacks_any = __syncthreads_or(has_all ? 0 : 1) != 0;
  if (threadIdx.x == 0) {
    finish(lacks_any ? nullptr : mail.boxes[mail.rank]->letters(mail.size, mail.number));
  }
}

}  // namespace upsweep::distributed::detail
