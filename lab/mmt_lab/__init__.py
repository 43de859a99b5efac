"""The laboratory: regenerates figures and tables of the papers on this machine.

declared: experiment.py and quantity.py, used by studies/; measured: session.py with instruments.py;
told: result.py, which every reporter of reporters/ takes as it is. `mmt report` reads results back
(result_files.py), those of `mmt bench` too (bench_result.py), and tells them on one page.
"""
