// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments as head flags: a head starts a new segment. A segmented scan is a plain scan of pairs (value, head), whose operator
// drops the total before a head; it is associative but does not commute. The calls by key, by flag and of segments (scan.h)
// are faster; this is for your own operators.
// Source: Schwartz 1980 and Blelloch 1990, "Prefix Sums and Their Applications", section 1.5.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/segment.h>

namespace upsweep::cpu {

using common::flagged, common::segmented;

}  // namespace upsweep::cpu
#endif
