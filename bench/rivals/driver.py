"""What every rival's driver does: read the file, import and warm up, run `before`, be measured over `op`, write the result.

    driver.py [--input FILE] [--before RECIPE] [--op RECIPE] [--scope op|read|write|whole] [--threads N] [--result FILE]
              [--untimed] [--packing gzip|lzf]
    driver.py --probe

--scope says what is timed: the recipe, reading the file, writing the result, or all of it with nothing warmed up.

A driver is a class with `package` and one method a step, named as the step is. It takes the AnnData and the step's options and
may return a new AnnData. Where the result is kept, numpy is told to leave AVX-512 alone, so that its exp and log are the C
library's: what is compared then does not follow the machine. (scVelo's fit takes some 7 % longer so.)
"""

import argparse
import gc
import os
from importlib.metadata import PackageNotFoundError, version

AVX512 = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
PACKAGES = ("scvelo", "scvelo-rs", "cellrank", "scanpy", "anndata", "numpy", "scipy", "numba")
WARM_CELLS, WARM_GENES = 200, 5


def _arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--input")
    p.add_argument("--before", default="")
    p.add_argument("--op", default="")
    p.add_argument("--scope", choices=("op", "read", "write", "whole"), default="op")
    p.add_argument("--within")  # this program's own affair
    p.add_argument("--packing")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--result")
    p.add_argument("--untimed", action="store_true")
    p.add_argument("--probe", action="store_true")
    return p.parse_args()


def versions():
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            pass
    return found


def run(rival, adata, calls):
    for step, options in calls:
        made = getattr(rival, step)(adata, **options)
        adata = made if made is not None else adata
    return adata


def write(adata, path, packing):
    """Up to the disk, as this program does: what a rival has written would else lie in memory when its clock ends."""
    adata.write_h5ad(path, compression=packing)
    with open(path, "rb") as written:
        os.fsync(written.fileno())
    return adata


def _warm_up(rival, adata, calls):
    """First calls import, compile and cache. A small copy goes through everything; how that ends does not matter."""
    rival.warm_up(adata, calls)
    try:
        run(rival, adata[:WARM_CELLS, :WARM_GENES].copy() if "Ms" in adata.layers else adata[:WARM_CELLS].copy(), calls)
    except Exception:
        pass
    rival.reset()
    gc.collect()


def main(make_rival):
    a = _arguments()
    from wire import Wire

    wire = Wire()
    if a.probe:
        wire.frame({"versions": versions()})
        return
    if a.result:
        os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", AVX512)

    import anndata

    from recipe import parse

    rival = make_rival(a.threads)
    before, op = parse(a.before), parse(a.op)
    lacking = [step for step, _ in before + op if not hasattr(rival, step)]
    if lacking:
        wire.frame({"versions": versions(), "skipped": f"{rival.package} has no {lacking[0]}"})
        return
    parts = {
        "read": lambda adata: anndata.read_h5ad(a.input) if a.input else None,
        "op": lambda adata: run(rival, adata, op),
        "write": lambda adata: write(adata, a.result, a.packing),
    }
    adata = None
    if a.scope == "whole":
        with wire.timed(not a.untimed):
            for part in parts.values():
                adata = part(adata)
    else:
        for name, part in parts.items():
            if name == "op":
                if adata is not None and op:
                    _warm_up(rival, adata, before + op)
                adata = run(rival, adata, before)
            gc.collect()
            if name == "write" and not a.result:
                continue
            with wire.timed(name == a.scope and not a.untimed):
                adata = part(adata)
    wire.frame({"versions": versions(), "threads": a.threads, "cells": adata.n_obs, "genes": adata.n_vars})
