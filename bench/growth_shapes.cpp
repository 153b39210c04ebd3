// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shapes: each has a kernel's head, a line for each number from 0 on, and a tail.
#include "bench/growth_shapes.h"

#include <fmt/format.h>

namespace upsweep::bench {
namespace {

constexpr const char *kHead = "kernel void k(global int *o, int a, int b, int c) {\n  int x = get_global_id(0), y = a;\n";
constexpr const char *kTail = "  o[x & 3] = x + y;\n}\n";

template <typename Line>
std::string repeated(int lines, Line line) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += line(i);
  return text;
}

template <typename Line>
std::string kernel_of(int lines, Line line) {
  return kHead + repeated(lines, line) + kTail;
}

std::string arithmetic(int lines) {
  return kernel_of(lines,
                   [](int i) { return fmt::format("  x = x * {} + (y ^ {}); y += x >> {};\n", 2 * i + 3, i, i % 13 + 1); });
}

std::string one_place(int lines) {
  return kernel_of(lines, [](int) { return "  o[a] += o[b] * c;\n"; });
}

std::string many_places(int lines) {
  return kernel_of(lines, [](int i) { return fmt::format("  o[a + {}] += o[b * {}] * c;\n", i, i % 7 + 2); });
}

std::string own_places(int lines) {
  return kernel_of(lines, [](int i) { return fmt::format("  o[x + {}] = o[x + {}] * c + y;\n", 64 * i, 64 * i + 32); });
}

std::string gathers(int lines) {
  return kernel_of(lines, [](int i) { return fmt::format("  x += o[(x + {}) & 1023];\n", i); });
}

std::string barriers(int lines) {
  return kernel_of(lines, [](int) { return "  x += o[x & 3]; barrier(1);\n"; });
}

std::string barriers_in_loops(int lines) {
  return kernel_of(lines / 4, [](int i) {
    return fmt::format("  for (int i = 0; i < b; ++i) {{\n    x += o[(x + {}) & 3];\n    barrier(1);\n  }}\n", i);
  });
}

// Each of 16 values lives across half the barriers.
std::string live_values(int lines) {
  std::string text = kHead;
  for (int i = 0; i < 16; ++i) text += fmt::format("  int v{} = o[x + {}];\n", i, i);
  text += repeated(lines, [](int i) { return fmt::format("  v{} += o[v{} & 3]; barrier(1);\n", i % 16, (i + 5) % 16); });
  for (int i = 0; i < 16; ++i) text += fmt::format("  x ^= v{};\n", i);
  return text + kTail;
}

std::string switch_cases(int lines) {
  return std::string(kHead) + "  switch (o[x & 3]) {\n" +
         repeated(lines, [](int i) { return fmt::format("    case {}: x = x * {} + y; break;\n", i * 3, i + 2); }) + "  }\n" +
         kTail;
}

std::string uniform_switch(int lines) {
  return std::string(kHead) + "  switch (a) {\n" +
         repeated(lines, [](int i) { return fmt::format("    case {}: o[x] = o[x + {}] + y; break;\n", i * 3, i + 2); }) +
         "  }\n" + kTail;
}

// A level for every 20 lines, so that 1200 lines have 60 levels.
std::string nested_loops(int lines) {
  std::string text = kHead;
  for (int i = 0; i < lines / 20; ++i)
    text +=
        fmt::format("if (x & {0}) for (int i{1} = 0; i{1} < (o[x & 63] & 3); ++i{1}) {{ x = x * 3 + i{1};\n", 1 << i % 7, i);
  for (int i = 0; i < lines / 20; ++i) text += "}\n";
  return text + kTail;
}

// Clang permits 256 open brackets.
std::string nested_ifs(int lines) {
  constexpr int kDepth = 64;
  return kernel_of(lines / kDepth, [](int i) {
    return repeated(kDepth - 1, [&](int k) { return fmt::format("  if (o[x + {}] > {}) {{ x += y;\n", i * kDepth + k, k); }) +
           "  " + std::string(kDepth - 1, '}') + "\n";
  });
}

std::string ifs(int lines) {
  return kernel_of(lines,
                   [](int i) { return fmt::format("  if (x & {}) y = y * 3 + o[x & 7]; else x += {};\n", 1 << i % 20, i); });
}

std::string else_chain(int lines) {
  return std::string(kHead) + "  int z = o[x];\n" +
         repeated(lines,
                  [](int i) { return fmt::format("  {}if (z < {}) x = x * {} + y;\n", i ? "else " : "", 5 * i, i + 2); }) +
         kTail;
}

std::string returns(int lines) {
  return kernel_of(lines, [](int i) { return fmt::format("  if (o[x + {}] == {}) return;\n", i, i); });
}

std::string loops(int lines) {
  return kernel_of(lines / 2, [](int i) {
    return fmt::format("  for (int i = 0; i < {}; ++i)\n    x += o[(x + i) & {}];\n", i % 2 ? "b" : "x", 255);
  });
}

std::string kernels(int lines) {
  return repeated(lines / 2, [](int i) {
    return fmt::format("kernel void k{}(global float *o, float a) {{\n  o[get_global_id(0)] = a * {}; }}\n", i, i);
  });
}

std::string functions(int lines) {
  return repeated(lines / 2,
                  [](int i) { return fmt::format("int f{}(global int *o, int x) {{ return o[x & {}] * {}; }}\n", i, i, i); }) +
         kernel_of(lines / 2, [](int i) { return fmt::format("  x += f{}(o, x);\n", i); });
}

std::string functions_with_ids(int lines) {
  return repeated(lines / 2,
                  [](int i) {
                    return fmt::format("int f{}(global int *o, int x) {{ return o[x + get_local_id(0)] * {}; }}\n", i, i);
                  }) +
         kernel_of(lines / 2, [](int i) { return fmt::format("  x += f{}(o, x);\n", i); });
}

std::string private_array(int lines) {
  return fmt::format("kernel void k(global int *o, int a, int b, int c) {{\n  int x = get_global_id(0), y = a, p[{}];\n",
                     lines) +
         repeated(lines / 2, [](int i) { return fmt::format("  p[{}] = o[x + {}];\n", i, i); }) +
         repeated(lines / 2, [](int i) { return fmt::format("  y += p[(x + {}) & 15];\n", i); }) + kTail;
}

std::string many_variables(int lines) {
  return std::string(kHead) + repeated(lines / 2, [](int i) { return fmt::format("  int v{} = o[x + {}];\n", i, i); }) +
         repeated(lines / 2, [](int i) { return fmt::format("  y = y * 3 + v{};\n", i); }) + kTail;
}

std::string group_functions(int lines) {
  return kernel_of(lines, [](int i) { return fmt::format("  x = work_group_scan_inclusive_add(x + {});\n", i); });
}

std::string sub_group_functions(int lines) {
  return kernel_of(lines, [](int i) { return fmt::format("  x = sub_group_reduce_add(x ^ y) + {};\n", i); });
}

std::string wide_vectors(int lines) {
  return "kernel void k(global float16 *o, float16 a, float b) {\n  float16 x = o[get_global_id(0)], y = a;\n" +
         repeated(lines, [](int i) { return fmt::format("  x = x * y.s{:x} + {}; y = fma(x, y, b);\n", i % 16, i); }) +
         "  o[get_global_id(0)] = x + y;\n}\n";
}

std::string constant_table(int lines) {
  return fmt::format("constant int t[{}] = {{\n", 8 * lines) +
         repeated(lines,
                  [](int i) {
                    return repeated(8, [&](int k) { return fmt::format("{}, ", (i * 8 + k) * 2654435761u & 0xffff); }) + "\n";
                  }) +
         "};\n" + kHead + fmt::format("  y += t[x & {}];\n", 8 * lines - 1) + kTail;
}

std::string private_table(int lines) {
  return std::string(kHead) + fmt::format("  int t[{}] = {{\n", lines) +
         repeated(lines, [](int i) { return fmt::format("    a + {},\n", i); }) + "  };\n  y += t[x & 15];\n" + kTail;
}

std::string long_expression(int lines) {
  return std::string(kHead) + "  y = 0\n" + repeated(lines, [](int i) { return fmt::format("    + o[x + {}]\n", i); }) +
         "  ;\n" + kTail;
}

std::string nested_expressions(int lines) {
  constexpr int kDepth = 200;
  return kernel_of(lines, [](int i) {
    return i % 10 ? fmt::format("  y ^= {};\n", i) : "  x = " + std::string(kDepth, '(') + "x" + repeated(kDepth, [](int k) {
                                                       return fmt::format("*y+{})", k);
                                                     }) + ";\n";
  });
}

std::string prints(int lines) {
  return kernel_of(lines, [](int i) { return fmt::format("  printf(\"%d {}\\n\", x + {});\n", i, i); });
}

std::string atomics(int lines) {
  return kernel_of(lines,
                   [](int i) { return fmt::format("  x += atomic_add((volatile global int *)o + (x & {}), y);\n", i & 63); });
}

std::string math_calls(int lines) {
  return "kernel void k(global float *o, float a) {\n  float x = o[get_global_id(0)];\n" +
         repeated(lines, [](int i) { return fmt::format("  x = {}(x) + a;\n", i % 2 ? "exp2" : "sqrt"); }) +
         "  o[get_global_id(0)] = x;\n}\n";
}

std::string local_memory(int lines) {
  return "kernel void k(global int *o, local int *l) {\n  int x = get_local_id(0), y = o[x];\n" +
         repeated(lines,
                  [](int i) {
                    return i % 4 ? fmt::format("  l[x + {}] += l[x ^ {}] * y;\n", i % 50, i % 32)
                                 : "  barrier(CLK_LOCAL_MEM_FENCE);\n";
                  }) +
         kTail;
}

constexpr GrowthShape kShapes[] = {
    {"arithmetic", "x = x * 5 + (y ^ 1); y += x >> 2;", arithmetic},
    {"one_place", "o[a] += o[b] * c;", one_place},
    {"many_places", "o[a + 1] += o[b * 3] * c;", many_places},
    {"own_places", "o[x + 64] = o[x + 96] * c + y;", own_places},
    {"gathers", "x += o[(x + 1) & 1023];", gathers},
    {"local_memory", "l[x + 1] += l[x ^ 1] * y; with barriers", local_memory},
    {"barriers", "x += o[x & 3]; barrier(1);", barriers},
    {"barriers_in_loops", "loops of four lines with a barrier", barriers_in_loops},
    {"live_values", "v1 += o[v6 & 3]; barrier(1); for 16 variables", live_values},
    {"switch_cases", "case 3: x = x * 3 + y; break;", switch_cases},
    {"uniform_switch", "case 3: o[x] = o[x + 3] + y; break; of an argument", uniform_switch},
    {"nested_loops", "an if and a loop in each other, a level for every 20 lines", nested_loops},
    {"nested_ifs", "ifs in ifs, 64 deep", nested_ifs},
    {"ifs", "if (x & 1) y = y * 3 + o[x & 7]; else x += 1;", ifs},
    {"else_chain", "else if (z < 5) x = x * 3 + y;", else_chain},
    {"returns", "if (o[x + 1] == 1) return;", returns},
    {"loops", "for (int i = 0; i < b; ++i) x += o[(x + i) & 255];", loops},
    {"kernels", "kernels of two lines", kernels},
    {"functions", "functions of a line, called once each", functions},
    {"functions_with_ids", "functions that ask for an id, called once each", functions_with_ids},
    {"private_array", "p[1] = o[x + 1]; then y += p[(x + 1) & 15];", private_array},
    {"many_variables", "int v1 = o[x + 1]; all used later", many_variables},
    {"group_functions", "x = work_group_scan_inclusive_add(x + 1);", group_functions},
    {"sub_group_functions", "x = sub_group_reduce_add(x ^ y) + 1;", sub_group_functions},
    {"wide_vectors", "x = x * y.s1 + 1; y = fma(x, y, b); of float16", wide_vectors},
    {"constant_table", "eight numbers of a constant table", constant_table},
    {"private_table", "a number of a private table's initialiser", private_table},
    {"long_expression", "a term of one sum", long_expression},
    {"nested_expressions", "200 brackets in every tenth line", nested_expressions},
    {"prints", "printf(\"%d 1\\n\", x + 1);", prints},
    {"atomics", "x += atomic_add(o + (x & 1), y);", atomics},
    {"math_calls", "x = exp2(x) + a;", math_calls},
};

}  // namespace

std::span<const GrowthShape> growth_shapes() { return kShapes; }

}  // namespace upsweep::bench
