// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stb_image and stb_image_write, restricted to the parts in use: PNG and JPEG, in memory. Readers of other formats had bugs
// that malicious files could exploit.
#ifndef UPSWEEP_CLI_STB_H
#define UPSWEEP_CLI_STB_H

#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_FAILURE_USERMSG
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#endif
