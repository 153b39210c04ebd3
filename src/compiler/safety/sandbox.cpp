// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Landlock restricts files, seccomp everything else; each works without the other.
#include "compiler/safety/sandbox.h"

#include "base/sanitizer.h"
#include "compiler/safety/call_filter.h"
#include "compiler/safety/landlock.h"

#include <sys/prctl.h>

#include <cerrno>
#include <cstring>
#include <ctime>

namespace upsweep::compiler {

SandboxSupport sandbox_support() {
  // The sanitizers' run-time libraries make additional system calls.
  return {landlock_version(), !kIsSanitized && can_filter_calls()};
}

std::string describe(const SandboxSupport &support) {
  return (support.landlock ? "Landlock version " + std::to_string(support.landlock) : std::string("no Landlock")) +
         (support.seccomp ? ", seccomp" : ", no seccomp");
}

Confinement confine(std::span<const std::string> folders) {
  tzset();  // reads /etc/localtime, which __TIME__ needs
  Confinement result;
  const SandboxSupport support = sandbox_support();
  // Otherwise a program with more rights could be started under our rules.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    result.failed = std::string("no_new_privs: ") + strerror(errno);
    return result;
  }
  if (support.landlock != 0 && restrict_files(support.landlock, folders))
    result.in_force.landlock = support.landlock;
  else if (support.landlock != 0)
    result.failed = std::string("Landlock: ") + strerror(errno);
  if (support.seccomp && filter_calls())
    result.in_force.seccomp = true;
  else if (support.seccomp)
    result.failed = std::string("seccomp: ") + strerror(errno);
  return result;
}

}  // namespace upsweep::compiler
