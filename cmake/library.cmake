# libvel: what the programs are made of, for others. The core has no HDF5; the io part adds files.
