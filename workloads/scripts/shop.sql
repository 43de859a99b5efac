-- A shop in memory: inserts, indexes, joins, group_concat, updates, deletes, sorting.
-- Prints its answers; the CHECK at the end stops sqlite3 -bail with an error when one is wrong.
PRAGMA temp_store = memory;
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer INTEGER, product TEXT, amount INTEGER);

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
INSERT INTO customer SELECT i, 'customer-' || (i * 7919 % 20011), 'city-' || (i * 31 % 97) FROM n;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
INSERT INTO purchase
SELECT i, 1 + (i * 16807 % 20000), 'product-' || (i * 48271 % 1009), i * 69621 % 1000 FROM n;

CREATE INDEX purchase_customer ON purchase(customer);
CREATE INDEX purchase_product ON purchase(product, amount);
CREATE INDEX customer_city ON customer(city);

CREATE TABLE answer(name TEXT, value INTEGER);
INSERT INTO answer SELECT 'basket', sum(length(list))
FROM (SELECT group_concat(product || ':' || amount, ',') AS list FROM purchase GROUP BY customer);
INSERT INTO answer SELECT 'city', max(total)
FROM (SELECT city, sum(amount) AS total FROM purchase JOIN customer ON customer.id = customer
      GROUP BY city);
INSERT INTO answer SELECT 'names', sum(length(names))
FROM (SELECT product, group_concat(DISTINCT name) AS names
      FROM purchase JOIN customer ON customer.id = customer GROUP BY product);
UPDATE purchase SET product = replace(product, 'product', 'article') || upper(product)
WHERE amount % 3 = 0;
DELETE FROM purchase WHERE id % 7 = 0;
INSERT INTO answer SELECT 'sorted', sum(length(product) * (place % 5))
FROM (SELECT product, row_number() OVER (ORDER BY product, amount DESC) AS place FROM purchase);
SELECT name, value FROM answer;

CREATE TABLE known(name TEXT PRIMARY KEY, value INTEGER, found INTEGER CHECK (found = value));
WITH expected(name, value) AS (VALUES ('basket', 4716968), ('city', 1592985), ('names', 4332521),
                               ('sorted', 7478014))
INSERT INTO known SELECT name, value, (SELECT value FROM answer WHERE answer.name = expected.name)
FROM expected;
