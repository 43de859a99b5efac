"""What an experiment is, and `mmt study`; the experiments are in studies/."""
