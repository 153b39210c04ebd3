// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules and numbers from the kernel's Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h.
#include "compiler/safety/landlock.h"

#include "compiler/client/unique_fd.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace upsweep::compiler {
namespace {

/// The same numbers on all architectures.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr unsigned kAskVersion = 1;
constexpr unsigned kPathBeneath = 1;

constexpr uint64_t kReadFile = 1 << 2, kReadFolder = 1 << 3;
constexpr uint64_t kFirstVersionRights = (1 << 13) - 1;  // execute, write, read, and ten kinds of making and removing
constexpr uint64_t kRefer = 1 << 13;                     // version 2: links and renames between folders
constexpr uint64_t kTruncate = 1 << 14;                  // version 3
constexpr uint64_t kControlDevices = 1 << 15;            // version 5
constexpr uint64_t kBindAndConnect = 3;                  // version 4: TCP
constexpr uint64_t kAbstractSocketsAndSignals = 3;       // version 6

/// The size tells the kernel how much to read; older kernels reject unknown members.
struct RulesetAttributes {
  uint64_t files, network, scopes;
};

struct [[gnu::packed]] PathBeneath {
  uint64_t rights;
  int32_t folder;
};

}  // namespace

int landlock_version() {
  const long version = syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool restrict_files(int version, std::span<const std::string> folders) {
  RulesetAttributes attributes = {kFirstVersionRights, 0, 0};
  if (version >= 2) attributes.files |= kRefer;
  if (version >= 3) attributes.files |= kTruncate;
  if (version >= 4) attributes.network = kBindAndConnect;
  if (version >= 5) attributes.files |= kControlDevices;
  if (version >= 6) attributes.scopes = kAbstractSocketsAndSignals;
  const size_t bytes = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const UniqueFd rules(static_cast<int>(syscall(kCreateRuleset, &attributes, bytes, 0)));
  if (!rules) return false;
  for (const std::string &path : folders) {
    const UniqueFd folder(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder) continue;  // it no longer exists, or the user could never enter it
    const PathBeneath rule = {kReadFile | kReadFolder, folder.get()};
    if (syscall(kAddRule, rules.get(), kPathBeneath, &rule, 0) != 0) return false;
  }
  return syscall(kRestrictSelf, rules.get(), 0) == 0;
}

}  // namespace upsweep::compiler
