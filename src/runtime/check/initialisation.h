// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's side of the check of initialisation: the shadow of buffers and allocations, and the stores of uninitialised values
// that the host may read. Functions do nothing unless kernels are checked for it.
#ifndef UPSWEEP_RUNTIME_CHECK_INITIALISATION_H
#define UPSWEEP_RUNTIME_CHECK_INITIALISATION_H

#include "runtime/check/finding.h"
#include <functional>

namespace upsweep {

/// A memory object's new memory. Memory with data of the application is initialised.
void begin_object(const void *memory, uint64_t bytes, bool has_data);
/// The memory is the C library's or the application's again.
void end_object(const void *memory, uint64_t bytes);

/// An allocation that the host may write at any time. Its shadow lives for one launch.
void add_host_memory(const void *memory, uint64_t bytes);
void remove_host_memory(const void *memory);
/// Before a launch.
void forget_shadows_of_host_memory();

/// Local memory of a work-group that begins.
void begin_local_memory(const void *memory, uint64_t bytes);

/// Whether bytes that were never written are among them.
[[nodiscard]] bool has_unwritten(const void *memory, uint64_t bytes);
void mark_written(const void *memory, uint64_t bytes);

/// A kernel stores an uninitialised value: address, width and ids. `describe` makes the finding at the first store of a site.
void note_stored(UpsweepCheckSite &site, const Finding &store, const std::function<Finding()> &describe);
/// The host reads these bytes: reports the stores that left uninitialised values in them.
void report_stored(const void *memory, uint64_t bytes);

}  // namespace upsweep
#endif
