#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules describe every operation that the recorder can record, and fit together."""

import configparser
import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
KINDS = {"data", "order"}
RELATIONS = {"same", "next", "previous"}
POINTS = {"begin", "end"}
TIMINGS = {"local", "release", "start", "barrier", "together", "message", "probe", "rendezvous", "complete", "finish",
           "poll", "tree", "pause"}
COUNT = re.compile(r"value(-[0-9]+)?$")
USES = re.compile(r"(many|one|two|value(-[0-9]+)?)$")
KEYS = {"class": {"summary", "sequence", "holding", "given", "first", "taken"},
        "operation": {"class", "summary", "waits", "members", "sequence", "timing", "posts"},
        "arc": {"class", "from", "from-point", "to", "sequence", "kind", "count", "uses", "keeps", "soft",
                "decided", "to-class"},
        "work": {"class", "operation", "object"}}


def recorded():
    with open(os.path.join(ROOT, "include/lightcone/trace-format.h")) as header:
        found = re.findall(r'X \(\w+, \d+, "([\w-]+)", (\w+), \w+\)', header.read())
    return {name: cls.lower() for name, cls in found}


def read(path):
    rules = {"class": {}, "operation": {}, "arc": {}, "work": {}}
    parser = configparser.ConfigParser(interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    parser.read(path)
    for section in parser.sections():
        sort, _, name = section.partition(" ")
        rules[sort][name] = dict(parser[section])
    return rules


def problems_of(files, operations):
    rules = {"class": {}, "operation": {}, "arc": {}, "work": {}}
    for path in files:
        for sort, groups in read(path).items():
            for name, keys in groups.items():
                where = "%s: [%s %s]" % (os.path.basename(path), sort, name)
                if name in rules[sort]:
                    yield where + ": described twice"
                rules[sort][name] = keys
                for key in set(keys) - KEYS[sort]:
                    yield "%s: unknown key %s" % (where, key)
                if sort not in ("arc", "work") and not keys.get("summary"):
                    yield where + ": no summary"
    for name, cls in operations.items():
        if rules["operation"].get(name, {}).get("class") != cls:
            yield "operation %s of class %s is not described" % (name, cls)
    for name, keys in rules["operation"].items():
        if keys.get("class") not in rules["class"]:
            yield "operation %s: unknown class" % name
        if keys.get("timing", "local") not in TIMINGS:
            yield "operation %s: unknown timing" % name
    for name, keys in rules["work"].items():
        operation = rules["operation"].get(keys.get("operation"), {})
        if not keys.get("object") or operation.get("class") != keys.get("class"):
            yield "work %s: its operation is not of its class, or it has no object" % name
    for name, keys in rules["arc"].items():
        ends = [rules["operation"].get(keys.get(end), {}).get("class") for end in ("from", "to")]
        if ends != [keys.get("class"), keys.get("to-class", keys.get("class"))]:
            yield "arc %s: its operations are not of its classes" % name
        if keys.get("kind") not in KINDS or keys.get("sequence") not in RELATIONS:
            yield "arc %s: unknown kind or relation" % name
        if keys.get("from-point", "end") not in POINTS:
            yield "arc %s: unknown point" % name
        if not COUNT.match(keys.get("count", "value")) or not USES.match(keys.get("uses", "many")):
            yield "arc %s: unknown count or uses" % name
        for other, same in rules["arc"].items():
            point = [(arc.get("from"), arc.get("from-point", "end"), arc.get("sequence")) for arc in (keys, same)]
            if point[0] == point[1] and keys.get("uses", "many") != same.get("uses", "many"):
                yield "arc %s: %s has other uses of the same point" % (name, other)
    for name, keys in rules["class"].items():
        for operation in keys.get("holding", "").split(";"):
            if operation and rules["operation"].get(operation, {}).get("class") != name:
                yield "class %s: cannot hold by %s" % (name, operation)


def main():
    files = sorted(glob.glob(os.path.join(ROOT, "data/rules/*.rules")))
    problems = list(problems_of(files, recorded()))
    print("1..2")
    for problem in problems:
        print("#", problem)
    print("not ok" if problems or not files else "ok", "1 - every operation is described and the rules fit")
    found = list(problems_of(files, {**recorded(), "unheard-of": "mutex"}))
    print("ok" if found else "not ok", "2 - an operation that is not described is found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
