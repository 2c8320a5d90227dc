"""E104: fixed reply templates and sign-offs that are to be recited."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon.imitation import either
from scaup.rules.lexicon.markup import quotations
from scaup.rules.model import Adjudication, Example, Habit, Rule, Severity, Verdict

_FIXED = re.compile(
    r"\b(?:the|this|these|following|exact|same|fixed|standard|set) (?:\w+ )?"
    + either("fixed_wording").pattern
    + r"|\b(?:when|once|after|as soon as|whenever|each time|every time|if) (?:\w+ ){1,4}?(?:"
    + either("done_words").pattern
    + r"|over\b|pass(?:es)?\b|(?:is|are) green\b|succeeds?\b|succeeded\b)",
    re.IGNORECASE,
)
_ORDER_LEAD = re.compile(r"\W*(?:\w+,? ){0,2}|.*[,;:]\s+(?:then |please )?", re.DOTALL)
_THE_USER = re.compile(r"(?:s|ing)? (?:the |your |them\b|him\b|her\b)", re.IGNORECASE)
_TO_THE_USER = re.compile(r"\W*to (?:the |your )?(?:user|caller|person|human)\b")
_OWN_REPLY = re.compile(
    r"\b(?:repl(?:y|ies)|answers?|responses?|sign[- ]?off|sign (?:every|each|all|your|the) (?:\w+ )?(?:comments?"
    r"|mails?|e?mails?|posts?))\b",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"\bsign(?:ed|ing|s)? (?:every|each|all|your|the) (?:\w+ )?(?:comments?|messages?|replies|reply|e-?mails?"
    r"|posts?|answers?|responses?"
    r"|reviews?)\b[^.]*\b(?:with|as)\b",
    re.IGNORECASE,
)
# An order to end or begin with fixed words that names no reply: what is said speaks to somebody.
_BARE_PLACING = re.compile(
    r"(?:^|[.;:,!?\n]\s*|\balways |\bplease |\bmust |\bthen |\band )(?:always |please |then )?"
    r"(?:end|close|finish|conclude|begin|start|open|wrap up|sign off|greet \w+(?: \w+)?|introduce yourself)"
    r"(?: off)?(?: by saying| by writing)? (?:with|as|by saying|by writing)\W*$",
    re.IGNORECASE,
)
_BARE_BEING = re.compile(
    r"\b(?:your|each|every|the) (?:first|last|final|opening|closing|very first|parting) (?:message|reply"
    r"|response|answer|line|words?|sentence|turn)s?"
    r" (?:must|should|shall|has to|have to|is to|are to|is always|are always|is|are|will) ?(?:always )?(?:be"
    r"|read|say)?\W*$",
    re.IGNORECASE,
)
_WITH_COMMENT = re.compile(
    r"\bwith (?:the|this|a) (?:comment|message|note|words?|reply|remark|greeting)s?:?\s*$", re.IGNORECASE
)
# Words that a person reads are to be recited in what is otherwise an artefact: a review, a comment, an e-mail.
_RECITED = re.compile(r"\b(?:words?|phrase|sentence|sign-?off|formula|greeting|catchphrase)\s*:?\s*$", re.IGNORECASE)
_MACHINE_MADE = re.compile(
    r"\b(?:commit|file|branch|changelog|tests?|title|heading|class|function|docstring|field|log)s?\b", re.IGNORECASE
)
_EVERY = re.compile(r"\b(?:every|each|always|whenever|whatever)\b", re.IGNORECASE)
_UNCHANGED = re.compile(
    r"\bwithout (?:chang|alter|add|omit|modif)\w+|\bno (?:changes|more and no less|matter)\b|\bnot? (?:chang|alter)\w+",
    re.IGNORECASE,
)
_SPEAKS = re.compile(r"[!?]\W*$|\b(?:I|I[’']m|I[’']ve|you|your|we|my|me|us)\b|[✅✔🎉🚀🤖👋😊]")
_DESCRIBES = re.compile(r"\b(?:ends|starts|begins|opens|closes|is|are|contains|returns|follows|reads)\b", re.IGNORECASE)
_BINDS = re.compile(r"\b(?:must|should|shall|has to|have to|needs to|your|you|please)\b", re.IGNORECASE)
_EACH = re.compile(
    r"\b(?:every|each|all)\b(?:\W+\w+)?\W+" + either("agents_reply").pattern + r"|\balways\b", re.IGNORECASE
)
_TOKEN = re.compile(r"[A-Z0-9_:#{}<>/\[\]|.-]+|\S*[_{<\[]\S*")
# The reply is tied to a condition; a quotation is the value of a member; it is code.
_ONLY_WHEN = re.compile(
    r"\bonly\b(?! (?:with|the|this|these|by|a)\b)[^.]*(?:\b(?:when|if|after|once)\b|…)|\b(?:unless|until)\b",
    re.IGNORECASE,
)
_MEMBER = re.compile(r"[\"']?\w+[\"']\s*:\s*$")
_CODE = re.compile(r"[()=_/\\]|\w\.\w|^[\w-]+: ?\w+$")
_TICK = re.compile(r"[✅✔🎉]")
# What is to be filled in. `[BUILD REPORT]` is not: it is a header as it stands.
_SLOT = re.compile(r"\{[^{}\n]*\}|<[^<>\n]+>|\[(?![A-Z]+(?: [A-Z]+)+\])[^\[\]\n]+\]|…|\.\.\.")
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n\s*\n|\n(?=\s*(?:[-*#]|\d+\.))")
_BLOCK = re.compile(
    r"\b(?:be|is|footer|disclaimer|postscript|preamble|line|lines|sentence|words|phrase|text|message|sign-?off"
    r"|template|exactly|verbatim|word for word|reads?|with|say|saying|wording|as is|to the letter|unchanged"
    r"|like this|as follows)"
    r"(?:\s*\([^()\n]*\))?\s*:\s*(?P<block>(?![\s\"'`“‘{\[]).{2,160}|\n+\s*(?![\"'`“‘{\[]).{2,160})"
)
# Where a reply is the agent's own; elsewhere it may be the tool's.
AGENTS_OWN = frozenset({"prompt", "instructions", "hint", "notification"})
_CUE = re.compile(r"[\"'`“‘:]")


class FixedReply(Rule):
    """A fixed sentence, template or sign-off is to be recited in the agent's replies.

    A sentence that is said every time is said when it is false as well; the agent learns the form of a finished
    answer and not what makes an answer finished.

    Habit: reciting the closing line whatever happened, and copying templates that it meets.
    Instead: say what the reply has to contain, and leave the wording to the agent; for programs give a schema.
    """

    code, name, habit, severity = "E104", "fixed-reply", Habit.IMITATION, Severity.LOW
    found = (
        Example("End each reply with 'Happy to help further!'", "instructions"),
        Example('Your last line is always: "All work is complete."', "prompt"),
        Example("Every message must begin with the sentence “I have read the rules.”", "prompt"),
        Example("When you are finished, say exactly 'The task was carried out.'", "instructions"),
        Example("Append 'Sent from the build bot' to every response.", "instructions"),
        Example("Sign off with `Yours, the reviewer`.", "prompt"),
        Example("Reply verbatim with this message:\nYour request is being handled.", "tool_result"),
    )
    passed = (
        Example("Start the commit message with 'fix: '.", "instructions", "artefact-format"),
        Example("Reply with exactly `NO_CHANGES` if nothing has to be done.", "prompt", "parsed-schema"),
        Example("Do not end a reply with 'Let me know what you think'.", "instructions", "forbids-recital"),
        Example("Ask the user exactly: 'Which branch do you mean?'", "prompt", "relays-message"),
        Example("Answer 'yes' or 'no' only.", "prompt", "choice-of-values"),
        Example("The last line of the output is 'n rows in all'.", "tool_description", "describes-output"),
        Example("End each reply with the line 'Sources: <urls>'.", "instructions", "carries-content"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge the sentence round each quotation, and each line that a colon announces."""
        said = text.text
        if not _CUE.search(said):
            return
        spans = sorted(quotations(said)) + [match.span("block") for match in _BLOCK.finditer(said)]
        ends = [
            match.end()
            for match in _SENTENCE_END.finditer(said)
            if not any(a < match.start() < b - 1 for a, b in spans) and not said[: match.start()].endswith(":")
        ]
        judged = 0
        for start, end in spans:
            first = max((at for at in ends if at <= start), default=0)
            last = min((at for at in ends if at >= end), default=len(said))
            if first < judged:
                continue
            before, after = said[max(first, start - 200) : start], said[end : min(last, end + 120)]
            placed = (
                text.surface in AGENTS_OWN
                and (_BARE_PLACING.search(before) or _BARE_BEING.search(before) or _WITH_COMMENT.search(before))
                and _SPEAKS.search(_bare(said[start:end]))
            )
            if not placed and not _recites(before, after):
                continue
            judged = last
            first += len(said[first:last]) - len(said[first:last].lstrip())
            last = first + len(said[first:last].rstrip())
            reason = _innocence(before, after, said[start:end], text.surface)
            if reason:
                yield Adjudication(self.code, Verdict.PASS, reason, first, last)
                continue
            yield Adjudication(
                self.code,
                Verdict.FINDING,
                "to-be-recited",
                first,
                last,
                message=f"{_bare(said[start:end])!r} is to be said every time, true or not.",
            )


def _bare(quoted: str) -> str:
    return quoted.strip().strip("\"'`“”‘’ \n")


def _recites(before: str, after: str) -> bool:
    """Whether the words round a quotation have it said in a reply."""
    around = before + " … " + after
    if either("reply_part").search(around) or _SIGNED.search(before):
        return True
    if either("agents_reply").search(around) and either("reply_placing", "word_for_word", "reply_ornament").search(
        around
    ):
        return True
    if not either("reply_saying:base+ing").search(before):
        return False
    return bool(either("word_for_word", "every_time").search(around) or _FIXED.search(around))


def _innocence(before: str, after: str, quoted: str, surface: str) -> str | None:
    """Return why a recital is innocent, or None."""
    around = before + " … " + after
    inner = _bare(quoted)
    if _ONLY_WHEN.search(around):
        return "tied-to-evidence"
    if _MEMBER.search(before):
        return "shown-in-example"
    if either("stripping").search(_UNCHANGED.sub("", before)):
        return "forbids-recital"
    recited = (
        _RECITED.search(before) or (_WITH_COMMENT.search(before) and _SPEAKS.search(inner))
    ) and not _MACHINE_MADE.search(around)
    if either("artefact").search(around) and not _OWN_REPLY.search(around) and not recited:
        return "artefact-format"
    recited_claim = (either("done_words").search(inner) or _TICK.search(inner)) and _EVERY.search(before)
    if not recited_claim and (
        _TO_THE_USER.match(after) or any(_THE_USER.match(before, m.end()) for m in either("relaying").finditer(before))
    ):
        return "relays-message"
    if either("read_by_program").search(around) or _TOKEN.fullmatch(inner):
        return "parsed-schema"
    if quoted.lstrip().startswith("`") and _CODE.search(inner):
        return "names-code"
    bound = _BINDS.search(around) or (surface in AGENTS_OWN and _EACH.search(around))
    if not bound and (surface == "parameter_description" or (_DESCRIBES.search(before) and not _orders(before))):
        return "describes-output"
    words = re.findall(r"[A-Za-z’']{2,}", _SLOT.sub(" ", inner))
    claims = either("done_words").search(inner) or _TICK.search(inner)
    if _SLOT.search(inner) and len(words) < 4 and not claims:
        return "carries-content"
    if (len(words) < 2 or not re.search(r"\s", inner)) and not claims and not inner.endswith("!"):
        return "choice-of-values"
    return None


def _orders(before: str) -> bool:
    """Whether the words before a quotation order it, at the start of the sentence or behind a condition."""
    verbs = either("reply_placing:base", "reply_saying:base").finditer(before)
    return any(_ORDER_LEAD.fullmatch(before, 0, verb.start()) for verb in verbs)
