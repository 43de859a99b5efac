"""What the tests of pages share: a page taken apart."""

import html.parser
import json


class Page(html.parser.HTMLParser):
    """What a page loads, its charts, anchors and text; raises when tags do not match."""

    VOID = {"meta", "br", "img", "link", "input"}

    def __init__(self, text):
        super().__init__()
        self.loads, self.charts, self.text, self.styles = [], [], [], []
        self.anchors, self.links = [], []
        self._open = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name, value in attributes.items():
            if name == "id":
                self.anchors.append(value)
            elif name == "href" and value.startswith("#"):
                self.links.append(value[1:])
            elif name in ("src", "href", "srcset", "data"):
                self.loads.append(value)
        if tag not in self.VOID:
            self._open.append((tag, attributes))

    def handle_endtag(self, tag):
        if not self._open or self._open.pop()[0] != tag:
            raise AssertionError(f"</{tag}> does not match")

    def handle_data(self, data):
        tag, attributes = self._open[-1] if self._open else ("", {})
        if tag == "style":
            self.styles.append(data)
        elif tag != "script":
            self.text.append(data)
        elif attributes.get("type") == "application/json":
            self.charts.append(json.loads(data))

    def close(self):
        super().close()
        if self._open:
            raise AssertionError(f"not closed: {self._open}")

    def words(self):
        """The text without its layout."""
        return " ".join(" ".join(self.text).split())
