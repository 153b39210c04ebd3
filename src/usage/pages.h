// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that packages install for a command: manual pages, and completions for three shells.
#ifndef UPSWEEP_USAGE_PAGES_H
#define UPSWEEP_USAGE_PAGES_H

#include "usage/command.h"

namespace upsweep::usage {

// A status at which a command ends, and its meaning.
struct ExitStatus {
  int status;
  std::string meaning;
};

// A page in troff's language for `man`. A page of a command with verbs lists them, and names their pages.
std::string manual(const Command &command, std::string_view version, const std::vector<ExitStatus> &statuses,
                   const std::vector<std::string> &see_also);
// "upsweep-scan" of "upsweep scan"
std::string page_name(const Command &command);

std::string bash_completion(const Command &command);
std::string zsh_completion(const Command &command);
std::string fish_completion(const Command &command);

// An option's help up to a colon or semicolon behind its first word, for lists of completions.
std::string short_help(const std::string &help);

}  // namespace upsweep::usage
#endif
