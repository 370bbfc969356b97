package link_test

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/link"
)

// A text that is kept under a name is known by its value, wherever the name is defined and whatever it is called: a number sign or a
// method called format behind it formats it.
func TestNamedTexts(t *testing.T) {
	const texts = "P = \"%s holds %d bytes\"\nB = \"{} has {} bytes\"\nN = 7\n"
	for name, c := range map[string]struct{ source, want string }{
		"percent":            {"from texts import P\ndef f(k, n):\n    raise TypeError(P % (k, n))\n", "TypeError: {} holds {} bytes"},
		"one value":          {"from texts import P\ndef f(k):\n    raise TypeError(P % k)\n", "TypeError: {} holds {} bytes"},
		"brace":              {"import texts\ndef f(k, n):\n    raise TypeError(texts.B.format(k, n))\n", "TypeError: {} has {} bytes"},
		"through a variable": {"from texts import B\ndef f(k, n):\n    t = B.format(k, n)\n    raise TypeError(t)\n", "TypeError: {} has {} bytes"},
		"within another":     {"from texts import B\ndef f(k, n):\n    raise TypeError(\"sorry, \" + B.format(k, n))\n", "TypeError: sorry, {} has {} bytes"},
		"of the class":       {"class C:\n    A = \"{} is absent\"\n    def f(self, k):\n        raise TypeError(self.A.format(k))\n", "TypeError: {} is absent"},
		"by a function": {"def absent_message(k):\n    return f\"{k} is absent\"\ndef f(k):\n    t = absent_message(k)\n    raise TypeError(t)\n",
			"TypeError: {} is absent"},
		"a number": {"from texts import N\ndef f(k):\n    raise TypeError(N % k)\n", "TypeError: {}!the text is computed at run time"},
	} {
		if got := ids(linked(t, "r", "a.py", c.source, "texts.py", texts)); len(got) != 1 || len(got[c.want]) != 1 {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// What a function returned is known by its text, also where what it was given has changed since.
func TestHeldTexts(t *testing.T) {
	for name, body := range map[string]string{
		"at once":         "if bad := check(r.head); bad != \"\" {\n\t\treturn errors.New(\"r: \" + bad)\n\t}",
		"behind a change": "if bad := check(r.head); bad != \"\" {\n\t\tr.close()\n\t\treturn errors.New(\"r: \" + bad)\n\t}",
	} {
		got := ids(linked(t, "r", "a.go", `package a

import (
	"errors"
	"fmt"
)

func check(head map[string]int) string {
	for key := range head {
		if key == "" {
			return fmt.Sprintf("no key of %d", len(head))
		}
		if head[key] == 0 {
			return fmt.Sprintf("key %q is empty", key)
		}
	}
	return ""
}

func (r *reader) open() error {
	`+body+`
	return nil
}
`))
		if len(got) != 2 || len(got["error: r: key {} is empty"]) != 1 || len(got["error: r: no key of {}"]) != 1 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What a maker that is not known makes of the one text that it is given begins with that text.
func TestHandedTexts(t *testing.T) {
	got := ids(linked(t, "r", "A.java", "class A {\n void f(int n) {\n  if (n > 2) throw LimitException.of(this, \"no room for \" + n);\n"+
		"  throw LimitException.of(\"first text\", \"second text\");\n }\n}\n"))
	if len(got["LimitException: no room for {}{}!"+link.UnknownForeign]) != 1 || len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// An error that another one holds prints its own text in it.
func TestErrorsWithin(t *testing.T) {
	got := ids(linked(t, "r", "src/lib.rs", `
pub struct Error { kind: ErrorKind }
enum ErrorKind { Bad(char) }
impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self { ErrorKind::Bad(c) => write!(f, "bad character {:?}", c) }
    }
}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "glob: {}", self.kind) }
}
fn check(c: char) -> Result<(), Error> {
    Err(Error { kind: ErrorKind::Bad(c) })
}
`))
	if len(got["Error: glob: bad character {}"]) != 1 {
		t.Errorf("%v", got)
	}
}

// A factory is that of the class that is named, also where a class of the start of its path is known, and what a caller gives the
// function around it goes through the factory.
func TestFactories(t *testing.T) {
	const store = `<?php
namespace Shop\Store;
use Shop\Exception;
use Vendor\Missing;
final class Store
{
    public function row(int $at)
    {
        throw Exception\NoRow::new($at);
    }
    public function mark($m)
    {
        throw Missing::new($m);
    }
    public function first()
    {
        return $this->row(strlen('a first row of all'));
    }
}
`
	const base = "<?php\nnamespace Shop;\ninterface Exception {}\n"
	const row = `<?php
namespace Shop\Exception;
final class NoRow extends \LogicException
{
    public static function new($at): self
    {
        return new self(sprintf('There is no row %d.', $at));
    }
}
`
	got := ids(linked(t, "r", "src/Store.php", store, "src/Exception.php", base, "src/Exception/NoRow.php", row))
	if len(got["NoRow: There is no row {}."]) == 0 || len(got[": !"+link.UnknownForeign]) != 1 || len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// What a file imports by name is meant, also where a file beside it defines the same name.
func TestImportsHide(t *testing.T) {
	got := ids(linked(t, "r", "src/Errors/Closed.php", "<?php\nnamespace Shop\\Errors;\nuse Shop\\StateException;\nclass Closed extends StateException\n{\n"+
		"    public static function new()\n    {\n        throw new self('the shop is closed');\n    }\n}\n",
		"src/Errors/StateException.php", "<?php\nnamespace Shop\\Errors;\nclass StateException extends \\Exception\n{\n    public function __construct($m)\n"+
			"    {\n        parent::__construct('of errors: ' . $m);\n    }\n}\n",
		"src/StateException.php", "<?php\nnamespace Shop;\nclass StateException extends \\Exception\n{\n}\n"))
	if len(got["Closed: the shop is closed"]) != 1 || len(got) != 1 {
		t.Errorf("%v", got)
	}
}
