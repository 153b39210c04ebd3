// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector instructions that the library uses: the best of this processor, unless a program limits them.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <atomic>

namespace upsweep::cpu {

// Levels of x86-64: v2, v3 and v4.
enum class instructions { sse4, avx2, avx512 };

namespace detail {

inline instructions best_instructions() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
    return instructions::avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c")) {
    return instructions::avx2;
  }
  return instructions::sse4;
}

inline std::atomic<instructions> &instructions_in_use() {
  static std::atomic<instructions> in_use{best_instructions()};
  return in_use;
}

}  // namespace detail

// Whether this processor has these instructions.
inline bool has_instructions(instructions wanted) { return wanted <= detail::best_instructions(); }

// Later calls use these instructions, or the processor's best if it lacks them. This is for tests and measurements: results do
// not depend on it.
inline void use_instructions(instructions wanted) {
  const instructions best = detail::best_instructions();
  detail::instructions_in_use().store(wanted < best ? wanted : best, std::memory_order_relaxed);
}

}  // namespace upsweep::cpu
#endif
