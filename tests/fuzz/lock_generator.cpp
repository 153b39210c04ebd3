// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items of several work-groups add to numbers, each under a lock, or insert into shared structures. Forms of locks and of
// the loops around them, and sets of contending work-items, are combined at random.
#include "wait_kernel.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::fuzz {
namespace {

// Places in shared memory; local memory has the same layout.
constexpr int kLocks = 0, kNumbers = 64, kServed = 128, kKeys = 192, kValues = 448;

/// `k`, `a` and `b` are numbers of locks.
struct Form {
  const char *code;
  /// Failed attempts undo each other, so threads that run in lockstep may repeat them endlessly.
  bool may_livelock = false;
};
constexpr Form kForms[] = {
    {"while (!TRY(k)) {} WORK(k) FREE(k);"},
    {"for (bool done = false; !done;) if (TRY(k)) { WORK(k) FREE(k); done = true; }"},
    {"for (;;) if (TRY(k)) { WORK(k) FREE(k); break; }"},
    {"bool got; do { got = TRY(k); if (got) { WORK(k) FREE(k); } } while (!got);"},
    {"for (;;) { if (s[LOCKS + k] == 0 && TRY(k)) break; } WORK(k) FREE(k);"},
    {"int tries = 0; while (!TRY(k)) ++tries; WORK(k) FREE(k); spare += tries;"},
    {"again: if (!TRY(k)) goto again; WORK(k) FREE(k);"},
    {"NAME_lock(s, k); WORK(k) FREE(k);"},
    {"bool got = false; while (!got) { for (int t = 0; t < 5 && !got; ++t) got = TRY(k); } WORK(k) FREE(k);"},
    {"const int low = min(a, b), high = max(a, b); while (!TRY(low)) {} while (!TRY(high)) {} WORK(k) FREE(high); FREE(low);"},
    {"for (bool done = false; !done;) if (TRY(a)) { if (TRY(b)) { WORK(k) done = true; FREE(b); } FREE(a); }", true},
    {"const int t = atomic_inc(s + LOCKS + k); while (LOOK(s + SERVED + k) != t) {} WORK(k) NEXT(s + SERVED + k);"},
    {"const int t = atomic_inc(s + LOCKS + k); for (bool done = false; !done;) if (LOOK(s + SERVED + k) == t) { WORK(k) "
     "NEXT(s + SERVED + k); done = true; }"},
    {"while (atomic_inc(s + LOCKS + k) >= 1) atomic_dec(s + LOCKS + k); WORK(k) atomic_dec(s + LOCKS + k);", true},
    {"while (atomic_inc(s + LOCKS + k) != 0) {} WORK(k) atomic_xchg(s + LOCKS + k, 0);"},
    // Updates without a lock.
    {"int old = s[NUMBERS + k], was; do { was = old; old = atomic_cmpxchg(s + NUMBERS + k, was, was + ADDED); } while (old != "
     "was);"},
    {"int old, was; do { was = s[NUMBERS + k]; old = atomic_cmpxchg(s + NUMBERS + k, was, was + ADDED); } while (old != was);"},
};

struct LockKind {
  const char *attempt;
  std::vector<const char *> releases;
  bool may_livelock = false;
};
const LockKind kKinds[] = {
    {"(atomic_cmpxchg(s + LOCKS + (i), 0, 1) == 0)",
     {"atomic_xchg(s + LOCKS + (i), 0)", "(s[LOCKS + (i)] = 0)", "atomic_cmpxchg(s + LOCKS + (i), 1, 0)",
      "atomic_store_explicit((volatile SPACE atomic_int *)(s + LOCKS + (i)), 0, memory_order_release, memory_scope_device)"}},
    {"(atomic_xchg(s + LOCKS + (i), 1) == 0)", {"atomic_xchg(s + LOCKS + (i), 0)", "atomic_and(s + LOCKS + (i), 0)"}},
    {"(atomic_or(s + LOCKS + (i), 1) == 0)", {"atomic_dec(s + LOCKS + (i))", "(s[LOCKS + (i)] = 0)"}},
    {"!atomic_flag_test_and_set((volatile SPACE atomic_flag *)(s + LOCKS + (i)))",
     {"atomic_flag_clear((volatile SPACE atomic_flag *)(s + LOCKS + (i)))"}},
    {"!atomic_flag_test_and_set_explicit((volatile SPACE atomic_flag *)(s + LOCKS + (i)), memory_order_acquire, "
     "memory_scope_device)",
     {"atomic_flag_clear_explicit((volatile SPACE atomic_flag *)(s + LOCKS + (i)), memory_order_release, "
      "memory_scope_device)"}},
    {"NAME_strong(s + LOCKS + (i))", {"atomic_store((volatile SPACE atomic_int *)(s + LOCKS + (i)), 0)"}},
    {"NAME_weak(s + LOCKS + (i))", {"atomic_xchg(s + LOCKS + (i), 0)"}},
    {"(atomic_inc(s + LOCKS + (i)) == 0 ? true : (atomic_dec(s + LOCKS + (i)), false))", {"atomic_dec(s + LOCKS + (i))"}, true},
};

constexpr const char *kWork[] = {
    "{ FENCE; s[NUMBERS + (i)] = s[NUMBERS + (i)] + ADDED; FENCE; }",
    "{ FENCE; const int had = s[NUMBERS + (i)]; for (int turn = 0; turn < 3; ++turn) s[NUMBERS + (i)] = turn; "
    "s[NUMBERS + (i)] = had + ADDED; FENCE; }",
    "{ FENCE; for (int turn = 0; turn < ADDED; ++turn) s[NUMBERS + (i)] = s[NUMBERS + (i)] + 1; FENCE; }",
};

struct Item {
  size_t lid;  ///< as the kernel defines it
  size_t x, y, z;
  size_t linear;
  size_t width;          ///< of the work-group
  size_t lane, present;  ///< in the sub-group: the id, and how many there are
};

struct Contenders {
  const char *condition;
  bool (*contends)(const Item &);
  bool by_lane = false;
};
constexpr Contenders kContenders[] = {
    {"true", [](const Item &) { return true; }},
    {"lid % 2 == 0", [](const Item &item) { return item.lid % 2 == 0; }},
    {"lid < 5", [](const Item &item) { return item.lid < 5; }},
    {"(lid & 31) == 7", [](const Item &item) { return item.lid % 32 == 7; }},
    // Leaders of work-groups, rows or sub-groups, by the launch's shape.
    {"lid == 0", [](const Item &item) { return item.lid == 0; }},
    {"lid < 1", [](const Item &item) { return item.lid == 0; }},
    {"get_local_id(0) == 0", [](const Item &item) { return item.x == 0; }},
    {"get_local_id(0) < 1", [](const Item &item) { return item.x == 0; }},
    {"get_local_id(0) * 4 == 0", [](const Item &item) { return item.x == 0; }},
    {"get_global_id(0) % get_local_size(0) == 0", [](const Item &item) { return item.x == 0; }},
    {"get_local_id(0) + 1 == get_local_size(0)", [](const Item &item) { return item.x + 1 == item.width; }},
    {"(int)get_local_id(0) + 1 >= (int)get_local_size(0)", [](const Item &item) { return item.x + 1 == item.width; }},
    {"get_local_size(0) - get_local_id(0) == 1", [](const Item &item) { return item.x + 1 == item.width; }},
    {"get_local_id(0) + 2 > get_local_size(0)", [](const Item &item) { return item.x + 1 == item.width; }},
    {"get_local_id(0) + 3 > get_local_size(0)", [](const Item &item) { return item.x + 3 > item.width; }},
    {"get_local_id(1) == 0", [](const Item &item) { return item.y == 0; }},
    {"get_local_id(1) + get_local_id(2) == 0", [](const Item &item) { return item.y + item.z == 0; }},
    {"get_local_id(0) == 0 && get_local_id(1) == 0", [](const Item &item) { return item.x + item.y == 0; }},
    {"(get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0",
     [](const Item &item) { return item.x + item.y + item.z == 0; }},
    {"get_local_id(1) * 16 + get_local_id(0) == 0", [](const Item &item) { return item.x + item.y == 0; }},
    {"get_local_id(1) * 4 + get_local_id(0) == 4", [](const Item &item) { return item.y * 4 + item.x == 4; }},
    {"get_local_linear_id() == 0", [](const Item &item) { return item.linear == 0; }},
    {"get_local_linear_id() < 1", [](const Item &item) { return item.linear == 0; }},
    {"get_local_linear_id() % 32 == 5", [](const Item &item) { return item.linear % 32 == 5; }},
    {"get_local_linear_id() % 40 == 5", [](const Item &item) { return item.linear % 40 == 5; }},
    {"get_local_id(0) % 5 == 2", [](const Item &item) { return item.x % 5 == 2; }},
    {"get_sub_group_local_id() == 0", [](const Item &item) { return item.lane == 0; }, true},
    {"get_sub_group_local_id() < 1", [](const Item &item) { return item.lane == 0; }, true},
    {"get_sub_group_local_id() + 1 == get_sub_group_size()", [](const Item &item) { return item.lane + 1 == item.present; },
     true},
};

/// How a kernel numbers its work-items. `%w` and `%h` are the work-group's width and height.
struct Numbering {
  const char *lid;
  bool is_complete = true;  ///< else work-items of several rows have one number
};
constexpr Numbering kNumberings[] = {
    {"get_local_linear_id()"},
    {"(get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)"},
    {"get_local_id(0) + %w * (get_local_id(1) + %h * get_local_id(2))"},
    {"get_local_id(0)", false},
    {"get_local_id(0)", false},
};

constexpr Sizes kShapes[] = {{1, 16, 1}, {1, 64, 1}, {4, 16, 1}, {8, 8, 1},  {16, 4, 1}, {16, 2, 2}, {20, 3, 1},
                             {3, 5, 4},  {2, 1, 32}, {32, 2, 1}, {1, 1, 16}, {5, 13, 1}, {1, 1, 1}};

/// Sub-group and work-group functions before and behind the locks, where control is uniform.
constexpr const char *kMeetings[] = {
    "",
    "",
    "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    "if (sub_group_reduce_max(lid) < sub_group_reduce_min(lid)) spare += 1000;",
    "if (work_group_reduce_add(1) != ITEMS) spare += 2000;",
};

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// A work-group of about 64 work-items: half of the time in one dimension.
Sizes draw_local(Random &random) {
  constexpr size_t kLines[] = {64, 65, 96};
  if (pick(random, 2)) return {pick_from(random, kLines), 1, 1};
  return pick_from(random, kShapes);
}

std::string head(Random &random, const LockKind &kind, bool is_local, const Shape &shape, const Numbering &numbering) {
  std::string text = "#define SPACE " + std::string(is_local ? "local" : "global") + "\n";
  auto define = [&](const std::string &name, const std::string &value) { text += "#define " + name + " " + value + "\n"; };
  define("LOCKS", std::to_string(kLocks));
  define("NUMBERS", std::to_string(kNumbers));
  define("SERVED", std::to_string(kServed));
  define("KEYS", std::to_string(kKeys));
  define("VALUES", std::to_string(kValues));
  define("ADDED", "(gid % 7 + 1)");
  define("ITEMS", std::to_string(shape.items()));
  define("FENCE",
         "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)");
  define("TRY(i)", kind.attempt);
  define("FREE(i)", kind.releases[pick(random, kind.releases.size())]);
  define("LOOK(p)", pick(random, 2) ? "(*(p))" : "atomic_or((p), 0)");
  define("NEXT(p)", pick(random, 2) ? "(*(p) += 1)" : "atomic_inc(p)");
  define("WORK(i)", pick_from(random, kWork));
  for (const char *strength : {"strong", "weak"})
    text += "bool NAME_" + std::string(strength) + "(volatile SPACE int *p) { int e = 0; return atomic_compare_exchange_" +
            strength +
            "_explicit((volatile SPACE atomic_int *)p, &e, 1, memory_order_acq_rel, memory_order_relaxed, "
            "memory_scope_device); }\n";
  const std::string width = std::to_string(shape.local[0]), height = std::to_string(shape.local[1]);
  const std::string required = pick(random, 4) ? ""
                                               : "__attribute__((reqd_work_group_size(" + width + ", " + height + ", " +
                                                     std::to_string(shape.local[2]) + "))) ";
  text += "#define LID " + replaced(replaced(numbering.lid, "%w", width), "%h", height) + "\n";
  return text +
         "void NAME_lock(volatile SPACE int *s, int k) { while (!TRY(k)) {} }\n"
         "kernel " +
         required +
         "void NAME(global int *out, volatile global int *room, volatile local int *here) {\n"
         "  const int lid = LID, gid = " +
         (numbering.is_complete ? "get_group_id(0) * ITEMS + lid" : "get_global_id(0)") + ";\n  int spare = 0;\n";
}

constexpr const char *kTail =
    "#undef SPACE\n#undef LOCKS\n#undef NUMBERS\n#undef SERVED\n#undef KEYS\n#undef VALUES\n#undef ADDED\n#undef FENCE\n"
    "#undef ITEMS\n#undef LID\n#undef TRY\n#undef FREE\n#undef LOOK\n#undef NEXT\n#undef WORK\n";

std::string in_local_memory(const std::string &body) {
  return "  volatile local int *s = here;\n  for (int i = lid; i < 1024; i += ITEMS) s[i] = 0;\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n" +
         body +
         "  barrier(CLK_LOCAL_MEM_FENCE);\n  for (int i = lid; i < 64; i += ITEMS) atomic_add(room + NUMBERS + i, s[NUMBERS + "
         "i]);\n";
}

/// Numbers behind locks.
WaitKernel make_sums(Random &random, const std::string &name) {
  constexpr size_t kCounts[] = {1, 3, 8}, kNumLocks[] = {1, 1, 2, 5};
  const Numbering numbering = pick_from(random, kNumberings);
  const Shape shape{draw_local(random), pick_from(random, kCounts)};
  const bool is_unique = numbering.is_complete || shape.items() == shape.local[0];
  const bool is_local = is_unique && pick(random, 2);
  const size_t num_locks = pick_from(random, kNumLocks), rounds = 1 + pick(random, 2);
  const Contenders contenders = pick(random, 4) ? pick_from(random, kContenders) : kContenders[0];
  const Form *form = nullptr;
  do form = &pick_from(random, kForms);
  while (num_locks == 1 && std::string_view(form->code).find("(b)") != std::string_view::npos);
  const std::string count = std::to_string(num_locks);
  std::string body = std::string("  ") + pick_from(random, kMeetings) + "\n  if (" + contenders.condition +
                     ") for (int round = 0; round < " + std::to_string(rounds) + "; ++round) { const int k = (gid + round) % " +
                     count + ", a = k, b = (k + 1) % " + count + "; " + form->code + " (void)a; (void)b; }\n  " +
                     pick_from(random, kMeetings) + "\n";
  // The two locks may be the same: then the second would never be free.
  if (num_locks == 1) body = replaced(body, "while (!TRY(high)) {}", ""), body = replaced(body, "FREE(high);", "");
  const LockKind &kind = pick_from(random, kKinds);
  std::string source = head(random, kind, is_local, shape, numbering);
  source += is_local ? in_local_memory(body) : "  volatile global int *s = room;\n" + body;
  source += "  out[gid] = spare >= 1000 ? spare : " + std::string(contenders.by_lane ? "-(int)get_max_sub_group_size()" : "0") +
            ";\n}\n" + std::string(kTail);

  auto check = [=](std::span<const int> out, std::span<const int> room) -> std::string {
    const size_t lanes = contenders.by_lane && out[0] < 0 ? static_cast<size_t>(-out[0]) : 1;
    const auto [w, h, d] = shape.local;
    std::vector<int> wanted(num_locks);
    for (size_t i = 0; i < shape.items() * shape.groups; ++i) {
      const size_t linear = i % shape.items(), x = linear % w, first = linear / lanes * lanes;
      const Item item{numbering.is_complete ? linear : x,    x, linear / w % h, linear / w / h, linear, w, linear - first,
                      std::min(lanes, shape.items() - first)};
      const size_t gid = numbering.is_complete ? i : i / shape.items() * w + x;
      for (size_t round = 0; round < rounds; ++round)
        if (contenders.contends(item)) wanted[(gid + round) % num_locks] += static_cast<int>(gid % 7 + 1);
    }
    for (size_t k = 0; k < wanted.size(); ++k)
      if (room[kNumbers + k] != wanted[k])
        return "differs: number " + std::to_string(k) + " is " + std::to_string(room[kNumbers + k]) + ", not " +
               std::to_string(wanted[k]);
    for (const int value : out)
      if (value > 0) return "differs: a meeting gave " + std::to_string(value);
    return {};
  };
  return {replaced(source, "NAME", name), shape, check, !kind.may_livelock && !form->may_livelock};
}

/// A hash table; a slot is busy while its value is written.
WaitKernel make_table(Random &random, const std::string &name) {
  const Shape shape{draw_local(random), 1 + pick(random, 4)};
  const int keys = 20 + static_cast<int>(pick(random, 150));
  const LockKind &kind = pick_from(random, kKinds);
  std::string source = head(random, kind, false, shape, kNumberings[pick(random, 3)]);
  source += "  const int key = gid % " + std::to_string(keys) +
            " + 1; int at = key * 7 % 256;\n  volatile global int *s = room;\n"
            "  for (;;) {\n    const int seen = atomic_cmpxchg(s + KEYS + at, 0, -1);\n    if (seen == 0) {\n"
            "      s[VALUES + at] = key * 3; FENCE;\n      atomic_xchg(s + KEYS + at, key);\n      break;\n    }\n"
            "    if (seen == -1) continue;\n    if (seen == key) break;\n    at = (at + 1) % 256;\n  }\n  FENCE;\n"
            "  out[gid] = s[VALUES + at];\n}\n" +
            std::string(kTail);
  auto check = [keys](std::span<const int> out, std::span<const int>) -> std::string {
    for (size_t i = 0; i < out.size(); ++i)
      if (out[i] != (static_cast<int>(i) % keys + 1) * 3) return "differs: key of work-item " + std::to_string(i);
    return {};
  };
  return {replaced(source, "NAME", name), shape, check};
}

/// A binary tree whose links are locks (Burtscher and Pingali 2011): each work-item inserts a key.
WaitKernel make_tree(Random &random, const std::string &name) {
  const Shape shape{draw_local(random), 1 + pick(random, 8)};
  const size_t items = shape.items() * shape.groups;
  const LockKind &kind = pick_from(random, kKinds);
  std::string source = head(random, kind, false, shape, kNumberings[pick(random, 3)]);
  source += "  const int key = gid * 37 % " + std::to_string(items + 1) +
            ", me = gid + 1; int link = 1024;\n"
            "  volatile global int *s = room;\n  for (;;) {\n    const int next = s[link];\n    if (next > 0) {\n"
            "      link = 1024 + 2 * next + (key > s[4096 + next]);\n      continue;\n    }\n"
            "    if (next == 0 && atomic_cmpxchg(s + link, 0, -1) == 0) {\n      s[4096 + me] = key; FENCE;\n"
            "      s[link] = me;\n      break;\n    }\n  }\n  out[gid] = 0;\n}\n" +
            std::string(kTail);
  auto check = [items](std::span<const int>, std::span<const int> room) -> std::string {
    std::vector<int> open{room[1024]};
    size_t found = 0;
    for (; !open.empty() && found <= items;) {
      const int node = open.back();
      open.pop_back();
      if (node <= 0) continue;
      ++found;
      for (int side = 0; side < 2; ++side) {
        const int child = room[1024 + 2 * node + side];
        if (child > 0 && (room[4096 + child] > room[4096 + node]) != (side == 1))
          return "differs: a key is in the wrong branch";
        open.push_back(child);
      }
    }
    return found == items ? std::string() : "differs: the tree has " + std::to_string(found) + " nodes";
  };
  return {replaced(source, "NAME", name), shape, check};
}

}  // namespace

WaitKernel make_lock(Random &random, const std::string &name) {
  const size_t kind = pick(random, 10);
  return kind == 0 ? make_table(random, name) : kind == 1 ? make_tree(random, name) : make_sums(random, name);
}

}  // namespace upsweep::fuzz
