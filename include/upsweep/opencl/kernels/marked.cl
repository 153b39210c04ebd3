// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The record of an element in selections and partitions: its value, and the mark that decides its destination.
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
