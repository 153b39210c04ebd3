// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The capabilities of standard output: colour only on a terminal (and never with NO_COLOR), box characters only in UTF-8.
#ifndef UPSWEEP_CLI_TERMINAL_H
#define UPSWEEP_CLI_TERMINAL_H

#include <string>
#include <string_view>

namespace upsweep::cli {

enum class Colour { Plain, Dim, Bold, Good, Bad, Accent };

class Terminal {
public:
  static Terminal of_stdout();
  Terminal(bool colour, bool unicode) : colour_(colour), unicode_(unicode) {}

  [[nodiscard]] std::string paint(Colour colour, std::string_view text) const;
  // A horizontal bar of `cells` cells, filled to the share 0 … 1.
  [[nodiscard]] std::string bar(double share, int cells) const;
  [[nodiscard]] std::string rule(int cells) const;
  [[nodiscard]] bool unicode() const { return unicode_; }

private:
  bool colour_;
  bool unicode_;
};

}  // namespace upsweep::cli
#endif
