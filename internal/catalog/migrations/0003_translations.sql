-- What messages of errors read in other locales, where message catalogues of the repository say it: encoded templates by error.

CREATE TABLE translation (
  error    TEXT NOT NULL,
  template BLOB NOT NULL,
  PRIMARY KEY (error, template)
) WITHOUT ROWID;
