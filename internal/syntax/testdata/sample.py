"""Forms of which the grammar has aliases, fields that repeat, and nodes that are hidden."""
from __future__ import annotations
import os.path as p, sys

LIMIT: int = 0x10

@decorated(1, *args, key="v", **kw)
class Table(Base, metaclass=Meta):
    "Doc."

    async def read(self, first, /, second: int = 1, *rest, flag=False, **options) -> list[int]:
        # a comment
        if not first:
            raise ValueError(f"bad {first!r:>{self.width}} of {{x}} {second=}") from None
        elif first < 0 < second or first in (1, 2):
            raise KeyError("a" "b" % (first, second), "c".format(first=first))
        else:
            assert second, "none"
        async with lock as l, other:
            return [x async for x in rows if x if not y]
        while (n := next(it)) is not None:
            continue
        else:
            pass

    def nested(self):
        def inner(): return lambda a, *b, c=1, **d: a if b else c
        try:
            x, *y = yield from inner()
        except (A, B) as e:
            raise
        except* C:
            del x[1:2, ::3], y.z
        finally:
            global g
            print >> sys.stderr, "old"

def kind(value):
    match value:
        case {"a": 1, **rest} if rest: return -1j
        case Point(x=0, y=[_, *_]) | None: return 1_0.5e3
        case str() as s: return s @ b"\x00\N{DASH}"

type Alias[T] = dict[str, T]
exec "old" in {}
x = \
    1 ; y = '''long
    text''' rb"raw\n"
