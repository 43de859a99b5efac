"""The reporters of a study. Files are written whole or not at all."""

from ..command.standard_output import say
from ..text import whole_file
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
        say(f"reports: {folder}")
    finally:
        _write_files(result, folder)


def _write_files(result, folder):
    for name, render in FILES.items():
        whole_file.write(folder / name, render(result))
