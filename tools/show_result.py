#!/usr/bin/env python3
"""show_result.py FILE.h5ad: what a run of the dynamical recipe found, in a screenful. Needs h5py only."""
import sys

import h5py
import numpy as np


def column(group, name):
    """A column of obs or var: numbers, or strings; categories are looked up."""
    item = group[name]
    if isinstance(item, h5py.Group) and "categories" in item:
        return item["categories"].asstr()[:][item["codes"][:]]
    if isinstance(item, h5py.Group):
        item = item["values"]
    return item.asstr()[:] if h5py.check_string_dtype(item.dtype) else item[:]


def index(group):
    return column(group, group.attrs["_index"])


def main():
    with h5py.File(sys.argv[1]) as file:
        var, genes = file["var"], index(file["var"])
        print(f"{len(index(file['obs']))} cells x {len(genes)} genes")

        if "fit_status" in var:
            words, counts = np.unique(column(var, "fit_status"), return_counts=True)
            print("genes: " + ", ".join(f"{n} {word}" for word, n in zip(words, counts)))

        likelihood = column(var, "fit_likelihood")
        best = np.argsort(-np.nan_to_num(likelihood, nan=-1), kind="stable")[:10]
        fields = ["likelihood", "alpha", "beta", "gamma", "t_", "r2"]
        print("\nbest fitted genes" + " " * 3 + "".join(f"{field:>12}" for field in fields))
        for gene in best:
            values = "".join(f"{column(var, 'fit_' + field)[gene]:12.4g}" for field in fields)
            print(f"  {genes[gene]:18}{values}")

        if "velocity_genes" in var:
            print(f"\nvelocity genes: {int(column(var, 'velocity_genes').sum())}")
        for name, meaning in (("velocity_graph", "towards"), ("velocity_graph_neg", "away from")):
            data = file["uns"][name]["data"][:]
            print(f"{name}: {len(data)} transitions {meaning} a neighbour, mean cosine {data.mean():.3f}")


if __name__ == "__main__":
    main()
