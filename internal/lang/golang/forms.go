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
	text   int  // place of the text or format among the arguments
	format bool // the text is a format with the rest of the arguments
	wraps  int  // place of an error whose text follows after ": ", or -1
	// layout, if not empty, is the text with the places of arguments in braces, of which the text is one.
	layout string
}

// constructors are the functions of the standard library and of the usual error packages that make errors.
var constructors = map[string]constructor{
	"errors.New":                   {0, false, -1, ""},
	"fmt.Errorf":                   {0, true, -1, ""},
	"errors.Errorf":                {0, true, -1, ""},
	"errors.Newf":                  {0, true, -1, ""},
	"errors.Wrap":                  {1, false, 0, ""},
	"errors.Wrapf":                 {1, true, 0, ""},
	"errors.WithMessage":           {1, false, 0, ""},
	"errors.WithMessagef":          {1, true, 0, ""},
	"errors.AssertionFailedf":      {0, true, -1, ""},
	"errors.NewWithDepth":          {1, false, -1, ""},
	"errors.NewWithDepthf":         {1, true, -1, ""},
	"xerrors.New":                  {0, false, -1, ""},
	"xerrors.Errorf":               {0, true, -1, ""},
	"pkgerrors.Wrap":               {1, false, 0, ""},
	"status.Error":                 {1, false, -1, ""},
	"status.Errorf":                {1, true, -1, ""},
	"status.New":                   {1, false, -1, ""},
	"status.Newf":                  {1, true, -1, ""},
	"connect.NewError":             {1, false, -1, ""},
	"field.Invalid":                {2, false, -1, "{0}: Invalid value: {1}: {2}"},
	"field.Required":               {1, false, -1, "{0}: Required value: {1}"},
	"field.Forbidden":              {1, false, -1, "{0}: Forbidden: {1}"},
	"field.TypeInvalid":            {2, false, -1, "{0}: Invalid value: {1}: {2}"},
	"field.Duplicate":              {1, false, -1, "{0}: Duplicate value: {1}"},
	"field.NotFound":               {1, false, -1, "{0}: Not found: {1}"},
	"field.TooLong":                {2, false, -1, "{0}: Too long: may not be more than {2} bytes"},
	"errors.NewBadRequest":         {0, false, -1, ""},
	"errors.NewUnauthorized":       {0, false, -1, ""},
	"errors.NewMethodNotAllowed":   {1, false, -1, "{1} is not supported on resources of kind {0}"},
	"errors.NewInternalError":      {0, false, -1, "Internal error occurred: {0}"},
	"errors.NewServiceUnavailable": {0, false, -1, ""},
}

// join says how a report makes one text of its arguments.
type join uint8

const (
	first   join = iota // the first argument is the text, others are kept beside it
	printed             // as fmt.Sprint does
	lined               // as fmt.Sprintln does
)

// report is a call that reports an error without making a value.
type report struct {
	kind   raise.Kind
	typ    string
	text   int
	format bool
	ends   bool // nothing behind it runs
	join   join
}

// reports are the calls of packages, by their full name.
var reports = map[string]report{
	"panic":             {raise.KindPanic, "panic", 0, false, true, first},
	"log.Fatal":         {raise.KindFatal, "", 0, false, true, printed},
	"log.Fatalln":       {raise.KindFatal, "", 0, false, true, lined},
	"log.Fatalf":        {raise.KindFatal, "", 0, true, true, first},
	"log.Panic":         {raise.KindPanic, "panic", 0, false, true, printed},
	"log.Panicln":       {raise.KindPanic, "panic", 0, false, true, lined},
	"log.Panicf":        {raise.KindPanic, "panic", 0, true, true, first},
	"slog.Error":        {raise.KindLog, "", 0, false, false, first},
	"slog.ErrorContext": {raise.KindLog, "", 1, false, false, first},
	"http.Error":        {raise.KindHTTP, "", 1, false, false, first},
	"klog.Fatal":        {raise.KindFatal, "", 0, false, true, printed},
	"klog.Fatalf":       {raise.KindFatal, "", 0, true, true, first},
	"klog.Error":        {raise.KindLog, "", 0, false, false, printed},
	"klog.Errorf":       {raise.KindLog, "", 0, true, false, first},
	"klog.ErrorS":       {raise.KindLog, "", 1, false, false, first},
	"klog.Fatalln":      {raise.KindFatal, "", 0, false, true, lined},
	"klog.Exit":         {raise.KindExit, "", 0, false, true, printed},
	"klog.Exitf":        {raise.KindExit, "", 0, true, true, first},
	"klog.Exitln":       {raise.KindExit, "", 0, false, true, lined},
	"klog.Errorln":      {raise.KindLog, "", 0, false, false, lined},
	"glog.Exit":         {raise.KindExit, "", 0, false, true, printed},
	"glog.Exitf":        {raise.KindExit, "", 0, true, true, first},
	"glog.Error":        {raise.KindLog, "", 0, false, false, printed},
	"glog.Fatal":        {raise.KindFatal, "", 0, false, true, printed},
	"glog.Fatalf":       {raise.KindFatal, "", 0, true, true, first},
	"glog.Errorf":       {raise.KindLog, "", 0, true, false, first},
	"logrus.Fatal":      {raise.KindFatal, "", 0, false, true, printed},
	"logrus.Fatalf":     {raise.KindFatal, "", 0, true, true, first},
	"logrus.Error":      {raise.KindLog, "", 0, false, false, printed},
	"logrus.Errorf":     {raise.KindLog, "", 0, true, false, first},
}

// methods are the calls on a value whose type is not known here, by the method's name: loggers and tests.
var methods = map[string]report{
	"Fatal":   {raise.KindFatal, "", 0, false, true, printed},
	"Fatalf":  {raise.KindFatal, "", 0, true, true, first},
	"Fatalln": {raise.KindFatal, "", 0, false, true, lined},
	"Panic":   {raise.KindPanic, "panic", 0, false, true, printed},
	"Panicf":  {raise.KindPanic, "panic", 0, true, true, first},
	"Errorf":  {raise.KindLog, "", 0, true, false, first},
	"Errorw":  {raise.KindLog, "", 0, false, false, first},
	"Fatalw":  {raise.KindFatal, "", 0, false, true, first},
}

// testMethods are those of a test's t and b.
var testMethods = map[string]report{
	"Fatal":  {raise.KindTest, "", 0, false, true, lined},
	"Fatalf": {raise.KindTest, "", 0, true, true, first},
	"Error":  {raise.KindTest, "", 0, false, false, lined},
	"Errorf": {raise.KindTest, "", 0, true, false, first},
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
	if method == "Msg" || method == "Msgf" {
		return eventOf(owner, method == "Msgf")
	}
	if !loggerName(owner) {
		r, ok := methods[method]
		return r, ok && r.kind != raise.KindLog
	}
	switch method {
	case "Error", "ErrorContext", "ErrorS", "ErrorCtx":
		r := report{raise.KindLog, "", 0, false, false, first}
		if method != "Error" {
			r.text = 1
		}
		return r, true
	}
	r, ok := methods[method]
	return r, ok
}

// eventOf is the report of a logger that gathers an event in a chain of calls: log.Error().Err(err).Msg("…").
func eventOf(chain string, format bool) (report, bool) {
	for level, r := range map[string]report{".Error()": {raise.KindLog, "", 0, format, false, first},
		".Fatal()": {raise.KindFatal, "", 0, format, true, first}, ".Panic()": {raise.KindPanic, "panic", 0, format, true, first}} {
		if strings.Contains(chain+".", level+".") {
			return r, true
		}
	}
	return report{}, false
}

// loggerName reports whether a value is called like a logger, or is made by one in a chain of calls.
func loggerName(owner string) bool {
	for part := range strings.SplitSeq(strings.ToLower(owner), ".") {
		if strings.Contains(part, "log") || part == "l" || part == "l()" || part == "sugar" || part == "sugar()" || part == "lg" {
			return true
		}
	}
	return false
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
