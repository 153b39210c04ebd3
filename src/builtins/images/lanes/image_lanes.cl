// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of texels by the lanes of a sub-group: __ups_read_f_2d_lanes8(image, sampler bits, frame, set of active lanes); writes
// have no sampler. Image and sampler are the same for all lanes, so branches on them are uniform. Results are valid in active lanes;
// coordinates of other lanes may be garbage.
#include "images/lanes/filter.h"
#include "images/lanes/stores.h"
#include "images/shapes.h"

#define OF_LANES(name) CAT3(name, _lanes, LANES)

// If 32 bits cannot address all texels of a layer: one lane after another, by the functions for single work-items.
#define ELEMENT(T, vector) (((T *)&(vector))[lane])
#define ELEMENTS_1(T) ELEMENT(T, io->in[0])
#define ELEMENTS_2(T) ELEMENTS_1(T), ELEMENT(T, io->in[1])
#define ELEMENTS_3(T) ELEMENTS_2(T), ELEMENT(T, io->in[2])
#define FOR_EACH_LANE(set) for (uint left = set, lane; left && (lane = (uint)__builtin_ctz(left), true); left &= left - 1)
#define READ_EACH(T, E, call) \
  FOR_EACH_LANE(set) { \
    const T c = call; \
    ELEMENT(E, io->colour[0]) = c.x; \
    ELEMENT(E, io->colour[1]) = c.y; \
    ELEMENT(E, io->colour[2]) = c.z; \
    ELEMENT(E, io->colour[3]) = c.w; \
  } \
  if (form) put_side_by_side(io->colour, io->colour);

/// Texels (i, j, k) of a level.
#define READ_TEXELS(kind, read) \
  INLINE void read_texels_##kind(image_ptr image, struct level l, bool has_border, I i, I j, I k, int dimensions, uint set, \
                                 uint form, union lanes colour[4]) { \
    const I is_in = has_border ? is_inside(l, i, j, k, dimensions) : (I)-1; \
    const uint inside = has_border ? bits_of(is_in) : ALL_LANES; \
    const U offset = offset_of(image, l, i, j, k, dimensions) & as_u(is_in); \
    const uint how = form | (can_read_row(image, l, offset, inside, set) ? IN_ROW : 0); \
    read(image, l.data, offset, inside, how, colour); \
  }
READ_TEXELS(f, read_floats)
READ_TEXELS(i, read_integers)

#define SECOND(member, D) ((D) > 1 ? io->in[1].member : 0)
#define THIRD(member, D) ((D) > 2 ? io->in[2].member : 0)

#define AT_LEVEL(kind) \
  INLINE void read_##kind(image_ptr image, struct level l, ulong sampler, const struct frame *io, int D, uint set, uint form, \
                          union lanes colour[4]) { \
    I i = io->in[0].i, j = SECOND(i, D), k = THIRD(i, D); \
    const bool clamps = ADDRESS_MODE(sampler) == UPSWEEP_SAMPLER_CLAMP_TO_EDGE; \
    if (clamps) { \
      i = BETWEEN(i, 0, l.width - 1); \
      j = BETWEEN(j, 0, l.height - 1); \
      k = BETWEEN(k, 0, l.depth - 1); \
    } \
    read_texels_##kind(image, l, !clamps, i, j, k, D, set, form, colour); \
  } \
  INLINE void nearest_##kind(image_ptr image, struct level l, ulong sampler, const struct frame *io, int D, uint set, uint form, \
                          union lanes colour[4]) { \
    const I i = nearest(sampler, io->in[0].f, l.width), j = D > 1 ? nearest(sampler, SECOND(f, D), l.height) : (I)0, \
            k = D > 2 ? nearest(sampler, THIRD(f, D), l.depth) : (I)0; \
    read_texels_##kind(image, l, ADDRESS_MODE(sampler) == UPSWEEP_SAMPLER_CLAMP, i, j, k, D, set, form, colour); \
  }
AT_LEVEL(f)
AT_LEVEL(i)
#define sample_i nearest_i
INLINE void sample_f(image_ptr image, struct level l, ulong sampler, const struct frame *io, int D, uint set, uint form,
                          union lanes colour[4]) {
  if (IS_LINEAR(sampler))
    read_linear(image, l, sampler, io->in[0].f, SECOND(f, D), THIRD(f, D), D, form, colour);
  else
    nearest_f(image, l, sampler, io, D, set, form, colour);
}

INLINE void merge(union lanes colour[4], const union lanes of_some[4], uint set) {
  const I some = lanes_of(set);
  EACH_OF(k, 4) colour[k].i = some ? of_some[k].i : colour[k].i;
}

/// A level, and for an array the lanes' layers.
#define READ_LAYERS(is_array, layers, function, image, l, sampler, io, D, set, form, colour) \
  if (is_array) { \
    FOR_EACH_VALUE(layer, in_layer, layers, set, { \
      struct level of_layer = l; \
      of_layer.data += (ulong)layer * of_layer.slice_pitch; \
      union lanes part[4]; \
      function(image, of_layer, sampler, io, D, in_layer, 0, part); \
      merge(colour, part, in_layer); \
    }) \
    if (form) put_side_by_side(colour, colour); \
  } else { \
    function(image, l, sampler, io, D, set, form, colour); \
  }
INLINE I layers_of_floats(image_ptr image, F layer) {
  return TO_INT(within(__builtin_elementwise_roundeven(layer), 0.0f, (float)(image->layers - 1)));
}

#define READS(shape, D, is_array, N, kind, T, E) \
  void OF_LANES(__ups_read_##kind##_##shape)(image_ptr image, ulong sampler, struct frame *io, uint lanes) { \
    const uint set = lanes & ALL_LANES, form = lanes & SIDE_BY_SIDE; \
    const struct level l = level_of(image, 0); \
    if (!is_near(l)) { \
      READ_EACH(T, E, __ups_read_##kind##_##shape(image, sampler, ELEMENTS_##N(int))) \
      return; \
    } \
    READ_LAYERS(is_array, BETWEEN(io->in[N - 1].i, 0, (int)image->layers - 1), read_##kind, image, l, sampler, io, D, set, form, io->colour) \
  } \
  void OF_LANES(__ups_sample_##kind##_##shape)(image_ptr image, ulong sampler, struct frame *io, uint lanes) { \
    const uint set = lanes & ALL_LANES, form = lanes & SIDE_BY_SIDE; \
    const struct level l = level_of(image, 0); \
    if (!is_near(l)) { \
      READ_EACH(T, E, __ups_sample_##kind##_##shape(image, sampler, ELEMENTS_##N(float))) \
      return; \
    } \
    READ_LAYERS(is_array, layers_of_floats(image, io->in[N - 1].f), sample_##kind, image, l, sampler, io, D, set, form, io->colour) \
  }
FOR_SHAPES(READS, f, float4, float)
FOR_SHAPES(READS, i, int4, int)

// Levels of detail
#define MIXES_LEVELS(sampler) (((sampler) & UPSWEEP_SAMPLER_MIP_LINEAR) != 0)
#define HAS_BOUNDS(sampler) (((sampler) & UPSWEEP_SAMPLER_MIP_GIVEN) != 0)

INLINE F bounded(image_ptr image, ulong sampler, F lod) {
  if (HAS_BOUNDS(sampler)) {
    const F low = half_to_float((U)(uint)(sampler >> UPSWEEP_SAMPLER_LOD_MIN_SHIFT & 0xffff));
    const F high = half_to_float((U)(uint)(sampler >> UPSWEEP_SAMPLER_LOD_MAX_SHIFT & 0xffff));
    lod = within(lod, low.s0, high.s0);
  }
  return within(lod, 0.0f, (float)(image->levels - 1));
}
INLINE I nearest_level(F lod) { return lod > 0.5f ? TO_INT(__builtin_elementwise_ceil(lod + 0.5f)) - 1 : (I)0; }

#define READ_LEVELS(numbers, is_array, N, function, D, result) \
  FOR_EACH_VALUE(number, on_level, numbers, set, { \
    const struct level l = level_of(image, (uint)number); \
    union lanes of_level[4]; \
    READ_LAYERS(is_array, layers_of_floats(image, io->in[N - 1].f), function, image, l, sampler, io, D, on_level, 0, of_level) \
    merge(result, of_level, on_level); \
  })
#define LEVELS_I(shape, D, is_array, N, ...) \
  void OF_LANES(__ups_level_i_##shape)(image_ptr image, ulong sampler, struct frame *io, uint lanes) { \
    const uint set = lanes & ALL_LANES, form = lanes & SIDE_BY_SIDE; \
    if (!is_near(level_of(image, 0))) { \
      READ_EACH(int4, int, __ups_level_i_##shape(image, sampler, ELEMENTS_##N(float), ELEMENT(float, io->in[N]))) \
      return; \
    } \
    READ_LEVELS(nearest_level(bounded(image, sampler, io->in[N].f)), is_array, N, nearest_i, D, io->colour) \
    if (form) put_side_by_side(io->colour, io->colour); \
  }
#define LEVELS_F(shape, D, is_array, N, ...) \
  PART void levels_f_##shape(image_ptr image, ulong sampler, const struct frame *io, uint set, I numbers, union lanes colour[4]) { \
    READ_LEVELS(numbers, is_array, N, sample_f, D, colour) \
  } \
  void OF_LANES(__ups_level_f_##shape)(image_ptr image, ulong sampler, struct frame *io, uint lanes) { \
    const uint set = lanes & ALL_LANES, form = lanes & SIDE_BY_SIDE; \
    if (!is_near(level_of(image, 0))) { \
      READ_EACH(float4, float, __ups_level_f_##shape(image, sampler, ELEMENTS_##N(float), ELEMENT(float, io->in[N]))) \
      return; \
    } \
    const F lod = bounded(image, sampler, io->in[N].f); \
    if (!MIXES_LEVELS(sampler)) { \
      levels_f_##shape(image, sampler, io, set, nearest_level(lod), io->colour); \
    } else { \
      union lanes low[4], high[4]; \
      const F below = FLOOR(lod), weight = lod - below; \
      levels_f_##shape(image, sampler, io, set, TO_INT(below), low); \
      levels_f_##shape(image, sampler, io, set, TO_INT(__builtin_elementwise_ceil(lod)), high); \
      EACH_OF(k, 4) io->colour[k].f = low[k].f * (1.0f - weight) + high[k].f * weight; \
    } \
    if (form) put_side_by_side(io->colour, io->colour); \
  }
FOR_SHAPES(LEVELS_I, )
FOR_SHAPES(LEVELS_F, )

// Writes
#define WRITTEN(kind) \
  PART void write_texels_##kind(image_ptr image, ulong base, U offset, uint set, uint form, const union lanes colour[4]) { \
    write_##kind##_at(image, base, offset, set, form, colour); \
  } \
  INLINE void write_##kind(image_ptr image, struct level l, const struct frame *io, uint set, uint form, int D) { \
    const I i = io->in[0].i, j = SECOND(i, D), k = THIRD(i, D); \
    set &= bits_of(is_inside(l, i, j, k, D)); \
    if (set) write_texels_##kind(image, l.data, offset_of(image, l, i, j, k, D), set, form, io->colour); \
  }
WRITTEN(f)
WRITTEN(i)

#define WRITE_LAYERS(is_array, N, kind, l, D, set) \
  if (is_array) { \
    const I layers = io->in[N - 1].i; \
    const uint in_image = bits_of(IN(layers, image->layers)) & set; \
    FOR_EACH_VALUE(layer, in_layer, layers, in_image, { \
      struct level of_layer = l; \
      of_layer.data += (ulong)layer * of_layer.slice_pitch; \
      write_##kind(image, of_layer, io, in_layer, form, D); \
    }) \
  } else { \
    write_##kind(image, l, io, set, form, D); \
  }
#define WRITES(shape, D, is_array, N, kind, T, E) \
  void OF_LANES(__ups_write_##kind##_##shape)(image_ptr image, struct frame *io, uint lanes) { \
    const uint set = lanes & ALL_LANES, form = lanes & SIDE_BY_SIDE; \
    const struct level whole = level_of(image, 0); \
    if (!is_near(whole)) { \
      FOR_EACH_LANE(set) { \
        __ups_write_##kind##_##shape(image, ELEMENTS_##N(int), ELEMENT(uint, io->in[N]), \
                                     form ? ((const T *)io->colour)[lane] \
                                          : (T)(ELEMENT(E, io->colour[0]), ELEMENT(E, io->colour[1]), \
                                                ELEMENT(E, io->colour[2]), ELEMENT(E, io->colour[3]))); \
      } \
    } else if (has_all(io->in[N].i == 0, set)) { \
      WRITE_LAYERS(is_array, N, kind, whole, D, set) \
    } else { \
      FOR_EACH_VALUE(number, on_level, io->in[N].i, set, { \
        const struct level l = level_of(image, (uint)number); \
        WRITE_LAYERS(is_array, N, kind, l, D, on_level) \
      }) \
    } \
  }
FOR_SHAPES(WRITES, f, float4, float)
FOR_SHAPES(WRITES, i, int4, int)
