package golang

import (
	"strings"

	"github.com/wherefore-dev/wherefore/internal/raise"
)

// conversions are calls that leave the printed value as it is.
var conversions = map[string]bool{"string": true, "error": true, "int": true, "int64": true, "int32": true, "uint64": true,
	"uint32": true, "uint": true, "float64": true, "uint8": true, "uint16": true, "int8": true, "int16": true, "byte": true}

// formatting are calls that format a text, with the place of the format string.
var formatting = map[string]int{"fmt.Sprintf": 0, "fmt.Appendf": 1, "i18n.T": 0, "gettext.Gettext": 0}

// constructor is a function that makes an error of a text.
type constructor struct {
	text   int    // place of the text or format among the arguments
	format bool   // the text is a format with the rest of the arguments
	wraps  int    // place of an error whose text follows after ": ", or -1
	prefix string // what the library prints before the text
}

// constructors are the functions of the standard library and of the usual error packages that make errors.
var constructors = map[string]constructor{
	"errors.New":                 {0, false, -1, ""},
	"fmt.Errorf":                 {0, true, -1, ""},
	"errors.Errorf":              {0, true, -1, ""},
	"errors.Newf":                {0, true, -1, ""},
	"errors.Wrap":                {1, false, 0, ""},
	"errors.Wrapf":               {1, true, 0, ""},
	"errors.WithMessage":         {1, false, 0, ""},
	"errors.WithMessagef":        {1, true, 0, ""},
	"errors.AssertionFailedf":    {0, true, -1, ""},
	"errors.NewWithDepth":        {1, false, -1, ""},
	"errors.NewWithDepthf":       {1, true, -1, ""},
	"xerrors.New":                {0, false, -1, ""},
	"xerrors.Errorf":             {0, true, -1, ""},
	"pkgerrors.Wrap":             {1, false, 0, ""},
	"status.Error":               {1, false, -1, ""},
	"status.Errorf":              {1, true, -1, ""},
	"status.New":                 {1, false, -1, ""},
	"status.Newf":                {1, true, -1, ""},
	"connect.NewError":           {1, false, -1, ""},
	"field.Invalid":              {2, false, -1, ""},
	"field.Required":             {1, false, -1, ""},
	"field.Forbidden":            {1, false, -1, ""},
	"field.TooLong":              {2, false, -1, ""},
	"apierrors.NewBadRequest":    {0, false, -1, ""},
	"apierrors.NewInternalError": {0, false, -1, ""},
}

// report is a call that reports an error without making a value.
type report struct {
	kind   raise.Kind
	typ    string
	text   int
	format bool
	ends   bool // nothing behind it runs
	line   bool // arguments are joined with blanks
}

// reports are the calls of packages, by their full name.
var reports = map[string]report{
	"panic":             {raise.KindPanic, "panic", 0, false, true, false},
	"log.Fatal":         {raise.KindFatal, "", 0, false, true, true},
	"log.Fatalln":       {raise.KindFatal, "", 0, false, true, true},
	"log.Fatalf":        {raise.KindFatal, "", 0, true, true, false},
	"log.Panic":         {raise.KindPanic, "panic", 0, false, true, true},
	"log.Panicln":       {raise.KindPanic, "panic", 0, false, true, true},
	"log.Panicf":        {raise.KindPanic, "panic", 0, true, true, false},
	"slog.Error":        {raise.KindLog, "", 0, false, false, false},
	"slog.ErrorContext": {raise.KindLog, "", 1, false, false, false},
	"http.Error":        {raise.KindHTTP, "", 1, false, false, false},
	"klog.Fatal":        {raise.KindFatal, "", 0, false, true, true},
	"klog.Fatalf":       {raise.KindFatal, "", 0, true, true, false},
	"klog.Error":        {raise.KindLog, "", 0, false, false, true},
	"klog.Errorf":       {raise.KindLog, "", 0, true, false, false},
	"klog.ErrorS":       {raise.KindLog, "", 1, false, false, false},
	"glog.Fatal":        {raise.KindFatal, "", 0, false, true, true},
	"glog.Fatalf":       {raise.KindFatal, "", 0, true, true, false},
	"glog.Errorf":       {raise.KindLog, "", 0, true, false, false},
	"logrus.Fatal":      {raise.KindFatal, "", 0, false, true, true},
	"logrus.Fatalf":     {raise.KindFatal, "", 0, true, true, false},
	"logrus.Error":      {raise.KindLog, "", 0, false, false, true},
	"logrus.Errorf":     {raise.KindLog, "", 0, true, false, false},
}

// methods are the calls on a value whose type is not known here, by the method's name: loggers and tests.
var methods = map[string]report{
	"Fatal":   {raise.KindFatal, "", 0, false, true, true},
	"Fatalf":  {raise.KindFatal, "", 0, true, true, false},
	"Fatalln": {raise.KindFatal, "", 0, false, true, true},
	"Panic":   {raise.KindPanic, "panic", 0, false, true, true},
	"Panicf":  {raise.KindPanic, "panic", 0, true, true, false},
	"Errorf":  {raise.KindLog, "", 0, true, false, false},
	"Errorw":  {raise.KindLog, "", 0, false, false, false},
	"Fatalw":  {raise.KindFatal, "", 0, false, true, false},
}

// testMethods are those of a test's t and b.
var testMethods = map[string]report{
	"Fatal":  {raise.KindTest, "", 0, false, true, true},
	"Fatalf": {raise.KindTest, "", 0, true, true, false},
	"Error":  {raise.KindTest, "", 0, false, false, true},
	"Errorf": {raise.KindTest, "", 0, true, false, false},
}

// reportOf finds what a call reports.
func reportOf(name string) (report, bool) {
	if r, ok := reports[name]; ok {
		return r, true
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return report{}, false
	}
	owner, method := name[:i], name[i+1:]
	if owner == "t" || owner == "b" || owner == "tb" || strings.HasSuffix(owner, ".t") || owner == "f" && method != "Errorf" {
		r, ok := testMethods[method]
		return r, ok
	}
	if method == "Error" && loggerName(owner) {
		return report{raise.KindLog, "", 0, false, false, false}, true
	}
	r, ok := methods[method]
	if ok && r.kind == raise.KindLog && !loggerName(owner) {
		return report{}, false
	}
	return r, ok
}

// loggerName reports whether a value is called like a logger.
func loggerName(owner string) bool {
	last := strings.ToLower(owner[strings.LastIndexByte(owner, '.')+1:])
	return strings.Contains(last, "log") || last == "l" || last == "sugar" || last == "lg"
}

// raisingName reports whether a function is called as one that raises what it is given.
func raisingName(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"err", "fail", "fatal", "panic", "throw", "die", "abort", "bug", "invalid", "bad", "reject", "warn", "usage", "exit", "assert", "must", "check", "require", "complain"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
