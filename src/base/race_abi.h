// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of UpsweepRaceRow beyond UpsweepRaceKind (check_abi.h): a compare-and-exchange, which writes only if it succeeds; and
// an access that cannot race, which calls no hook.
#ifndef UPSWEEP_BASE_RACE_ABI_H
#define UPSWEEP_BASE_RACE_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum UpsweepExchangeKind {
  UPSWEEP_RACE_EXCHANGE = 8,       ///< before it
  UPSWEEP_RACE_EXCHANGE_DONE = 9,  ///< after it; the row's value is 1 if it wrote
};

enum UpsweepQuietKind { UPSWEEP_RACE_QUIET = 10 };

/// An async copy of adjacent bytes, as one access: before it, in the row's `width` bytes.
enum UpsweepCopyKind { UPSWEEP_RACE_WHOLE_COPY = 11 };

/// A row of accesses of whole words of local memory, by all lanes of a unit.
enum UpsweepLocalShape {
  UPSWEEP_LOCAL_WORDS = 0,       ///< the first bit of the number of words of a lane
  UPSWEEP_LOCAL_LANES = 8,       ///< the first bit of the number of lanes
  UPSWEEP_LOCAL_SAME = 1 << 16,  ///< all lanes access the first lane's words, which they read
  UPSWEEP_LOCAL_WRITES = 1 << 17
};

/// The race check's shadow of local memory, by words of 4 bytes, with as many words of padding as a row has. An entry grows
/// with the time of its access. A read of a word whose writer is below `old` and whose second reader is not below `read` has no
/// conflict, and changes nothing.
struct UpsweepLocalShadow {
  const int32_t *writers;
  const int32_t *others;  ///< second readers
  uint64_t num_words;     ///< 0: the hook follows each access
  int32_t old;
  int32_t read;
  /// Follows a row from a word on; `item`: linear local id of lane 0, `site`: the site's number. 0: the hook must follow it.
  uint32_t (*follow)(const struct UpsweepLocalShadow *shadow, uint64_t word, uint32_t item, uint32_t site, uint32_t shape);
  void *owner;
};

#ifdef __cplusplus
}
#endif
#endif
