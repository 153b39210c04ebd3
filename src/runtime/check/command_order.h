// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races between commands: two uses of a memory object, at least one a write, by commands that no event, queue order, barrier or
// wait of the host orders. "The results of modifying a shared resource in one command-queue while it is being used by another
// command-queue are undefined" (the specification's section on shared OpenCL objects).
#ifndef UPSWEEP_RUNTIME_CHECK_COMMAND_ORDER_H
#define UPSWEEP_RUNTIME_CHECK_COMMAND_ORDER_H

#include "runtime/commands/command.h"

namespace upsweep {

/// Whether commands are followed: with UPSWEEP_CHECK=race.
bool follows_commands();

/// A command is about to be scheduled: gives it its place in the order, and reports its races with earlier commands.
/// `waits_for_all`: it waits for all earlier commands of its queue; `blocks_later`: later commands wait for it.
void follow_command(Command &command, const WaitList &waits, bool waits_for_all, bool blocks_later);

/// The host knows that the event's command, or every command of the queue, has ended; later commands come after it.
void note_awaited(const Event &event);
void note_awaited(const Queue &queue);
/// A memory object or a queue goes.
void forget_uses(const MemoryObject &memory);
void forget_order(const Queue &queue);

}  // namespace upsweep
#endif
