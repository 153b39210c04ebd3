#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A bill of materials (CycloneDX 1.5, JSON): the products, and the parts of other projects in each, from
packaging/parts.json."""

import datetime
import json
import uuid

import common

# The products, and the packages that contain each of them.
PRODUCTS = {"libupsweep-opencl.so": "library", "upsweepc": "application", "upsweep": "application", "upsweep-bench": "application",
            "libupsweep-python-cpu.so": "library", "libOpenCL.so.1": "library"}


def part(row: dict) -> dict:
    """A component: a part's name, the Debian package and version of its source, and its licence."""
    return {"type": "library", "bom-ref": row["package"], "name": row["name"], "version": row["version"],
            "licenses": [{"expression": row["licence"]}], "purl": f"pkg:deb/debian/{row['package']}@{row['version']}?arch=amd64"}


def bill() -> dict:
    """The whole document, reproducible for the same commit and packages."""
    rows = common.parts()
    version = common.version()
    project = {"type": "application", "bom-ref": "upsweep", "name": "upsweep", "version": version,
               "licenses": [{"expression": "Apache-2.0 WITH LLVM-exception"}]}
    products = [{"type": kind, "bom-ref": f"upsweep/{name}", "name": name, "version": version,
                 "licenses": [{"expression": "Apache-2.0 WITH LLVM-exception"}]} for name, kind in PRODUCTS.items()]
    dependencies = [{"ref": "upsweep", "dependsOn": [f"upsweep/{name}" for name in PRODUCTS]}]
    dependencies += [{"ref": f"upsweep/{name}", "dependsOn": sorted({row["package"] for row in rows if name in row["in"]})} for name in PRODUCTS]
    moment = datetime.datetime.fromtimestamp(common.epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    parts = {row["package"]: part(row) for row in rows}
    body = {"metadata": {"timestamp": moment, "component": project}, "components": products + [parts[name] for name in sorted(parts)],
            "dependencies": dependencies}
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1} | body


def main() -> None:
    parser = common.arguments(__doc__)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"upsweep-{common.version()}.cdx.json"
    path.write_text(json.dumps(bill(), indent=1) + "\n")
    print(path)


if __name__ == "__main__":
    main()
