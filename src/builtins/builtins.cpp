// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Embeds the linked libraries.
#include "builtins/builtins.h"

#define UPSWEEP_EMBED(name, file) \
  __asm__(".section .rodata\n" \
          ".p2align 6\n" name "_begin:\n" \
          ".incbin \"" file "\"\n" name "_end:\n" \
          ".byte 0\n" \
          ".previous\n")

UPSWEEP_EMBED("upsweep_builtins", UPSWEEP_BUILTINS);
UPSWEEP_EMBED("upsweep_builtins_nvptx", UPSWEEP_BUILTINS_NVPTX);

UPSWEEP_EMBED("upsweep_images", UPSWEEP_IMAGES "x86-64.o");
UPSWEEP_EMBED("upsweep_images_v2", UPSWEEP_IMAGES "x86-64-v2.o");
UPSWEEP_EMBED("upsweep_image_rows_v2", UPSWEEP_IMAGES "x86-64-v2.a");
UPSWEEP_EMBED("upsweep_images_v3", UPSWEEP_IMAGES "x86-64-v3.o");
UPSWEEP_EMBED("upsweep_image_rows_v3", UPSWEEP_IMAGES "x86-64-v3.a");
UPSWEEP_EMBED("upsweep_images_v4", UPSWEEP_IMAGES "x86-64-v4.o");
UPSWEEP_EMBED("upsweep_image_rows_v4", UPSWEEP_IMAGES "x86-64-v4.a");

extern "C" const char upsweep_builtins_begin[], upsweep_builtins_end[];
extern "C" const char upsweep_builtins_nvptx_begin[], upsweep_builtins_nvptx_end[];
extern "C" const char upsweep_images_begin[], upsweep_images_end[];
extern "C" const char upsweep_images_v2_begin[], upsweep_images_v2_end[];
extern "C" const char upsweep_image_rows_v2_begin[], upsweep_image_rows_v2_end[];
extern "C" const char upsweep_images_v3_begin[], upsweep_images_v3_end[];
extern "C" const char upsweep_image_rows_v3_begin[], upsweep_image_rows_v3_end[];
extern "C" const char upsweep_images_v4_begin[], upsweep_images_v4_end[];
extern "C" const char upsweep_image_rows_v4_begin[], upsweep_image_rows_v4_end[];

namespace upsweep {
namespace {

std::string_view between(const char *begin, const char *end) { return {begin, static_cast<std::size_t>(end - begin)}; }

} // namespace

std::string_view builtins_archive() { return between(upsweep_builtins_begin, upsweep_builtins_end); }

std::string_view nvptx_builtins_archive() { return between(upsweep_builtins_nvptx_begin, upsweep_builtins_nvptx_end); }

std::string_view image_functions() { return between(upsweep_images_begin, upsweep_images_end); }

std::string_view image_functions_for_lanes(unsigned level) {
  switch (level) {
  case 2: return between(upsweep_images_v2_begin, upsweep_images_v2_end);
  case 3: return between(upsweep_images_v3_begin, upsweep_images_v3_end);
  case 4: return between(upsweep_images_v4_begin, upsweep_images_v4_end);
  default: return {};
  }
}

std::string_view image_rows_archive(unsigned level) {
  switch (level) {
  case 2: return between(upsweep_image_rows_v2_begin, upsweep_image_rows_v2_end);
  case 3: return between(upsweep_image_rows_v3_begin, upsweep_image_rows_v3_end);
  case 4: return between(upsweep_image_rows_v4_begin, upsweep_image_rows_v4_end);
  default: return {};
  }
}

} // namespace upsweep
