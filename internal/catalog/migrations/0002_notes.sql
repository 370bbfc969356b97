-- What people wrote about errors, as it stands in the repository at the revision: a JSON object of texts by path.

ALTER TABLE revision ADD COLUMN notes TEXT NOT NULL DEFAULT '{}';
