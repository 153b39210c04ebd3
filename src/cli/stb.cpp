// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of the header-only stb_image and stb_image_write, which picture.cpp calls.
#include "cli/stb.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
