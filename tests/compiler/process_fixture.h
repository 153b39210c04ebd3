// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children with compiler servers of their own.
#ifndef UPSWEEP_TESTS_COMPILER_PROCESS_FIXTURE_H
#define UPSWEEP_TESTS_COMPILER_PROCESS_FIXTURE_H

#include "fixture.h"

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace upsweep::compiler::test {

/// Live processes of `upsweepc --server`, its children included, that belong to the test, by a mark in their environment.
std::vector<pid_t> servers_with_mark(const std::string &mark);

/// The processes among them that build: neither the server nor its process that evicts from the cache.
std::vector<pid_t> builds_with_mark(const std::string &mark);

/// Half a minute at most, for a busy machine.
bool eventually(const std::function<bool()> &holds);

/// A child process with its own server, marked so that it can be found. The child's exit status.
int in_child(const std::string &mark, const std::function<int()> &body);

/// A source that the cache does not know.
std::string fresh_source(const std::string &extra = "");

/// A source that takes longer than the time limit: constant evaluation that stays below Clang's own limit of steps, but there
/// is much of it; it needs no memory. In C++ for OpenCL.
std::string endless();

}  // namespace upsweep::compiler::test
#endif
