-- The catalog
--
-- A revision is a manifest: which files (a path with a content) it consists of, and for each the linked unit (the sites of that
-- file with their templates). Files, units and facts are content-addressed and shared, so that a further revision of the same
-- repository adds only what changed. Errors are the pages; error_unit says in which units an error's sites stand.
--
--   repo      one row per repository
--   facts     what the extractor says about one content (core and outline, compressed); a cache, never part of a state
--   file      a path with a content in a repository
--   unit      the linked sites of one file (compressed); another link result of the same file is another unit
--   revision  an indexed revision: its manifest and its coverage
--   error     an error of a repository, whether or not the newest revision still raises it
--   error_unit  where its sites are
--   meta      key and value: generation counts the states, templates the sets of errors; catalog tells two catalogs apart, so
--             that a match index is never taken for that of another

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', '0'), ('templates', '0'), ('catalog', lower(hex(randomblob(8))));

CREATE TABLE repo (
  id       INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,
  location TEXT NOT NULL,             -- where it was indexed from, without credentials
  host     TEXT NOT NULL DEFAULT '',  -- link template of the host's pages, empty if none
  stat     BLOB                       -- memo of a plain folder's stats, compressed
);

CREATE TABLE facts (
  hash     BLOB NOT NULL,             -- git blob id, 20 bytes
  language TEXT NOT NULL,
  version  INTEGER NOT NULL,          -- of the extractor
  core     BLOB NOT NULL,
  outline  BLOB NOT NULL,
  UNIQUE (hash, language)
);

CREATE TABLE file (
  id       INTEGER PRIMARY KEY,
  repo     INTEGER NOT NULL REFERENCES repo,
  path     TEXT NOT NULL,
  name     TEXT NOT NULL,             -- the path's last element, which stack traces keep
  hash     BLOB NOT NULL,
  language TEXT NOT NULL,
  kind     TEXT NOT NULL,             -- product, test, example, generated, vendored, minified
  size     INTEGER NOT NULL,
  UNIQUE (repo, path, hash, kind)
);
CREATE INDEX file_name ON file (name);

CREATE TABLE unit (
  id    INTEGER PRIMARY KEY,
  file  INTEGER NOT NULL REFERENCES file,
  hash  BLOB NOT NULL,                -- of the content, 8 bytes
  sites BLOB NOT NULL,
  UNIQUE (file, hash)
);

CREATE TABLE revision (
  id       INTEGER PRIMARY KEY,
  repo     INTEGER NOT NULL REFERENCES repo,
  label    TEXT NOT NULL,             -- the commit, or a name for a plain folder
  commitid TEXT NOT NULL DEFAULT '',  -- 40 hex digits, empty for a plain folder
  dirty    INTEGER NOT NULL DEFAULT 0,
  tree     TEXT NOT NULL DEFAULT '',
  names    TEXT NOT NULL DEFAULT '[]', -- tags and branches, JSON
  time     INTEGER NOT NULL,          -- of the commit, Unix seconds
  indexed  INTEGER NOT NULL,          -- when, Unix seconds
  recipe   TEXT NOT NULL,             -- versions of everything that decides the result
  manifest BLOB NOT NULL,             -- file and unit ids
  coverage TEXT NOT NULL,             -- JSON
  UNIQUE (repo, label)
);

CREATE TABLE error (
  id       TEXT PRIMARY KEY,          -- 16 hex digits
  repo     INTEGER NOT NULL REFERENCES repo,
  language TEXT NOT NULL,
  kind     TEXT NOT NULL,
  type     TEXT NOT NULL,
  template BLOB NOT NULL              -- encoded by package message
) WITHOUT ROWID;

CREATE TABLE error_unit (
  error TEXT NOT NULL,
  unit  INTEGER NOT NULL,
  PRIMARY KEY (error, unit)
) WITHOUT ROWID;
CREATE INDEX error_unit_unit ON error_unit (unit);
