BEGIN TRANSACTION;
CREATE TABLE batches (
    campaign integer not null, number integer not null, strategy text not null, seed text not null,
    made integer not null, seconds real not null, ending text not null, tally text not null,
    primary key (campaign, number)) without rowid;
INSERT INTO "batches" VALUES(1,0,'api','bitwuzla',2,5.27111280400004,'done','{"runs": 2, "lines": 180, "endings": {"done": 1, "crashed": 1}, "verdicts": {"unsat": 6, "sat": 1}, "errors": {}, "cpu": 0.2500000000000001, "first": 55}');
INSERT INTO "batches" VALUES(1,1,'api','bitwuzla',1,2.61096224000084475846e-01,'done','{"runs": 1, "lines": 137, "endings": {"refused": 1}, "verdicts": {"unsat": 6}, "errors": {"refused: BitwuzlaException interpolation queries with lemmas that use fresh variables not supported": 1}, "cpu": 0.010000000000000009, "first": 57}');
CREATE TABLE campaigns (
    id integer primary key, started real not null, elapsed real not null default 0,
    plan text not null, ended text not null default '');
INSERT INTO "campaigns" VALUES(1,1.79485490799181318286e+09,8.77629497899988564313e+00,'{"api": {"solvers": [["bitwuzla", ["z3", "cvc5"]]], "settings": {"theories": [], "weights": {}, "bounds": {"actions": 300, "width": 128, "depth": 40, "nodes": 600, "loops": 4, "levels": 5, "sorts": 12}, "seconds": 0.3, "memory": 2048, "compare": 0.1, "replay": 0.05, "options": 0.3, "runs_per_child": 200, "pipe": false}, "first": 55, "count": 3, "seconds": null}}','count reached');
CREATE TABLE faults (
    id integer primary key, campaign integer not null, batch integer not null, place integer not null,
    text text not null, seen real not null);
CREATE TABLE findings (
    signature text primary key, digest text not null, kind text not null, suspects text not null,
    evidence text not null, folder text not null, first_seen real not null, last_seen real not null
    ) without rowid;
INSERT INTO "findings" VALUES('api-crash | bitwuzla | crashed | check | signal N: what(): std::get: wrong index for variant','48dac149f901','api-crash','["bitwuzla"]','signal 6: what():  std::get: wrong index for variant','api-crash-bitwuzla-48dac149f901',1.79485491619204521173e+09,1794854916.19211);
CREATE TABLE measures (
    digest text not null, solver text not null, seconds real not null, verdicts text not null,
    ending text not null, primary key (digest, solver)) without rowid;
CREATE TABLE seeds (
    digest text primary key, name text not null, filtered text not null) without rowid;
CREATE TABLE sightings (
    signature text not null, campaign integer not null, batch integer not null, place integer not null,
    primary key (signature, campaign, batch, place)) without rowid;
INSERT INTO "sightings" VALUES('api-crash | bitwuzla | crashed | check | signal N: what(): std::get: wrong index for variant',1,0,1);
COMMIT;
PRAGMA user_version = 1;
