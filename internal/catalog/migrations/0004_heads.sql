-- What tells in few bytes whether the facts of a content have to be read for a question: its module and a filter of its names.

ALTER TABLE facts ADD COLUMN head BLOB NOT NULL DEFAULT x'';
