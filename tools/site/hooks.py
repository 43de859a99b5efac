"""mkdocs hooks: pages that lie outside docs/, and tables made while the site is built.

README.md, CHANGELOG.md, CONTRIBUTING.md, SECURITY.md and the pages of workloads/ join the pages of
docs/. Links are those of the repository, and lead to the same pages on the site. A table that
cannot be made (tables.py) ends the build.
"""

import pathlib
import posixpath
import re
import sys

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from tables import NoTable, filled  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTSIDE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "workloads/README.md",
           "workloads/classic/README.md")  # fmt: skip
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files, config):
    for path in OUTSIDE:
        files.append(File(path, str(ROOT), config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, config, files):
    return with_site_links(with_tables(markdown), page.file.src_uri, files)


def with_tables(markdown):
    try:
        return filled(markdown)
    except NoTable as failure:
        raise PluginError(str(failure)) from failure


def in_repository(uri):
    """Where a page of the site lies in the repository."""
    return uri if uri in OUTSIDE else f"docs/{uri}"


def with_site_links(markdown, uri, files):
    """The page's links, which hold in the repository, as links between pages of the site."""
    folder = posixpath.dirname(in_repository(uri))

    def moved(link):
        if "://" in link[1] or link[1].startswith("mailto:"):
            return link[0]
        target = posixpath.normpath(posixpath.join(folder, link[1]))
        target = target if target in OUTSIDE else target.removeprefix("docs/")
        if files.get_file_from_path(target) is None:
            raise PluginError(f"{in_repository(uri)}: '{link[1]}' is no page or file of the site")
        start = posixpath.dirname(uri) or "."
        return f"]({posixpath.relpath(target, start)}{link[2] or ''})"

    return LINK.sub(moved, markdown)
