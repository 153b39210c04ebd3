// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight chains of neighbouring elements are processed together, which hides the operator's latency. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

constexpr std::size_t kChains = 8;

// totals[s] = the total of in[s * kItems] to in[(s + 1) * kItems - 1]. `slices` is a multiple of kChains.
template <std::size_t kItems, class T, class Op>
void reduce_slices(std::integral_constant<std::size_t, kItems>, const T *__restrict in, T *__restrict totals,
                   std::size_t slices, const Op &op) {
  for (std::size_t s = 0; s < slices; s += kChains) {
    T chains[kChains];
    for (std::size_t k = 0; k < kChains; ++k) {
      chains[k] = in[(s + k) * kItems];
    }
    for (std::size_t i = 1; i < kItems; ++i) {
      for (std::size_t k = 0; k < kChains; ++k) {
        chains[k] = op(chains[k], in[(s + k) * kItems + i]);
      }
    }
    for (std::size_t k = 0; k < kChains; ++k) {
      totals[s + k] = chains[k];
    }
  }
}

// out[s * kItems + i] = before[s] op in[s * kItems] op ... op in[s * kItems + i]; exclusive: without the last operand.
// before[] becomes the chains' totals.
template <std::size_t kItems, bool kInclusive, class T, class Op>
void scan_slices(std::integral_constant<std::size_t, kItems>, std::bool_constant<kInclusive>, const T *__restrict in,
                 T *__restrict before, T *__restrict out, std::size_t slices, const Op &op) {
  for (std::size_t s = 0; s < slices; s += kChains) {
    T chains[kChains];
    for (std::size_t k = 0; k < kChains; ++k) {
      chains[k] = before[s + k];
    }
    for (std::size_t i = 0; i < kItems; ++i) {
      for (std::size_t k = 0; k < kChains; ++k) {
        const T next = op(chains[k], in[(s + k) * kItems + i]);
        out[(s + k) * kItems + i] = kInclusive ? next : chains[k];
        chains[k] = next;
      }
    }
    for (std::size_t k = 0; k < kChains; ++k) {
      before[s + k] = chains[k];
    }
  }
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
