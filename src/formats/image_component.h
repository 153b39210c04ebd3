// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How stored channels are read. Plain C that OpenCL C can include.
#ifndef UPSWEEP_FORMATS_IMAGE_COMPONENT_H
#define UPSWEEP_FORMATS_IMAGE_COMPONENT_H

/// Bits of a texel count from the lowest address on.
enum UpsweepComponent {
#define UPSWEEP_CHANNEL_TYPE(name, component, ...) UPSWEEP_##component,
#define UPSWEEP_PACKED_TYPE(name, component, ...) UPSWEEP_##component,
#include "formats/image_formats.def"
  UPSWEEP_SRGB8  ///< the fourth channel, if there is one, is linear
};

#endif
