// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All queries of a kernel for an image of type IMAGE; 0 for properties that the type lacks.
#if DIMENSIONS == 3
#define DIM get_image_dim(image)
#elif DIMENSIONS == 2
#define DIM (int4)(get_image_dim(image), 0, 0)
#else
#define DIM (int4)(0)
#endif

#if DIMENSIONS > 1
#define HEIGHT get_image_height(image)
#else
#define HEIGHT 0
#endif

#if DIMENSIONS > 2
#define DEPTH_OF_IMAGE get_image_depth(image)
#else
#define DEPTH_OF_IMAGE 0
#endif

#ifdef ARRAY
#define LAYERS (int)get_image_array_size(image)
#else
#define LAYERS 0
#endif

#define KERNEL(access)                                                                                                         \
  kernel void query_##access(access IMAGE image, global int *out) {                                                            \
    const int4 dim = DIM;                                                                                                      \
    const int answers[10] = {get_image_width(image),                                                                           \
                             HEIGHT,                                                                                           \
                             DEPTH_OF_IMAGE,                                                                                   \
                             LAYERS,                                                                                           \
                             dim.x,                                                                                            \
                             dim.y,                                                                                            \
                             dim.z,                                                                                            \
                             dim.w,                                                                                            \
                             get_image_channel_data_type(image),                                                               \
                             get_image_channel_order(image)};                                                                  \
    for (int k = 0; k < 10; ++k) out[get_global_id(0) * 10 + k] = answers[k];                                                  \
  }

KERNEL(read_only)
KERNEL(write_only)
KERNEL(read_write)
