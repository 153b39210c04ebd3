// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of UpsweepRaceRow beyond UpsweepRaceKind (check_abi.h): a compare-and-exchange, which writes only if it succeeds; and
// an access that cannot race, which calls no hook.
#ifndef UPSWEEP_BASE_RACE_ABI_H
#define UPSWEEP_BASE_RACE_ABI_H

#ifdef __cplusplus
extern "C" {
#endif

enum UpsweepExchangeKind {
  UPSWEEP_RACE_EXCHANGE = 8,       ///< before it
  UPSWEEP_RACE_EXCHANGE_DONE = 9,  ///< after it; the row's value is 1 if it wrote
};

enum UpsweepQuietKind { UPSWEEP_RACE_QUIET = 10 };

#ifdef __cplusplus
}
#endif
#endif
