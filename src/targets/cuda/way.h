// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Way: how a GPU carries a command out, by its body. What goes on streams is decided here alone.
#ifndef UPSWEEP_TARGETS_CUDA_WAY_H
#define UPSWEEP_TARGETS_CUDA_WAY_H

#include "runtime/commands/command_body.h"

namespace upsweep {

/// |                                        | follows | needs stream              | is quick |
/// |----------------------------------------|---------|---------------------------|----------|
/// | kernels, markers and barriers          | yes     | yes                       |          |
/// | writes, fills and copies of objects    | yes     | yes                       |          |
/// | reads                                  | yes     | if the GPU has the object | no       |
/// | mappings to be read (see way_of)       | yes     | no                        | no       |
/// | unmappings                             | yes     | no                        | yes      |
/// | other mappings, migrations, SVM copies | no      | no                        | no       |
/// | functions of the host                  | no      | no                        | no       |
/// | kernels that enqueue others            | no      | no                        | no       |
struct Way {
  bool follows = false;       ///< a stream can carry it out behind commands that are not done
  bool needs_stream = false;  ///< a stream carries it out even if there are none
  bool is_quick = false;      ///< the host needs no time for it and waits for nothing

  bool goes_on_stream(bool follows_some) const { return follows_some ? follows : needs_stream; }
  friend bool operator==(const Way &, const Way &) = default;
};

/// A mapping to be read goes on a stream if no thread has to wait for the copy to the host: of few bytes, or in memory that the
/// CUDA driver knows.
Way way_of(const CommandBody &body, const Target &target);

}  // namespace upsweep
#endif
