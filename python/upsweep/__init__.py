# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, reductions, selections, sorts, histograms, summed-area tables and filters of NumPy arrays by CPU threads, and of arrays of GPUs
(PyTorch's, CuPy's, JAX's and others with __cuda_array_interface__) by CUDA on the caller's current stream.

    scans       scan, cumsum, segmented_scan, scan_by_key
    totals      reduce, reduce_by_key
    selections  select, unique, run_length_encode
    orders      sort, argsort, sort_pairs, segmented_sort, segmented_argsort, top_k, top_k_pairs, nth_element, arg_nth_element, merge, merge_pairs
    counts      histogram
    images      summed_area_table, box_filter
    states      linear_recurrence
    others      operators (names of operators), AxisError, set_num_threads, get_num_threads

help(upsweep.scan) describes operators; each function's help has its shapes, types, errors and an example. Results belong to the input's
library. Calls release the GIL and may run in several threads. On CPUs all numbers of threads give the same bits.
"""

from ._histogram import histogram
from ._images import box_filter, summed_area_table
from ._library import OPERATORS as _OPERATORS
from ._orders import (arg_nth_element, argsort, merge, merge_pairs, nth_element, segmented_argsort, segmented_sort, sort, sort_pairs, top_k,
                      top_k_pairs)
from ._recurrence import linear_recurrence
from ._runs import reduce_by_key, run_length_encode, unique
from ._scans import cumsum, reduce, scan, scan_by_key, segmented_scan
from ._selections import select
from ._shapes import AxisError
from ._threads import get_num_threads, set_num_threads
from ._version import __version__

__all__ = ["scan", "cumsum", "segmented_scan", "scan_by_key", "reduce", "reduce_by_key", "select", "unique", "run_length_encode", "sort",
           "argsort", "sort_pairs", "segmented_sort", "segmented_argsort", "top_k", "top_k_pairs", "nth_element", "arg_nth_element", "merge",
           "merge_pairs", "histogram", "summed_area_table", "box_filter", "linear_recurrence", "operators", "AxisError",
           "set_num_threads", "get_num_threads", "__version__"]

operators = tuple(_OPERATORS)
