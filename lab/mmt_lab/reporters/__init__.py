"""Every reporter takes the one result. Files are written whole or not at all."""

import os

from . import console, csv_files, html_page, json_file, markdown

FILES = {
    "report.json": json_file.render,
    "report.html": html_page.render,
    "report.md": markdown.render,
    "results.csv": csv_files.render_results,
    "samples.csv": csv_files.render_samples,
}


def publish(result, folder):
    """Prints first, and writes the files even so when nobody reads what is printed."""
    try:
        console.show(result)
        print(f"reports: {folder}")
    finally:
        _write_files(result, folder)


def _write_files(result, folder):
    for name, render in FILES.items():
        path = folder / name
        unfinished = folder / f".{name}.new"
        unfinished.write_text(render(result), encoding="utf-8", newline="")
        os.replace(unfinished, path)
