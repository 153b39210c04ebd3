// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The places of a few keys in a stable sort: for each, the number of keys before it. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// ranks[i] becomes the place of keys[i] among the first n. Both arrays have room for whole vectors.
template <class Bits>
void rank_few(const Bits *keys, std::size_t n, Bits *ranks) {
  using Lanes = Vector<Bits>;
  constexpr std::size_t kStep = kLanes<Bits>;
  Lanes places;
  for (std::size_t lane = 0; lane < kStep; ++lane) {
    places[lane] = static_cast<Bits>(lane);
  }
  for (std::size_t i = 0; i < n; i += kStep, places += static_cast<Bits>(kStep)) {
    const Lanes own = load(keys + i);
    Lanes rank{};
    std::size_t j = 0;
    for (; j < i; ++j) {
      rank -= Lanes(Lanes{} + keys[j] <= own);
    }
    for (; j < std::min(n, i + kStep); ++j) {
      const Lanes other = Lanes{} + keys[j];
      rank -= Lanes((other < own) | ((other == own) & (places > Lanes{} + static_cast<Bits>(j))));
    }
    for (; j < n; ++j) {
      rank -= Lanes(Lanes{} + keys[j] < own);
    }
    store(ranks + i, rank);
  }
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
