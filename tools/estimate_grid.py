#!/usr/bin/env python3
"""The memory estimate beside the measured peak, over a grid of files, recipes and threads.

    tools/estimate_grid.py --vel build/vel 4000x1000 12000x250

makes counts of these shapes (`vel simulate`, whole numbers, of which a share is kept at random), stored in several
ways, and from each the files that the later steps start from. Every recipe is planned (`--dry-run`) and run without a
budget, and the plan's peak is put over that of the process, worst first. With --limits each is run again within the
least that its plan names: it must end well, and stay below. Files lie in a folder under --folder, which goes at the end.
What takes less than 40 MB is mostly the program itself: it is shown, but counts only where all runs do.
Needs numpy and h5py.
"""

import argparse
import fnmatch
import json
import os
import statistics
import subprocess
import sys
import tempfile

# The file that a recipe starts from, and the recipe. Stages are made from each other, below.
RECIPES = [
    ("counts", "filter_genes min_shared_counts=20"),
    ("counts", "normalize_per_cell"),
    ("counts", "log1p"),
    ("counts", "filter_and_normalize min_shared_counts=5"),
    ("counts", "filter_and_normalize min_shared_counts=5 n_top_genes=200"),
    ("counts", "pca n_comps=30"),
    ("counts", "neighbors n_pcs=30"),
    ("counts", "moments"),
    ("counts", "moments | velocity mode=deterministic"),
    ("counts", "moments | velocity"),
    ("counts", "moments | velocity | velocity_graph"),
    ("counts", "filter_and_normalize min_shared_counts=5 | pca n_comps=30 | neighbors n_pcs=30 | moments"),
    ("counts", "filter_and_normalize min_shared_counts=5 n_top_genes=200 | moments | velocity | velocity_graph"),
    ("normal", "highly_variable_genes n_top_genes=200"),
    ("normal", "pca n_comps=30 | neighbors n_pcs=30 n_neighbors=15"),
    ("normal", "moments | velocity | velocity_graph"),
    ("graph", "moments"),
    ("graph", "moments dtype=float64"),
    ("graph", "moments | velocity"),
    ("graph", "moments dtype=float64 | velocity | velocity_graph"),
    ("moments", "velocity mode=deterministic"),
    ("moments", "velocity"),
    ("moments", "velocity fit_offset=true"),
    ("moments", "velocity min_r2=0.5"),
    ("moments", "velocity filter_genes=true"),
    ("moments", "velocity use_raw=true"),
    ("moments", "velocity mode=deterministic | velocity_graph"),
    ("moments", "velocity | velocity_graph"),
    ("moments", "velocity min_r2=0.5 | velocity_graph"),
    ("moments", "recover_dynamics var_names=all max_iter=0"),
    ("moments", "recover_dynamics var_names=all max_iter=0 | velocity mode=dynamical min_likelihood=none | velocity_graph"),
    ("velocity", "velocity_graph"),
    ("velocity", "velocity_graph approx=true"),
    ("velocity", "velocity_graph compute_uncertainties=true"),
    ("velocity", "velocity_graph mode_neighbors=connectivities"),
    ("velocity", "velocity_graph n_neighbors=50"),
    ("velocity", "velocity_graph n_recurse_neighbors=3"),
]
STAGES = [
    ("counts", "normal", "filter_and_normalize min_shared_counts=5"),
    ("normal", "graph", "neighbors n_pcs=30"),
    ("graph", "moments", "moments"),
    ("moments", "velocity", "velocity"),
]
# Below it a peak is mostly that of the program and its libraries.
SMALL = 40e6
AWAY = 0.10


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("shapes", nargs="+", metavar="CELLSxGENES")
    p.add_argument("--vel", default="build/vel", help="the program (default %(default)s)")
    p.add_argument("--layouts", default="dense,csr,csc", help="default %(default)s")
    p.add_argument("--types", default="float32", help="numpy names (default %(default)s)")
    p.add_argument("--gzip", action="store_true", help="counts are compressed")
    p.add_argument("--chunks", help="dense matrices lie in chunks of this many cells and genes, as 20x20, or all in one")
    p.add_argument("--shuffle", action="store_true", help="what is compressed is shuffled before")
    p.add_argument("--kept", default="0.2", help="shares of the counts that are kept (default %(default)s)")
    p.add_argument("--threads", default="1,2", help="default %(default)s")
    p.add_argument("--only", default="*", help="recipes that match, as file: recipe (default %(default)s)")
    p.add_argument("--limits", action="store_true", help="run within the least memory, too")
    p.add_argument("--folder", help="where files are made")
    return p.parse_args()


# ---- files


def store(parent, name, counts, layout, packing):
    import h5py
    import numpy as np

    if layout == "dense":
        made = parent.create_dataset(name, data=counts, **packing)
        made.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
        return
    lines = counts if layout == "csr" else counts.T
    line, index = np.nonzero(lines)
    group = parent.create_group(name)
    group.attrs.update({"encoding-type": f"{layout}_matrix", "encoding-version": "0.1.0"})
    group.attrs["shape"] = np.array(counts.shape, dtype="int64")
    group.create_dataset("data", data=lines[line, index], **packing)
    group.create_dataset("indices", data=index.astype("int32"), **packing)
    ends = np.cumsum(np.bincount(line, minlength=len(lines)))
    group.create_dataset("indptr", data=np.concatenate([[0], ends]).astype("int32"))


def thin(base, output, layout, dtype, kept, packing):
    """X and both layers of a simulated file as whole numbers, of which a share stays."""
    import h5py
    import numpy as np

    rng = np.random.Generator(np.random.SFC64(0))
    with h5py.File(base) as f, h5py.File(output, "w") as to:
        to.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
        for part in ("obs", "var"):
            f.copy(part, to)
        layers = to.create_group("layers")
        layers.attrs.update({"encoding-type": "dict", "encoding-version": "0.1.0"})
        for name in ("spliced", "unspliced"):
            counts = np.rint(np.maximum(f["layers"][name][:], 0))
            counts[rng.random(counts.shape, dtype="float32") >= kept] = 0
            counts = counts.astype(dtype)
            store(layers, name, counts, layout, packing)
            if name == "spliced":
                store(to, "X", counts, layout, packing)


def lay_in_chunks(path, chunks, packing):
    """X and dense layers once more, in chunks."""
    import h5py

    with h5py.File(path, "a") as f:
        for parent, name in [(f, "X")] + [(f["layers"], name) for name in f["layers"]]:
            if name not in parent or isinstance(parent[name], h5py.Group):
                continue
            old, attributes = parent[name][:], dict(parent[name].attrs)
            del parent[name]
            shape = old.shape if chunks == "all" else map(int, chunks.split("x"))
            of = tuple(min(c, n) for c, n in zip(shape, old.shape))
            parent.create_dataset(name, data=old, chunks=of, **packing).attrs.update(attributes)


def apart(work, *args):
    """In a child: what a process has had counts as the peak of the programs that it starts."""
    child = os.fork()
    if child == 0:
        try:
            work(*args)
            os._exit(0)
        except BaseException as e:
            print(e, file=sys.stderr, flush=True)
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        sys.exit("a file could not be made")


# ---- runs


def run(words):
    """Exit code and peak in bytes."""
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, used.ru_maxrss * 1024


def plan(words):
    text = subprocess.run(words + ["--dry-run", "--json"], capture_output=True, text=True).stdout
    for line in text.splitlines():
        event = json.loads(line)
        if event["event"] == "plan":
            return event["peak_bytes"], event["least_bytes"]
    sys.exit(f"no plan of {' '.join(words)}")


class Row:
    """One recipe on one file: what was foretold, what it took, and what it took within the least."""

    def __init__(self, o, path, name, recipe, threads):
        self.label = f"{name}: {recipe}"
        self.threads = threads
        words = [o.vel, "run", recipe, path, "--threads", str(threads)]
        output = ["-o", path + ".out", "--quiet"]
        self.estimate, self.least = plan(words)
        self.exit, self.peak = run(words + output)
        self.ratio = self.estimate / self.peak
        if o.limits and self.exit == 0:
            self.least_exit, self.least_peak = run(words + output + ["--max-memory", str(self.least)])
        if os.path.exists(path + ".out"):
            os.unlink(path + ".out")

    def holds(self):
        return self.least_exit == 0 and self.least_peak <= self.least

    def note(self, limits):
        text = " (small)" if self.peak < SMALL else ""
        return text + (f" (limit fails, exit {self.least_exit})" if limits and not self.holds() else "")

    def is_away(self):
        return abs(self.ratio - 1) > AWAY


def rows_of(o, folder, shape, base, storage):
    layout, dtype, kept = storage
    packing = {"compression": "gzip", "shuffle": o.shuffle} if o.gzip else {}
    chunks = f" chunks {o.chunks}" if o.chunks else ""
    name = f"{shape} {layout} {dtype}{' gzip' if o.gzip else ''}{' shuffle' if o.shuffle else ''}{chunks} {kept}"
    paths = {"counts": os.path.join(folder, "counts.h5ad")}
    apart(thin, base, paths["counts"], layout, dtype, float(kept), packing)
    wanted = [r for r in RECIPES if fnmatch.fnmatch(": ".join(r), o.only)]
    for source, to, recipe in STAGES:
        paths[to] = os.path.join(folder, to + ".h5ad")
        if run([o.vel, "run", recipe, paths[source], "-o", paths[to], "--quiet"])[0]:
            sys.exit(f"{recipe} of {name} failed")
    for path in paths.values() if o.chunks else []:
        apart(lay_in_chunks, path, o.chunks, packing)
    for stage, recipe in wanted:
        for threads in o.threads.split(","):
            yield Row(o, paths[stage], f"{name}, {stage}", recipe, int(threads))
    for path in paths.values():
        os.unlink(path)


def all_rows(o, folder):
    for shape in o.shapes:
        cells, genes = shape.split("x")
        base = os.path.join(folder, "base.h5ad")
        if run([o.vel, "simulate", "--n-obs", cells, "--n-vars", genes, "-o", base, "--quiet"])[0]:
            sys.exit(f"simulate of {shape} failed")
        for layout in o.layouts.split(","):
            for dtype in o.types.split(","):
                for kept in o.kept.split(","):
                    yield from rows_of(o, folder, shape, base, (layout, dtype, kept))


# ---- report


def print_table(rows, limits):
    for r in sorted(rows, key=lambda r: -abs(r.ratio - 1)):
        text = f"{r.ratio:6.3f} {r.estimate / 1e6:8.1f} {r.peak / 1e6:8.1f} "
        if limits:
            text += f" {r.least / r.least_peak:6.3f} {r.least / 1e6:8.1f} {r.least_peak / 1e6:8.1f} "
        print(f"{text} {r.threads}  {r.label}{r.note(limits)}")


def print_sum(what, ratios, beyond):
    median = statistics.median(ratios)
    print(f"{what}: {len(ratios)} runs, {min(ratios):.3f} to {max(ratios):.3f}, median {median:.3f}; {beyond}")


def report(rows, limits):
    """Prints all; whether all that is not small is near, and every limit holds."""
    print("estimate/peak, MB each" + ("; limit/peak within it, MB each" if limits else "") + "; threads; file: recipe")
    print_table(rows, limits)
    large = [r for r in rows if r.peak >= SMALL]
    for what, some in (("all", rows), (f"of {SMALL / 1e6:.0f} MB and more", large)):
        if some:
            print_sum(what, [r.ratio for r in some], f"{sum(r.is_away() for r in some)} beyond {AWAY:.0%}")
    if limits and rows:
        print_sum("limits", [r.least / r.least_peak for r in rows], f"{sum(not r.holds() for r in rows)} fail")
    return not any(r.is_away() for r in large) and not (limits and any(not r.holds() for r in rows))


def main():
    o = options()
    o.vel = os.path.abspath(o.vel)
    rows = []
    with tempfile.TemporaryDirectory(prefix="vel-grid-", dir=o.folder) as folder:
        for row in all_rows(o, folder):
            print(f"\r{len(rows) + 1} runs", end="", file=sys.stderr, flush=True)
            rows.append(row)
    print(file=sys.stderr)
    ended = [r for r in rows if r.exit == 0]
    good = report(ended, o.limits)
    for r in rows:
        if r.exit:
            print(f"no result, exit {r.exit}: {r.label}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
