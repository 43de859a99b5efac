-- Orders in memory, fewer than shop.sql has, for a trace: inserts, an index, joins, changes, deletes.
PRAGMA temp_store = memory;
CREATE TABLE buyer(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE item(id INTEGER PRIMARY KEY, buyer INTEGER, product TEXT, amount INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO buyer SELECT i, 'buyer-' || (i * 7919 % 1009) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15000)
INSERT INTO item SELECT i, 1 + i * 16807 % 1000, 'product-' || (i * 48271 % 307), i * 69621 % 1000 FROM n;
CREATE INDEX item_product ON item(product, amount);
SELECT sum(length(list)) FROM (SELECT group_concat(product || ':' || amount, ',') AS list
                               FROM item GROUP BY buyer);
SELECT count(DISTINCT name) FROM item JOIN buyer ON buyer.id = buyer WHERE amount > 500;
UPDATE item SET product = replace(product, 'product', 'article') || upper(product) WHERE amount % 3 = 0;
DELETE FROM item WHERE id % 7 = 0;
SELECT sum(length(product) * (place % 5))
FROM (SELECT product, row_number() OVER (ORDER BY product, amount DESC) AS place FROM item);
