# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, sorts, selections and counts of Dask arrays, as graphs of the module's calls on blocks. It needs Dask (pip install 'upsweep[dask]').

    scans       scan, cumsum
    orders      sort, argsort, top_k, quantile
    selections  select, unique
    counts      histogram
    xarray      install, uninstall

Arguments and results are those of upsweep's functions with the same names. Calls build graphs, and compute nothing.
"""

from ._dask_counts import histogram, select, unique
from ._dask_scans import cumsum, scan
from ._dask_sorts import argsort, quantile, sort, top_k
from ._dask_xarray import install, uninstall

__all__ = ["scan", "cumsum", "sort", "argsort", "top_k", "quantile", "select", "unique", "histogram", "install", "uninstall"]
