BEGIN TRANSACTION;
CREATE TABLE batches (
    campaign integer not null, number integer not null, strategy text not null, seed text not null,
    made integer not null, seconds real not null, ending text not null, tally text not null,
    primary key (campaign, number)) without rowid;
INSERT INTO "batches" VALUES(1,0,'opfuzz','seed.smt2',20,8.93827315999715210637e-01,'done','{"mutants": 20, "repeated": 35, "too_long": 0, "abandoned": 0, "granted": 0, "said": {"z3": {"unsat": 6, "sat": 14}}, "faults": 0, "seconds": 0.8938273159997152, "solver_cpu": 0.297198672, "solver_seconds": 0.7129281359998458, "timeout_seconds": 0.0, "own_cpu": 0.03226304899999999}');
CREATE TABLE campaigns (
    id integer primary key, started real not null, elapsed real not null default 0,
    plan text not null, ended text not null default '');
INSERT INTO "campaigns" VALUES(1,1.79485486298703956608e+09,3.53999604000000545056e+00,'{"seeds": ["seed.smt2"], "solvers": ["bitwuzla", "z3"], "strategies": ["opfuzz", "typefuzz"], "rng": 3, "timeout": 10.0, "memory": 2048, "seeds_digest": "c5b127bba9252faf", "count": 20, "seconds": null}','count reached');
CREATE TABLE faults (
    id integer primary key, campaign integer not null, batch integer not null, place integer not null,
    text text not null, seen real not null);
CREATE TABLE findings (
    signature text primary key, digest text not null, kind text not null, suspects text not null,
    evidence text not null, folder text not null, first_seen real not null, last_seen real not null
    ) without rowid;
INSERT INTO "findings" VALUES('crash | bitwuzla | internal error: terminate called after throwing an instance of ''std::bad_variant_access''','fb906c20805a','crash','["bitwuzla"]','bitwuzla crashed (internal error: terminate called after throwing an instance of ''std::bad_variant_access'')','crash-bitwuzla-fb906c20805a',1.7948548660640659332e+09,1.79485486606414413454e+09);
CREATE TABLE measures (
    digest text not null, solver text not null, seconds real not null, verdicts text not null,
    ending text not null, primary key (digest, solver)) without rowid;
INSERT INTO "measures" VALUES('0a8b88a4a5a63c8a','bitwuzla=0.9.1',5.00271099963356391526e-03,'','crashed');
INSERT INTO "measures" VALUES('0a8b88a4a5a63c8a','z3=5.4.0.0',7.75584899975001462735e-03,'sat','finished');
CREATE TABLE seeds (
    digest text primary key, name text not null, filtered text not null) without rowid;
INSERT INTO "seeds" VALUES('0a8b88a4a5a63c8a','seed.smt2','');
CREATE TABLE sightings (
    signature text not null, campaign integer not null, batch integer not null, place integer not null,
    primary key (signature, campaign, batch, place)) without rowid;
INSERT INTO "sightings" VALUES('crash | bitwuzla | internal error: terminate called after throwing an instance of ''std::bad_variant_access''',1,0,-1);
COMMIT;
PRAGMA user_version = 1;
