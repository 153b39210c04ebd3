# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, reductions, selections, sorts, histograms, summed-area tables and filters of NumPy arrays by CPU threads, and of arrays of GPUs
(PyTorch's, CuPy's, JAX's and others with __cuda_array_interface__) by CUDA on the caller's current stream.

docs/python.md says what each function promises.
"""

from ._images import box_filter, summed_area_table
from ._library import OPERATORS
from ._orders import (arg_nth_element, argsort, merge, merge_pairs, nth_element, segmented_argsort, segmented_sort, sort, sort_pairs, top_k,
                      top_k_pairs)
from ._scans import cumsum, reduce, scan, scan_by_key, segmented_scan
from ._selections import histogram, select, unique
from ._shapes import AxisError

__all__ = ["scan", "cumsum", "segmented_scan", "scan_by_key", "reduce", "select", "unique", "sort", "argsort", "sort_pairs",
           "segmented_sort", "segmented_argsort", "top_k", "top_k_pairs", "nth_element", "arg_nth_element", "merge", "merge_pairs", "histogram",
           "summed_area_table", "box_filter", "operators", "AxisError"]

operators = tuple(OPERATORS)
