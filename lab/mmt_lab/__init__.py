"""The laboratory: regenerates figures and tables of the papers on this machine.

declared: study/experiment.py and study/quantity.py, used by studies/; measured: measuring/session.py
with measuring/instruments.py; told: results/result.py, which every reporter of reporters/ takes as it
is. `mmt report` reads results back (results/result_files.py), those of `mmt bench` too
(results/bench_result.py), and tells them on one page.
"""
