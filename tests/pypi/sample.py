# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of pytest that keeps UPSWEEP_SAMPLE tests, which the seed UPSWEEP_TEST_SEED chooses."""
import os
import random


def pytest_collection_modifyitems(config, items):
    count = int(os.environ["UPSWEEP_SAMPLE"])
    if count >= len(items):
        return
    chosen = set(random.Random(int(os.environ.get("UPSWEEP_TEST_SEED") or 1)).sample(range(len(items)), count))
    config.hook.pytest_deselected(items=[item for i, item in enumerate(items) if i not in chosen])
    items[:] = [item for i, item in enumerate(items) if i in chosen]
