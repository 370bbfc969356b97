"""Runs test modules of the standard library and records every exception that a raise or assert statement of the library starts.

Usage: record.py OUT SECONDS MODULE [MODULE ...]

Each line of OUT is a JSON object: type, message, path (relative to the library), line, function, locals (repr of simple values),
traceback. The tests run in this process, one module after the other, each for at most its share of SECONDS; the first record of
each (path, line, message) is kept.
"""

import dis
import importlib
import io
import json
import os
import signal
import sys
import sysconfig
import threading
import time
import traceback
import unittest

LIB = os.path.realpath(sysconfig.get_paths()["stdlib"]) + os.sep
MAX_SITE = 25  # records kept of one line
seen = set()
per_line = {}
out = None
codes = {}


def raising_lines(code):
    """The offsets of the instructions of a code object that raise by themselves."""
    found = codes.get(code)
    if found is None:
        found = {i.offset for i in dis.get_instructions(code) if i.opname == "RAISE_VARARGS" and i.argval}
        codes[code] = found
    return found


def simple(value):
    if isinstance(value, (bool, int, float, str, bytes, type(None))):
        text = repr(value)
        return text if len(text) < 200 else None
    if isinstance(value, (list, tuple, set, dict, frozenset)):
        return "<len %d>" % len(value)
    return None


def tracer(frame, event, arg):
    if event == "call":
        name = frame.f_code.co_filename
        if not name.startswith(LIB) or "site-packages" in name:
            return None
        frame.f_trace_lines = False
        return tracer
    if event == "exception":
        record(frame, arg)
    return tracer


def record(frame, arg):
    kind, value, tb = arg
    if tb is None or tb.tb_next is not None or tb.tb_frame is not frame:
        return
    code = frame.f_code
    if tb.tb_lasti not in raising_lines(code):
        return
    # A raise that is given an exception which was raised before only passes it on: its traceback is longer than this frame's.
    if value is None or (getattr(value, "__wherefore__", None) is not None):
        return
    try:
        message = str(value)
    except Exception:
        return
    path = code.co_filename[len(LIB):]
    line = tb.tb_lineno
    key = (path, line, message)
    if key in seen or per_line.get((path, line), 0) >= MAX_SITE or len(message) > 4000:
        return
    seen.add(key)
    per_line[(path, line)] = per_line.get((path, line), 0) + 1
    try:
        value.__wherefore__ = True
    except Exception:
        pass
    stack = traceback.extract_stack(frame)[-4:]
    text = ["Traceback (most recent call last):\n"]
    text += traceback.format_list(stack)
    text += traceback.format_exception_only(type(value), value)
    name = type(value).__qualname__
    if type(value).__module__ not in ("builtins", "__main__"):
        name = type(value).__module__ + "." + name
    variables = {}
    for k, v in list(frame.f_locals.items())[:40]:
        shown = simple(v)
        if shown is not None:
            variables[k] = shown
    out.write(json.dumps({"type": name, "message": message, "path": path, "line": line, "function": code.co_qualname
                          if hasattr(code, "co_qualname") else code.co_name, "locals": variables, "traceback": "".join(text)}) + "\n")


class Timeout(BaseException):
    pass


def on_alarm(signum, frame):
    raise Timeout()


def main():
    global out
    out = open(sys.argv[1], "w", encoding="utf-8", errors="backslashreplace")
    seconds = float(sys.argv[2])
    modules = sys.argv[3:]
    signal.signal(signal.SIGALRM, on_alarm)
    end = time.monotonic() + seconds
    for i, name in enumerate(modules):
        share = max(2.0, (end - time.monotonic()) / (len(modules) - i))
        if time.monotonic() > end:
            break
        try:
            suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module("test." + name))
        except BaseException as e:
            print("skip", name, repr(e)[:80], file=sys.stderr)
            continue
        signal.setitimer(signal.ITIMER_REAL, share)
        threading.settrace(tracer)
        sys.settrace(tracer)
        try:
            unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(suite)
        except BaseException as e:
            if not isinstance(e, Timeout):
                print("stopped", name, repr(e)[:80], file=sys.stderr)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            signal.setitimer(signal.ITIMER_REAL, 0)
        out.flush()
    out.close()
    os._exit(0)


main()
