// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chunks of UPS_WIDTH neighbouring elements, which a work-item reads and writes as a whole if their address is a multiple of
// their size. On GPUs few large accesses are faster than many small ones.
//
// UPS_CHUNK(NAME, TYPE, WORD, VECTOR) defines a chunk of TYPEs and its functions. A chunk is kept in WORDs, which take fewer
// registers than small elements. A WORD is one or several TYPEs; a VECTOR is one or several WORDs, and is read as a whole. The
// lead of a place is the number of elements between it and the aligned chunk that begins before it.
#ifdef UPS_WIDTH
#define UPS_CHUNK(NAME, TYPE, WORD, VECTOR)                                                                                    \
  typedef union {                                                                                                              \
    WORD words[UPS_WIDTH * sizeof(TYPE) / sizeof(WORD)];                                                                       \
    VECTOR vectors[UPS_WIDTH * sizeof(TYPE) / sizeof(VECTOR)];                                                                 \
  } NAME;                                                                                                                      \
  typedef union {                                                                                                              \
    WORD word;                                                                                                                 \
    TYPE elements[sizeof(WORD) / sizeof(TYPE)];                                                                                \
  } UPS_JOIN(NAME, _word);                                                                                                     \
  bool UPS_JOIN(NAME, _is_aligned)(global const TYPE *at) { return UPS_WIDTH == 1 || (ulong)at % sizeof(VECTOR) == 0; }        \
  uint UPS_JOIN(NAME, _lead)(global const TYPE *at) { return (ulong)at / sizeof(TYPE) % UPS_WIDTH; }                           \
  TYPE UPS_JOIN(NAME, _get)(const NAME *chunk, uint v) {                                                                       \
    UPS_JOIN(NAME, _word) part;                                                                                                \
    part.word = chunk->words[v / (sizeof(WORD) / sizeof(TYPE))];                                                               \
    return part.elements[v % (sizeof(WORD) / sizeof(TYPE))];                                                                   \
  }                                                                                                                            \
  void UPS_JOIN(NAME, _set)(NAME * chunk, uint v, TYPE x) {                                                                    \
    UPS_JOIN(NAME, _word) part;                                                                                                \
    part.word = chunk->words[v / (sizeof(WORD) / sizeof(TYPE))];                                                               \
    part.elements[v % (sizeof(WORD) / sizeof(TYPE))] = x;                                                                      \
    chunk->words[v / (sizeof(WORD) / sizeof(TYPE))] = part.word;                                                               \
  }                                                                                                                            \
  void UPS_JOIN(NAME, _load)(NAME * chunk, global const TYPE *from, uint count, bool is_whole) {                               \
    if (is_whole) {                                                                                                            \
      _Pragma("unroll") for (uint k = 0; k < sizeof(NAME) / sizeof(VECTOR); ++k) chunk->vectors[k] =                           \
          ((global const VECTOR *)from)[k];                                                                                    \
    } else {                                                                                                                   \
      _Pragma("unroll") for (uint v = 0; v < UPS_WIDTH; ++v) {                                                                 \
        if (v < count) UPS_JOIN(NAME, _set)(chunk, v, from[v]);                                                                \
      }                                                                                                                        \
    }                                                                                                                          \
  }                                                                                                                            \
  void UPS_JOIN(NAME, _store)(const NAME *chunk, global TYPE *to, uint count, bool is_whole) {                                 \
    if (is_whole) {                                                                                                            \
      _Pragma("unroll") for (uint k = 0; k < sizeof(NAME) / sizeof(VECTOR); ++k)((global VECTOR *)to)[k] = chunk->vectors[k];  \
    } else {                                                                                                                   \
      _Pragma("unroll") for (uint v = 0; v < UPS_WIDTH; ++v) {                                                                 \
        if (v < count) to[v] = UPS_JOIN(NAME, _get)(chunk, v);                                                                 \
      }                                                                                                                        \
    }                                                                                                                          \
  }
#endif
