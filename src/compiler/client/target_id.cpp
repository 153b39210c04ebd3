// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifies this computer's CPU for cache keys and binaries, without LLVM: a hash of CPUID's data about instruction sets.
#include "base/across_fork.h"
#include "base/checks.h"
#include "base/options.h"
#include "compiler/client/binary.h"
#include "compiler/client/hash.h"
#include "targets/cpu/kernel_abi.h"

#include <cpuid.h>

namespace upsweep::compiler {
namespace {

/// Hashes the leaves that list features and the model, by which LLVM schedules. Excludes data that differs between cores, such
/// as the APIC id.
Hash cpu_features() {
  Hasher hasher;
  uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d)) hasher.add(uint64_t{a}).add(uint64_t{c}).add(uint64_t{d});
  for (uint32_t subleaf : {0u, 1u})
    if (__get_cpuid_count(7, subleaf, &a, &b, &c, &d))
      hasher.add(uint64_t{subleaf ? a : 0}).add(uint64_t{b}).add(uint64_t{c}).add(uint64_t{d});
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) hasher.add(uint64_t{c}).add(uint64_t{d});
  // Register states that the system saves: without them AVX-512 exists but cannot be used.
  if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE)) {
    __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    hasher.add(uint64_t{a});
  }
  return hasher.finish();
}

/// The processor that UPSWEEP_CPU names. The id also contains this computer's features: only a computer that has them is known
/// to be able to run the code.
std::string processor() { return options().cpu == "native" ? "" : options().cpu + "-"; }

const MadeWithPlatform id_made([] { static_cast<void>(target_id()); });

}  // namespace

const std::string &target_id() {
  static const std::string id = "cpu-abi" + std::to_string(UPSWEEP_CPU_ABI) + "-" +
                                (options().lanes == "scalar" ? "scalar-" : "vector-") + processor() + cpu_features().hex() +
                                (enabled_checks().is_empty() ? "" : "-check-" + enabled_checks().text());
  return id;
}

}  // namespace upsweep::compiler
