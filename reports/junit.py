"""Findings as a test report: a case for each finding, or one that passes where there is none."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from scaup.reports import findings, inert


def render(response: dict[str, Any]) -> str:
    """Return the report in the form that JUnit's consumers share."""
    suites = ElementTree.Element("testsuites", {"name": "scaup"})
    counted = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "scaup audit"})
    for row in findings.counting(response):
        case = _case(suite, row["path"], f"{row['rule']} {row['name']} in line {row['span']['start_line']}", counted)
        failure = ElementTree.SubElement(case, "failure", {"message": _text(row["message"]), "type": row["rule"]})
        failure.text = _text(findings.message(row))
        counted["failures"] += 1
    for row in findings.suppressed(response):
        case = _case(suite, row["path"], f"{row['rule']} {row['name']} in line {row['span']['start_line']}", counted)
        by, reason = row["suppressed"]["by"], row["suppressed"]["reason"]
        ElementTree.SubElement(case, "skipped", {"message": _text(f"{by}: {reason}" if reason else by)})
        counted["skipped"] += 1
    for gap in findings.missing(response):
        case = _case(suite, "scaup", "audit", counted)
        ElementTree.SubElement(case, "error", {"message": _text(gap), "type": "incomplete"}).text = _text(gap)
        counted["errors"] += 1
    if not counted["tests"]:
        _case(suite, "scaup", "audit", counted)
    for element in (suites, suite):
        for name, number in counted.items():
            if name != "skipped" or element is suite:
                element.set(name, str(number))
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, path: str, name: str, counted: dict[str, int]) -> ElementTree.Element:
    counted["tests"] += 1
    return ElementTree.SubElement(suite, "testcase", {"classname": _text(path), "name": _text(name)})


def _text(text: str) -> str:
    """Return a text that XML can hold: what it forbids is escaped by then, but for two code points."""
    return inert.line(text).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
