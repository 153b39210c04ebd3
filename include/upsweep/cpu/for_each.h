// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parallel loop on an executor, for the work around the library's calls.
//
//     upsweep::cpu::for_each_piece(pool, pieces, [&](std::uint64_t piece) { ... });
//
// Calls work(piece) once for each of 0 to pieces - 1, on up to as many threads. An exception of `work` ends the loop and is
// thrown to the caller.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/detail/chunks.h>

namespace upsweep::cpu {

using detail::for_each_piece;

}  // namespace upsweep::cpu
#endif
