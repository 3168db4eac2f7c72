"""scVelo, as its users call it: one job, no progress bar."""

import warnings

import driver


class ScVelo:
    package = "scvelo"

    def __init__(self, threads):
        warnings.filterwarnings("ignore")
        import numpy as np
        import scanpy as sc
        import scvelo as scv

        scv.settings.verbosity = 0
        self.np, self.sc, self.scv, self.tl = np, sc, scv, scv.tl
        self.jobs = {"n_jobs": threads, "show_progress_bar": False}
        self.reset()

    def reset(self):
        self.kernels, self.estimator = {}, None

    def warm_up(self, adata, calls):
        """Above 8,192 cells scanpy searches neighbours by pynndescent, which compiles itself at first use."""
        if any(step in ("neighbors", "moments") for step, _ in calls) and "neighbors" not in adata.uns:
            n = 8200 if adata.n_obs >= 8192 else 500
            random = self.sc.AnnData(self.np.random.default_rng(0).normal(size=(n, 31)))
            self.sc.pp.neighbors(random, n_neighbors=30, n_pcs=30)

    # ---- the steps

    def simulate(self, adata, **kw):
        return self.scv.datasets.simulation(**kw)

    def filter_and_normalize(self, adata, log=False, **kw):
        self.scv.pp.filter_and_normalize(adata, **kw)
        if log:
            self.sc.pp.log1p(adata)

    def filter_genes(self, adata, **kw):
        self.scv.pp.filter_genes(adata, **kw)

    def normalize_per_cell(self, adata, **kw):
        self.scv.pp.normalize_per_cell(adata, **kw)

    def log1p(self, adata):
        self.sc.pp.log1p(adata)

    def highly_variable_genes(self, adata, flavor="seurat", **kw):
        self.sc.pp.highly_variable_genes(adata, flavor=flavor, **kw)

    def pca(self, adata, **kw):
        self.sc.pp.pca(adata, **kw)

    def neighbors(self, adata, **kw):
        self.sc.pp.neighbors(adata, **kw)

    def moments(self, adata, dtype="float32", **kw):
        self.scv.pp.moments(adata, **kw)
        for name in ("Ms", "Mu"):
            adata.layers[name] = self.np.asarray(adata.layers[name], dtype=dtype)

    def recover_dynamics(self, adata, var_names="velocity_genes", **kw):
        if var_names == "fit_diff_kinetics":
            chosen = adata.var["fit_diff_kinetics"].fillna("").astype(bool)
            if not chosen.any():
                return
            var_names = list(adata.var_names[chosen])
        self.tl.recover_dynamics(adata, var_names=var_names, **self.jobs, **kw)

    def velocity(self, adata, **kw):
        if kw.get("diff_kinetics"):
            # the second fit has reset the key that this option is looked up in
            adata.uns["recover_dynamics"]["fit_diff_kinetics"] = "clusters"
        self.tl.velocity(adata, **kw)

    def velocity_graph(self, adata, **kw):
        self.tl.velocity_graph(adata, **self.jobs, **kw)

    def compute_dynamics(self, adata):
        """Every fitted gene; scVelo returns the curves, which are kept as layers."""
        fit_u = self.np.full(adata.shape, self.np.nan)
        fit_s = fit_u.copy()
        for gene in self.np.flatnonzero(adata.var["fit_alpha"].notna()):
            _, ut, st = self.curves(adata, adata.var_names[gene], key="fit", sort=False)
            fit_u[:, gene], fit_s[:, gene] = self.np.asarray(ut).ravel(), self.np.asarray(st).ravel()
        adata.layers["fit_u"], adata.layers["fit_s"] = fit_u, fit_s

    @property
    def curves(self):
        from scvelo.plotting.simulation import compute_dynamics

        return compute_dynamics

    def latent_time(self, adata, **kw):
        self.tl.latent_time(adata, **kw)

    def differential_kinetic_test(self, adata, groupby="clusters", **kw):
        if groupby not in adata.obs and "celltype" in adata.obs:
            adata.obs[groupby] = adata.obs["celltype"]
        self.tl.differential_kinetic_test(adata, groupby=groupby, **kw)

    # ---- fate, by CellRank

    def velocity_kernel(self, adata):
        from cellrank.kernels import VelocityKernel

        self.kernels["velocity"] = VelocityKernel(adata).compute_transition_matrix(show_progress_bar=False)

    def connectivity_kernel(self, adata):
        from cellrank.kernels import ConnectivityKernel

        self.kernels["connectivity"] = ConnectivityKernel(adata).compute_transition_matrix()

    def combine_kernels(self, adata, velocity=0.8, connectivity=0.2):
        self.kernels["both"] = velocity * self.kernels["velocity"] + connectivity * self.kernels["connectivity"]

    def gpcca(self, adata, n_states=5):
        from cellrank.estimators import GPCCA

        self.estimator = GPCCA(self.kernels["both"])
        self.estimator.fit(n_states=n_states)

    def predict_terminal_states(self, adata):
        self.estimator.predict_terminal_states()

    def fate_probabilities(self, adata):
        self.estimator.compute_fate_probabilities(show_progress_bar=False)


if __name__ == "__main__":
    driver.main(ScVelo)
