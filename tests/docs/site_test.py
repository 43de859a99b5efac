"""`make docs`: the site builds without a warning, has every page, and loads nothing from elsewhere."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import pages

LOADS = re.compile(r"""(?:<script[^>]+src|<link[^>]+href|<img[^>]+src)=["']((?:https?:)?//[^"']+)""")


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = pathlib.Path(folder.name)
        environment = {**os.environ, "MMT_SITE_PROGRAM": os.environ["MMT_TEST_BINARY"]}
        cls.done = subprocess.run(["mkdocs", "build", "--strict", "--site-dir", folder.name], cwd=pages.ROOT,
                                  env=environment, capture_output=True, text=True, check=False)  # fmt: skip

    def test_no_warning(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertNotIn("WARNING", self.done.stderr)
        self.assertNotIn("not included in the \"nav\"", self.done.stderr)

    def test_every_page_is_there(self):
        for page in pages.PAGES:
            path = page.relative_to(pages.ROOT / "docs") if "docs" in page.parts else page.relative_to(pages.ROOT)
            name = "index.html" if path.name == "README.md" else f"{path.stem}.html"
            with self.subTest(page=str(path)):
                self.assertTrue((self.site / path.parent / name).is_file())

    def test_links_lead_somewhere(self):
        for page in self.site.rglob("*.html"):
            for target in re.findall(r'<a [^>]*href="([^"#]+\.html)(?:#[^"]*)?"', page.read_text(encoding="utf-8")):
                if "://" not in target and page.name != "404.html":
                    with self.subTest(page=page.name, link=target):
                        self.assertTrue((page.parent / target).is_file())

    def test_tables_are_made(self):
        figures = (self.site / "figures/index.html").read_text(encoding="utf-8")
        self.assertIn("<th>of the best peer (greater of two)</th>", figures)
        self.assertNotIn("<!-- table:", figures)
        study = (self.site / "studies/mmt.html").read_text(encoding="utf-8")
        self.assertIn("request to another core (ns)", study)

    def test_nothing_is_loaded_from_elsewhere(self):
        for page in self.site.rglob("*.html"):
            with self.subTest(page=page.name):
                self.assertEqual(LOADS.findall(page.read_text(encoding="utf-8")), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
