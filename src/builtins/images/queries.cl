// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_image_* (specification: "Built-in Image Query Functions").
#include "images/image.h"

#define QUERY(access, type, R, name, expression) \
  SMALL R name(access type of) { \
    image_ptr image = described(of); \
    return expression; \
  }
#define QUERIES(type, R, name, expression) \
  QUERY(read_only, type, R, name, expression) QUERY(write_only, type, R, name, expression) \
  QUERY(read_write, type, R, name, expression)

#define OF_ALL(name, type, D, W, ...) \
  QUERIES(type, int, get_image_width, (int)image->width) \
  QUERIES(type, int, get_image_channel_data_type, (int)image->channel_type) \
  QUERIES(type, int, get_image_channel_order, (int)image->channel_order) \
  QUERIES_OF_##D(type)
#define QUERIES_OF_1(type)
#define QUERIES_OF_2(type) \
  QUERIES(type, int, get_image_height, (int)image->height) \
  QUERIES(type, int2, get_image_dim, (int2)((int)image->width, (int)image->height))
#define QUERIES_OF_3(type) \
  QUERIES(type, int, get_image_height, (int)image->height) \
  QUERIES(type, int, get_image_depth, (int)image->depth) \
  QUERIES(type, int4, get_image_dim, (int4)((int)image->width, (int)image->height, (int)image->depth, 0))
FOR_IMAGES(OF_ALL)

#define OF_ARRAYS(type) QUERIES(type, size_t, get_image_array_size, image->layers)
OF_ARRAYS(image1d_array_t)
OF_ARRAYS(image2d_array_t)
OF_ARRAYS(image2d_array_depth_t)

// cl_khr_mipmap_image
#define OF_LEVELS(name, type, D, W, ...) QUERIES(type, int, get_image_num_mip_levels, (int)image->levels)
FOR_COLOUR_IMAGES(OF_LEVELS)
FOR_DEPTH_IMAGES(OF_LEVELS)
