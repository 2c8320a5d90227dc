"""A small repository with a bit of everything that commands show: two commits, a test, an effect, a hostile file."""

from __future__ import annotations

import re
from pathlib import Path

from gitrepo import GitRepo

FILES = {
    "src/shop/__init__.py": "",
    "src/shop/cart.py": '''\
"""A cart and what it costs."""

import time

from shop.money import total as add_up

LIMIT = 10


class Cart:
    """Holds items."""

    def __init__(self):
        self.items = []

    @property
    def size(self):
        return len(self.items)

    @size.setter
    def size(self, value):
        self.items = self.items[:value]

    # Prices change at night.
    def price(self):
        """Return what all items cost."""
        return add_up(self.items)

    def add(self, item):
        if self.size < LIMIT:
            self.items.append(item)
        return self.price()


def wait(seconds):
    time.sleep(seconds)
''',
    "src/shop/money.py": '''\
def total(items):
    """Add up."""
    result = 0
    for item in items:
        result = add(result, item)
    return result


def add(a, b):
    return a + b
''',
    "src/shop/evil.py": 'def evil():\n    return "\x1b]0;owned\x07", "\x9b2J", "\u202etxt.exe", "\u2028"\n',
    "tests/test_cart.py": """\
from shop.cart import Cart


def test_price():
    assert Cart().add(1) == 1
""",
    "setup.cfg": "[options]\npackage_dir =\n    = src\n",
    "README.md": "# Shop\n",
}


def build(root: Path) -> GitRepo:
    """Build the repository in a folder."""
    repo = GitRepo(root)
    repo.commit(FILES, "Add the cart")
    repo.commit(
        {"src/shop/money.py": FILES["src/shop/money.py"] + "\n\ndef tax(amount):\n    return amount\n"},
        "Add taxes to money",
    )
    return repo


def mask(text: str, root: Path) -> str:
    """Replace what differs between machines and versions: the folder, the state, times, the size of the index."""
    text = text.replace(str(root), "ROOT")
    text = re.sub(r"(?m)^(facts +|.*\"state_id\": \")[0-9a-f]{16}", r"\1STATE", text)
    text = re.sub(r"\d+\.\d\d s(?= )", "0.00 s", text)
    return re.sub(r"terms \d+, postings \d+", "terms N, postings N", text)
