// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All kinds of random calls.
#ifndef UPSWEEP_TESTS_DISTRIBUTED_CALLS_H
#define UPSWEEP_TESTS_DISTRIBUTED_CALLS_H

#include "order_calls.h"
#include "scan_calls.h"
#include "select_calls.h"

namespace upsweep::distributed::test {

template <class C>
struct CallKind {
  const char *name;
  void (*call)(Drawn<C> &);
};

template <class C>
inline constexpr CallKind<C> kCallKinds[] = {
    {"scan", call_scan<C>},
    {"segmented scan", call_segmented_scan<C>},
    {"compensated sum", call_compensated_sum<C>},
    {"reproducible scan", call_reproducible_scan<C>},
    {"reduction", call_reduction<C>},
    {"selection", call_select<C>},
    {"unique", call_unique<C>},
    {"runs", call_runs<C>},
    {"histogram", call_histogram<C>},
    {"sort", call_sort<C>},
    {"sort of pairs", call_sort_pairs<C>},
    {"merge", call_merge<C>},
    {"top k", call_top_k<C>},
    {"rebalance", call_rebalance<C>},
};

// Makes the call with this seed, of a kind that follows from it. An exception names both.
template <class C>
void random_call(C &ranks, std::uint64_t seed) {
  const CallKind<C> &kind = kCallKinds<C>[seed % std::size(kCallKinds<C>)];
  try {
    Drawn<C> drawn(ranks, seed);
    kind.call(drawn);
  } catch (const rank_error &) {
    throw;
  } catch (const std::exception &error) {
    throw std::runtime_error("call " + std::to_string(seed) + ", a " + kind.name + " over " + std::to_string(ranks.size()) +
                             " ranks: " + error.what());
  }
}

}  // namespace upsweep::distributed::test

#endif
