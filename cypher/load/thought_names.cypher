// The names that kgdb.got.run writes a thought with. It creates none itself: a name that is once in
// the store stays there, even when the transaction that brought it is rolled back.
CALL db.createLabel('KgdbThought')
CALL db.createRelationshipType('KGDB_THOUGHT')
CALL db.createProperty('name')
CALL db.createProperty('position')
CALL db.createProperty('type')
