// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scanned state is an optional total.
typedef ups_maybe ups_state;
ups_state ups_none(void) { return ups_nothing(); }
ups_state ups_combine(ups_state a, ups_state b) { return ups_apply_maybe(a, b); }
