// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children with their own compiler servers.
#ifndef UPSWEEP_TESTS_COMPILER_PROCESS_FIXTURE_H
#define UPSWEEP_TESTS_COMPILER_PROCESS_FIXTURE_H

#include "fixture.h"

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace upsweep::compiler::test {

/// Live processes of `upsweepc --server` that belong to the test, with their children. A mark in the environment identifies
/// them.
std::vector<pid_t> servers_with_mark(const std::string &mark);

/// Only the processes that build: without the server, and without its process that evicts from the cache.
std::vector<pid_t> builds_with_mark(const std::string &mark);

/// Waits for half a minute at most, for a busy machine.
bool eventually(const std::function<bool()> &holds);

/// Runs `body` in a child process, whose server has the mark. Returns the child's exit status.
int in_child(const std::string &mark, const std::function<int()> &body);

/// A source that is not in the cache.
std::string fresh_source(const std::string &extra = "");

/// A source that takes longer than the time limit, but no memory: long constant evaluation that stays below Clang's own limit
/// of steps. It is C++ for OpenCL.
std::string endless();

}  // namespace upsweep::compiler::test
#endif
