// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items at the start of a work-group collect values that the others store in an array. Forms of loops, of the index's or
// pointer's steps, of accesses, and the place of the other work-items' code are combined at random.
#include "wait_kernel.h"

#include <algorithm>
#include <string>

namespace upsweep::fuzz {
namespace {

struct Form {
  const char *code;      ///< adds the m values f[first] to f[n - 1] to r
  bool is_once = false;  ///< reads no value again after it is set
  unsigned counts = 0;   ///< the only m that the code supports; 0: any
};

// `spare` is a value that does not affect the result; `yes` is true, which the compiler cannot know.
constexpr Form kForms[] = {
    {"for (uint j = first; j < n;) { int v = READ(f + j); if (v) { r += v; ++j; } }", true},
    {"for (uint j = first; j < n; ++j) { int v; while ((v = READ(f + j)) == 0) {} r += v; }", true},
    {"for (uint j = first; j < n; ++j) { int v; do v = READ(f + j); while (!v); r += v; }", true},
    {"for (uint j = n; j > first;) { int v = READ(f + j - 1); if (v) { r += v; --j; } }", true},
    {"for (uint j = first; j < n;) { int v = READ(f + j); r += v; j += v ? 1 : 0; }", true},
    {"for (uint j = first; j < n;) { int v = READ(f + j); r += v; j += min(v, 1); }", true},
    {"for (uint j = first;;) { if (j == n) break; int v = READ(f + j); if (!v) continue; r += v; ++j; }", true},
    {"uint j = first; again: { int v = READ(f + j); if (!v) goto again; r += v; if (++j < n) goto again; }", true},
    {"for (uint j = first; j < n;) switch (READ(f + j)) { case 0: break; default: r += j + 1; ++j; }", true},
    {"for (uint j = first; j < n;) { int v = READ(f + j); switch (v > 0 ? 1 + (v & 1) : 0) { case 2: spare += 1; case 1: r += "
     "v; "
     "++j; break; default: spare += 2; } }",
     true},
    {"volatile SPACE int *p = f + first, *end = f + n; while (p != end) { int v = READ(p); if (v) { r += v; ++p; } }", true},
    {"volatile SPACE int *p = f + first; while (p != f + n) { int v = READ(p); r += v; p += v != 0; }", true},
    {"for (uint j = first; j < n; ++j) { bool done = false; int v = 0; while (!done) { v = READ(f + j); if (v) done = true; } "
     "r += v; }",
     true},
    {"for (uint j = first; j < n;) { bool next = false; if (j & 1) { int v = READ(f + j); if (v) { r += v; next = true; } else "
     "{ "
     "spare ^= j; } } else { int v = READ(f + j); if (v) { r += v; spare += 2; next = true; } } if (next) ++j; }",
     true},
    {"for (uint j = first; j < n;) { bool next = false; if (yes) { if (READ(f + j)) { spare += 3; room[9000] = 1; next = true; "
     "} "
     "else { room[9001] = 1; spare += 5; } } if (next) r += ++j; }",
     true},
    {"for (uint j = first; j < n; ++j) { for (;;) { spare += j; if (READ(f + j)) { room[9002] = 1; if (yes) break; } } "
     "r += j + 1; }",
     true},
    {"for (uint j = first; j < n; ++j) { int way = 0; for (;;) { if (way == 2) break; if (READ(f + j)) way = yes ? 2 : 1; "
     "else way = 0; } r += j + 1; }",
     true},
    {"int s[4] = {0, 0, 0, 0}; for (uint j = first; j < n;) { s[(j + spare) & 3] = READ(f + j); if (s[(j + spare) & 3]) { "
     "r += s[(j + spare) & 3]; ++j; } }",
     true},
    {"int found; do { found = 0; r = 0; for (uint j = first; j < n; ++j) { int v = READ(f + j); r += v; found += v != 0; } } "
     "while (found < (int)m);"},
    {"for (uint k = 0; k < m;) { r = 0; for (k = 0; k < m; ++k) { int v = READ(f + first + k); if (!v) break; r += v; } }"},
    {"ulong seen[2] = {0, 0}; uint left = m; for (uint k = 0; left; ++k) { uint j = k % m; if (seen[j >> 6] >> (j & 63) & 1) "
     "continue; int v = READ(f + first + j); if (v) { r += v; --left; seen[j >> 6] |= 1ul << (j & 63); } }",
     true},
    {"ulong seen = 0; for (uchar k = 0; seen != 0xfffffffful; ++k) { uint j = k & 31; int v = READ(f + first + j); if (v) { "
     "if (!(seen >> j & 1)) r += v; seen |= 1ul << j; } }",
     false, 32},
    {"ulong seen = 0; for (uchar k = 0; seen != 0xfffffffful; k += 8) { uint j = k >> 3; int v = READ(f + first + j); if (v) { "
     "if (!(seen >> j & 1)) r += v; seen |= 1ul << j; } }",
     false, 32},
    {"ulong seen = 0; for (uint k = 0; seen != 0xfffffffful; ++k) { uint j = k << 27 >> 27; int v = READ(f + first + j); if "
     "(v) "
     "{ if (!(seen >> j & 1)) r += v; seen |= 1ul << j; } }",
     false, 32},
    {"ulong seen = 0; for (uint k = 0; seen != 0xfffffffful; ++k) { uint j = k * 0x08000000u >> 27; int v = READ(f + first + "
     "j); "
     "if (v) { if (!(seen >> j & 1)) r += v; seen |= 1ul << j; } }",
     false, 32},
    {"for (uint b = first; b < n; b += 2) { uint got = 0, side = 0; while (got != 3) { int v = got >> side & 1 ? 0 : "
     "READ(f + b + side); if (v) { r += v; got |= 1u << side; } side ^= 1; } }",
     true},
    {"for (uint b = first; b < n; b += 2) { uint got = 0, j = b; for (;;) { int v = got >> (j - b) & 1 ? 0 : READ(f + j); if "
     "(v) { "
     "r += v; got |= 1u << (j - b); if (got == 3) break; } if (j == b) { ++j; continue; } --j; } }",
     true},
    {"for (uint j = first; j < n;) { int v = 0; for (int t = 0; t < 10 && !v; ++t) v = READ(f + j); if (v) { r += v; ++j; } }",
     true},
    {"for (uint j = first; j < n; ++j) { int v; while (!NAME_look(f + j, &v)) {} r += v; }", true},
    {"uint j = first; int v = 0; if (lid & 1) goto middle; top: v = READ(f + j); middle: if (!v) goto top; r += v; v = 0; "
     "if (++j < n) goto top;",
     true},
    {"for (uint j = first; j < n; ++j) { int v = 0; for (uint turn = 0; !v; ++turn) { if (turn % 3 == 2) spare += turn; else "
     "v = READ(f + j); } r += v; }",
     true},
};

struct Access {
  const char *code;
  bool takes = false;  ///< leaves 0
};

constexpr Access kReads[] = {
    {"(*(p))"},
    {"atomic_load((volatile SPACE atomic_int *)(p))"},
    {"atomic_load_explicit((volatile SPACE atomic_int *)(p), memory_order_relaxed, memory_scope_device)"},
    {"atomic_load_explicit((volatile SPACE atomic_int *)(p), memory_order_acquire, memory_scope_work_group)"},
    {"atomic_or((p), 0)"},
    {"atomic_add((p), 0)"},
    {"atomic_sub((p), 0)"},
    {"atomic_and((p), -1)"},
    {"atomic_xor((p), 0)"},
    {"atomic_max((p), 0)"},
    {"atomic_min((p), 1 << 30)"},
    {"atomic_fetch_add_explicit((volatile SPACE atomic_int *)(p), 0, memory_order_acquire, memory_scope_device)"},
    {"atomic_cmpxchg((p), 0, 0)"},
    {"atomic_cmpxchg((p), -7, 5)"},
    {"atomic_cmpxchg((p), -1 - (turns ^= 1), 9)"},
    {"(was = atomic_cmpxchg((p), was, was))"},
    {"NAME_exchange(p)"},
    {"atomic_xchg((p), 0)", true},
    {"atomic_and((p), 0)", true},
    {"atomic_exchange_explicit((volatile SPACE atomic_int *)(p), 0, memory_order_acq_rel, memory_scope_device)", true},
};

constexpr const char *kStores[] = {
    "(*(p) = (x))",
    "atomic_store((volatile SPACE atomic_int *)(p), x)",
    "atomic_store_explicit((volatile SPACE atomic_int *)(p), x, memory_order_release, memory_scope_device)",
    "atomic_xchg((p), x)",
    "atomic_add((p), x)",
    "atomic_or((p), x)",
    "atomic_cmpxchg((p), 0, x)",
};

/// Before and behind the wait, where control is uniform.
constexpr const char *kMeetings[] = {
    "",
    "",
    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    "if (!sub_group_all(1)) r -= 1000;",
    "if (work_group_reduce_add(1) != (int)n) r -= 2000;",
    "if (work_group_scan_inclusive_add(1) != (int)lid + 1) r -= 3000;",
};

/// %w is the loop, %s the store, each under its condition.
constexpr const char *kPlaces[] = {
    "if (%S) %s if (%W) { %w }",
    "if (%W) { %w } else if (%S) %s",
    "if (%W) { %w } if (%S) %s",
    "if (!(%W)) { if (%S) %s } else { %w }",
    "for (int part = 0; part < 2; ++part) { if (part == 0 && (%W)) { %w } else if (part == 1 && (%S)) %s }",
};

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

struct Waiters {
  const char *condition;
  unsigned end;  ///< of their local ids
  bool (*waits)(unsigned);
};
constexpr Waiters kWaiters[] = {
    {"lid == 0", 1, [](unsigned id) { return id == 0; }},
    {"lid == 3", 4, [](unsigned id) { return id == 3; }},
    {"LINE", 1, [](unsigned id) { return id == 0; }},
    {"lid < 1", 1, [](unsigned id) { return id == 0; }},
    {"get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) < 1", 1, [](unsigned id) { return id == 0; }},
    {"lid < 4", 4, [](unsigned id) { return id < 4; }},
    {"lid < 32 && lid % 3 == 1", 32, [](unsigned id) { return id < 32 && id % 3 == 1; }},
    {"lid < 32", 32, [](unsigned id) { return id < 32; }},
    {"get_sub_group_id() < 32 / get_max_sub_group_size()", 32, [](unsigned id) { return id < 32; }},
};

constexpr const char *kNumbers[] = {
    "get_local_linear_id()",
    "(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)",
};

/// A work-group of `items` in three dimensions.
Sizes draw_box(Random &random, size_t items) {
  const auto divisor = [&](size_t of) {
    for (;;)
      if (const size_t found = 1 + pick(random, of); of % found == 0) return found;
  };
  const size_t width = divisor(items), height = divisor(items / width);
  return {width, height, items / width / height};
}

}  // namespace

WaitKernel make_poll(Random &random, const std::string &name) {
  const size_t waiting = pick(random, std::size(kWaiters));
  const Waiters &waiters = kWaiters[waiting];
  const bool is_alone = waiting < 5;
  const Form &form = pick_from(random, kForms);
  const Access *read = &pick_from(random, kReads);
  while (read->takes && !(is_alone && form.is_once)) read = &pick_from(random, kReads);
  // The others may be in the same sub-group, or only in later ones; their number is even.
  const unsigned least = (waiters.end + 1) / 2 * 2, first = pick(random, 2) ? least : 32;
  const unsigned sizes[] = {40, 64, 96};
  const unsigned n = form.counts ? first + form.counts : pick_from(random, sizes);
  const Shape shape{pick(random, 2) ? Sizes{n, 1, 1} : draw_box(random, n), 1 + pick(random, 3)};
  const bool is_line = shape.local[0] == n;
  const bool is_local = pick(random, 2) != 0;

  const size_t place = pick(random, std::size(kPlaces));
  std::string body = kPlaces[place];
  body = replaced(body, "%W", waiters.condition);
  body = replaced(body, "LINE", is_line ? "get_global_id(0) % n == 0" : "get_local_linear_id() % n == 0");
  body = replaced(body, "%S", "lid >= first");
  body = replaced(body, "%w", form.code);
  body = replaced(body, "%s", "STORE(f + lid, (int)lid + 1);");
  std::string source = "#define SPACE " + std::string(is_local ? "local" : "global") + "\n";
  source += "#define READ(p) " + std::string(read->code) + "\n";
  source += "#define STORE(p, x) " + std::string(pick_from(random, kStores)) + "\n";
  source += "int NAME_exchange(volatile SPACE int *p) { int e = 1 << 20; atomic_compare_exchange_strong((volatile SPACE "
            "atomic_int *)p, &e, 1 << 20); return e; }\n";
  source += "bool NAME_look(volatile SPACE int *p, int *v) { int was = 0, turns = 0; *v = READ(p); return *v != 0; }\n";
  source += "kernel void NAME(global int *out, volatile global int *room, volatile local int *here) {\n"
            "  const uint lid = " +
            std::string(is_line && pick(random, 2) ? "get_local_id(0)" : pick_from(random, kNumbers)) +
            ", n = get_local_size(0) * get_local_size(1) * get_local_size(2), first = " + std::to_string(first) +
            ", m = n - first;\n"
            "  const bool yes = get_global_size(0) * get_global_size(1) * get_global_size(2) >= n;\n"
            "  int r = 0, spare = 0, was = 0, turns = 0;\n";
  source += is_local ? "  volatile local int *f = here;\n  f[lid] = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                     : "  volatile global int *f = room + get_group_id(0) * n;\n";
  source += "  " + std::string(pick_from(random, kMeetings)) + "\n  " + body + "\n  " + pick_from(random, kMeetings) + "\n";
  source += "  out[get_group_id(0) * n + lid] = spare == 12345 && !yes ? spare + was + turns : r;\n}\n#undef SPACE\n#undef "
            "READ\n#undef "
            "STORE\n";

  const int sum = static_cast<int>(n * (n + 1) / 2 - first * (first + 1) / 2);
  auto check = [n, sum, waits = waiters.waits](std::span<const int> out, std::span<const int>) -> std::string {
    for (size_t i = 0; i < out.size(); ++i) {
      const int wanted = waits(static_cast<unsigned>(i % n)) ? sum : 0;
      if (out[i] != wanted)
        return "differs: work-item " + std::to_string(i) + " has " + std::to_string(out[i]) + ", not " + std::to_string(wanted);
    }
    return {};
  };
  // A thread may poll for its own warp where the other threads have stored before it polls.
  const bool has_stored = place == 0;
  return {replaced(source, "NAME", name), shape, check, first >= 32 || has_stored};
}

}  // namespace upsweep::fuzz
