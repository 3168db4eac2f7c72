#!/usr/bin/env python3
"""Runs scVelo's pipeline on a file of counts and records what every step read and wrote, for parity tests.

    make_reference.py COUNTS.h5ad DIRECTORY [options]            counts with layers `spliced` and `unspliced`
    make_reference.py --simulate 120x24 DIRECTORY [options]      counts drawn from scVelo's simulation

A step that changes its input gets a file of its own, with the state that it leaves behind; all other steps only add to
the data and share reference.h5ad:

    simulate.h5ad  counts.h5ad  filter_genes.h5ad  normalize_per_cell.h5ad  log1p.h5ad  highly_variable_genes.h5ad
    reference.h5ad

Each file says in uns/reference how it came about, so that a file is a test (tests/parity/parity.c):

    input      the file that the recipe starts from; if there is none: this file, without what the recipe writes
    recipes    one recipe a step, in the order in which they ran
    chain      (reference.h5ad) the recipe that leads from counts.h5ad to the moments

The C library's exp and log are the target, so numpy is kept from its AVX-512 versions. Single-threaded throughout.
"""
import argparse
import os
import shutil
import sys

os.environ.setdefault(
    "NPY_DISABLE_CPU_FEATURES", "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
)
for pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(pool, "1")

import inspect
import warnings

warnings.filterwarnings("ignore")

import anndata
import numpy as np
import scanpy as sc
import scipy.sparse as sp
import scvelo as scv
from scvelo.tools import optimization

IN_PLACE = ("filter_genes", "normalize_per_cell", "log1p", "highly_variable_genes")


def mend_stochastic_fit():
    """scVelo 0.3.4 stores an array of length 1 into a scalar slot, which newer numpy refuses: take its element."""
    text = inspect.getsource(optimization.leastsq_generalized)
    product = "np.linalg.pinv(A.T.dot(A)).dot(A.T.dot(y[:, i]))"
    mended = text.replace(f"    gamma[i] = {product}\n", f"    gamma[i] = {product}[0]\n")  # not where offsets come too
    assert mended != text, "scVelo's stochastic fit is not the expected one"
    exec(mended, optimization.__dict__)
    for user in ("scvelo.tools.velocity", "scvelo.tools._steady_state_model"):
        sys.modules[user].leastsq_generalized = optimization.leastsq_generalized


def simulated(cells, genes, directory):
    """scVelo's simulation, recorded as the step `simulate`."""
    options = dict(n_obs=cells, n_vars=genes, t_max=25, alpha=5, beta=0.3, gamma=0.5, noise_level=0.8)
    data = scv.datasets.simulation(**options)
    recipe = " ".join(["simulate"] + [f"{name}={value}" for name, value in options.items()])
    Recorder(data, directory).write("simulate.h5ad", recipes=np.array([recipe], dtype=object))
    return data


def simulated_counts(shape, raw, directory):
    """Counts of cells x genes from scVelo's simulation; raw: its own real numbers, as they are."""
    cells, genes = map(int, shape.split("x"))
    data = simulated(cells, genes, directory)
    thirds = np.quantile(data.obs["true_t"], [1 / 3, 2 / 3])
    data.obs["clusters"] = np.array(["early", "middle", "late"])[np.searchsorted(thirds, data.obs["true_t"])]
    data.obs["clusters"] = data.obs["clusters"].astype("category")
    data.obs_names = [f"cell{i}" for i in range(cells)]
    data.var_names = [f"gene{i}" for i in range(genes)]
    if raw:
        return data
    draw = np.random.default_rng(1)
    depth = draw.gamma(8, 1 / 8, size=(cells, 1))  # cells differ in size, genes in level; some are too rare to keep
    level = np.where(np.arange(genes) % 8 == 7, 0.004, draw.uniform(0.3, 2, size=genes))
    for name in ("spliced", "unspliced"):
        data.layers[name] = sp.csr_matrix(draw.poisson(data.layers[name] * depth * level).astype(np.float32))
    data.X = data.layers["spliced"].copy()
    return data


class Recorder:
    """Runs steps, notes their recipes, and writes the files."""

    def __init__(self, data, directory):
        self.data, self.directory = data, directory
        self.recipes, self.chain, self.failed, self.last = [], [], {}, "counts.h5ad"

    def write(self, name, **record):
        made_with = {m.__name__: m.__version__ for m in (scv, np, sc, anndata)}
        self.data.uns["reference"] = {**made_with, **record}
        self.data.write_h5ad(os.path.join(self.directory, name), compression="gzip")
        del self.data.uns["reference"]

    def step(self, recipe, call, chained=False):
        name = recipe.split()[0]
        try:
            call()
        except Exception as error:  # the reference has failures of its own
            print(f"{recipe}: the reference failed: {type(error).__name__}: {error}", file=sys.stderr)
            self.failed[name] = f"{type(error).__name__}: {error}"
            return
        if chained:
            self.chain.append(recipe)
        if name in IN_PLACE:
            self.write(f"{name}.h5ad", input=self.last, recipes=np.array([recipe], dtype=object))
            self.last = f"{name}.h5ad"
        else:
            self.recipes.append(recipe)

    def finish(self):
        record = {"recipes": np.array(self.recipes, dtype=object), "chain": " | ".join(self.chain)}
        if self.failed:
            record["failed"] = self.failed
        self.write("reference.h5ad", **record)


def preprocess(run, options):
    data = run.data
    count = options.min_shared_counts
    run.step(
        f"filter_genes min_shared_counts={count}", lambda: scv.pp.filter_genes(data, min_shared_counts=count), True
    )
    run.step("normalize_per_cell", lambda: scv.pp.normalize_per_cell(data), True)
    run.step("log1p", lambda: sc.pp.log1p(data), True)
    top = options.n_top_genes
    if top < data.n_vars:
        run.step(
            f"highly_variable_genes n_top_genes={top} subset=true",
            lambda: sc.pp.highly_variable_genes(data, n_top_genes=top, subset=True, flavor="seurat"),
            True,
        )
    pcs, k = min(options.n_pcs, min(data.shape) - 1), min(options.n_neighbors, data.n_obs - 1)
    run.step(f"pca n_comps={pcs}", lambda: sc.pp.pca(data, n_comps=pcs), True)
    run.step(
        f"neighbors n_pcs={pcs} n_neighbors={k}", lambda: sc.pp.neighbors(data, n_pcs=pcs, n_neighbors=k), True
    )
    run.step(
        f"moments n_pcs=none n_neighbors=none dtype={options.dtype}", lambda: moments(data, options.dtype), True
    )


def moments(data, dtype):
    scv.pp.moments(data, n_pcs=None, n_neighbors=None)
    for name in ("Ms", "Mu"):
        data.layers[name] = np.asarray(data.layers[name], dtype=dtype)


def velocities(run, options):
    data, quiet = run.data, {"n_jobs": 1, "show_progress_bar": False}
    for vkey, mode in (("velocity_det", "deterministic"), ("velocity_sto", "stochastic")):
        run.step(f"velocity vkey={vkey} mode={mode}", lambda: scv.tl.velocity(data, vkey=vkey, mode=mode))
    genes = options.genes
    run.step(
        f"recover_dynamics var_names={genes}", lambda: scv.tl.recover_dynamics(data, var_names=genes, **quiet)
    )
    run.step("velocity mode=dynamical", lambda: scv.tl.velocity(data, mode="dynamical"))
    for vkey in ("velocity_det", "velocity_sto", "velocity"):
        run.step(f"velocity_graph vkey={vkey}", lambda: scv.tl.velocity_graph(data, vkey=vkey, **quiet))


def downstream(run, groupby):
    data = run.data
    run.step("velocity_embedding basis=pca", lambda: scv.tl.velocity_embedding(data, basis="pca"))
    run.step("velocity_confidence", lambda: scv.tl.velocity_confidence(data))
    run.step("terminal_states", lambda: scv.tl.terminal_states(data))
    run.step("latent_time", lambda: scv.tl.latent_time(data))
    run.step("velocity_pseudotime", lambda: scv.tl.velocity_pseudotime(data))
    if groupby not in data.obs:
        return
    for name in ("rank_velocity_genes", "rank_dynamical_genes"):
        run.step(f"{name} groupby={groupby}", lambda: getattr(scv.tl, name)(data, groupby=groupby))
    run.step(
        f"differential_kinetic_test groupby={groupby}",
        lambda: scv.tl.differential_kinetic_test(data, groupby=groupby),
    )


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("counts", nargs="?", help="an .h5ad file with layers spliced and unspliced")
    parser.add_argument("directory", help="where the files go")
    parser.add_argument("--simulate", metavar="CELLSxGENES", help="draw the counts instead of reading them")
    parser.add_argument("--raw", action="store_true", help="with --simulate: the simulation's real numbers as they are")
    parser.add_argument("--min-shared-counts", type=int, default=20)
    parser.add_argument("--n-top-genes", type=int, default=2000)
    parser.add_argument("--n-pcs", type=int, default=30)
    parser.add_argument("--n-neighbors", type=int, default=30)
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32", help="of the moments")
    parser.add_argument("--genes", default="velocity_genes", help="var_names of recover_dynamics")
    parser.add_argument("--groupby", default="clusters", help="a column of obs for the rankings, if it is there")
    options = parser.parse_args()
    if (options.counts is None) == (options.simulate is None):
        parser.error("give a file of counts or --simulate")
    return options


def main():
    options = read_options()
    scv.settings.verbosity = 0
    mend_stochastic_fit()
    os.makedirs(options.directory, exist_ok=True)
    counts = os.path.join(options.directory, "counts.h5ad")
    if options.simulate:
        simulated_counts(options.simulate, options.raw, options.directory).write_h5ad(counts, compression="gzip")
    else:
        shutil.copyfile(options.counts, counts)
    data = anndata.read_h5ad(counts)
    data.var_names_make_unique()
    run = Recorder(data, options.directory)
    preprocess(run, options)
    velocities(run, options)
    downstream(run, options.groupby)
    run.finish()
    print(f"{options.directory}: {data.n_obs} cells x {data.n_vars} genes, {len(run.recipes)} steps")


if __name__ == "__main__":
    main()
