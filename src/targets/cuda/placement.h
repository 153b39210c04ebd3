// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Placement: where a GPU runs a command, depending on its body. All decisions about streams are made here.
#ifndef UPSWEEP_TARGETS_CUDA_PLACEMENT_H
#define UPSWEEP_TARGETS_CUDA_PLACEMENT_H

#include "runtime/commands/command_body.h"

namespace upsweep {

/// |                                        | follows | needs stream              | is quick |
/// |----------------------------------------|---------|---------------------------|----------|
/// | kernels, graphs, markers and barriers  | yes     | yes                       |          |
/// | writes, fills and copies of objects or the GPU's USM | yes | yes             |          |
/// | reads                                  | yes     | if the GPU has the object | no       |
/// | hints about the GPU's USM              | yes     | yes                       |          |
/// | mappings to be read (see placement_of)       | yes     | no                        | no       |
/// | unmappings                             | yes     | no                        | yes      |
/// | other mappings, migrations, SVM copies | no      | no                        | no       |
/// | functions of the host                  | no      | no                        | no       |
/// | kernels that enqueue others            | no      | no                        | no       |
struct Placement {
  bool follows = false;       ///< a stream can run it after unfinished commands
  bool needs_stream = false;  ///< a stream runs it even without unfinished commands
  bool is_quick = false;      ///< it needs neither host time nor a wait

  bool goes_on_stream(bool follows_some) const { return follows_some ? follows : needs_stream; }
  friend bool operator==(const Placement &, const Placement &) = default;
};

/// A mapping for reading uses a stream if no thread has to wait for the copy to the host: short copies, and copies to memory
/// that the CUDA driver knows.
Placement placement_of(const CommandBody &body, const Target &target);

}  // namespace upsweep
#endif
