"""scvelo-rs: its own functions where it has some, scVelo's behind them. Rayon takes every core unless RAYON_NUM_THREADS,
which the runner sets, says otherwise."""

import driver
from scvelo_driver import ScVelo


class ScVeloRs(ScVelo):
    package = "scvelo-rs"

    def __init__(self, threads):
        super().__init__(threads)
        import scvelo_rs

        self.scv, self.tl = scvelo_rs, scvelo_rs.tl

    @property
    def curves(self):
        return self.scv.utils.compute_dynamics


if __name__ == "__main__":
    driver.main(ScVeloRs)
