"""Recipes as vel reads them: `step key=value … | step …`; a value is a bare word or a JSON scalar or array."""

import json


def _words(text):
    """Splits at spaces and '|' that are not inside quotes or brackets; '|' is a word of its own."""
    word, depth, quote = "", 0, None
    for c in text:
        if quote:
            word += c
            if c == quote:
                quote = None
        elif c in "\"'":
            quote = c
            word += c
        elif depth == 0 and (c.isspace() or c == "|"):
            if word:
                yield word
            word = ""
            if c == "|":
                yield c
        else:
            depth += {"[": 1, "]": -1}.get(c, 0)
            word += c
    if word:
        yield word


def value_of(text):
    if text.lower() == "none":
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text.strip("'")


def parse(text):
    """[(step, {option: value}), …]"""
    calls = []
    new = True
    for word in _words(text):
        if word == "|":
            new = True
        elif new:
            calls.append((word.replace("-", "_"), {}))
            new = False
        else:
            key, _, value = word.partition("=")
            calls[-1][1][key.replace("-", "_")] = value_of(value)
    return calls
