"""sqlite3: tables, indexes, joins, window functions, JSON, triggers, VACUUM, recursive queries."""

PACKAGES = ["sqlite3"]

SQL = """
PRAGMA cache_size = 500;
CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, kind INTEGER, price REAL, note BLOB);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
INSERT INTO item SELECT i, 'name' || (i * 7919 % 60013), i % 97, i * 0.25,
  substr('abcdefghijklmnopqrstuvwxyz', i % 20, i % 7) || hex(i) FROM n;
CREATE INDEX item_name ON item(name);
CREATE INDEX item_kind ON item(kind, price DESC);
CREATE TABLE log(what TEXT);
CREATE TRIGGER on_delete AFTER DELETE ON item BEGIN
  INSERT INTO log VALUES(old.name || ' ' || old.id); END;
SELECT kind, count(*), sum(price), group_concat(substr(name, 5, 2), '') FROM item
  WHERE id % 11 = 0 GROUP BY kind ORDER BY kind;
SELECT a.name, b.id FROM item a JOIN item b ON a.name = b.name AND a.id < b.id
  ORDER BY a.name LIMIT 50;
SELECT id, rank() OVER (PARTITION BY kind ORDER BY price) FROM item WHERE id % 571 = 0 ORDER BY id;
DELETE FROM item WHERE id % 3 = 0;
SELECT count(*), max(what), length(group_concat(what)) FROM log;
BEGIN; UPDATE item SET note = zeroblob(id % 900) WHERE kind < 9; ROLLBACK;
UPDATE item SET name = upper(name) || quote(note) WHERE kind > 90;
SELECT json_group_array(json_object('id', id, 'n', name)) FROM (SELECT * FROM item LIMIT 3000);
SELECT sum(value) FROM json_each((SELECT json_group_array(id) FROM item));
VACUUM;
PRAGMA integrity_check;
.dump log
"""


def case(lab):
    lab.run(["sqlite3", "test.db"], stdin=SQL, label="script")
    lab.run(["sqlite3", "test.db", "SELECT count(*), total(id), total(length(note)) FROM item"])
    lab.observe("database", lab.read("test.db"))
    lab.run(["sqlite3", "test.db", "SELECT * FROM missing"], status=1)
