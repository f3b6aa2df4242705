CREATE CONSTRAINT kgdb_relation IF NOT EXISTS FOR (r:Relation) REQUIRE (r.kg, r.id) IS UNIQUE
