// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What selections and partitions keep of an element: its value, and the mark that says where it goes.
typedef struct {
  UPS_IN x;
  uint mark;
} ups_element;

ups_element ups_marked(UPS_IN x, uint mark) {
  ups_element element;
  element.x = x;
  element.mark = mark;
  return element;
}
