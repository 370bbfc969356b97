package locale

import (
	"testing"

	"github.com/wherefore-dev/wherefore/internal/lang/langtest"
)

func TestTexts(t *testing.T) { langtest.Run(t, Languages()...) }

func TestOf(t *testing.T) {
	for _, c := range []struct{ path, name, locale string }{
		{"src/messages_de.properties", "messages", "de"},
		{"src/messages.properties", "messages", ""},
		{"Strings.pt-BR.resx", "Strings", "pt-BR"},
		{"Strings.resx", "Strings", ""},
		{"po/zh_CN.po", "", "zh-CN"},
		{"app/locale/de/LC_MESSAGES/django.po", "django", "de"},
		{"config/locales/devise.en.yml", "devise", "en"},
		{"locales/en-US/errors.ftl", "errors", "en-US"},
		{"src/app/errors.properties", "errors", ""},
		{"public/locales/en/translation.json", "translation", "en"},
	} {
		if name, locale, ok := Of(c.path); name != c.name || locale != c.locale || !ok {
			t.Errorf("%s: %q, %q, %v", c.path, name, locale, ok)
		}
	}
}

// Of files of a common form only those in folders of catalogues are read.
func TestPaths(t *testing.T) {
	for path, want := range map[string]bool{"config/locales/en.yml": true, "i18n/de/main.json": true, "package.json": false,
		"locales/schema.json": false, ".github/workflows/ci.yml": false, "data/en.json": false} {
		if got := inLocaleFolder(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
