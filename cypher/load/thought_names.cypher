// Creates the labels, types and properties of the thoughts that kgdb.got.run writes. kgdb.got.run creates none
// itself: such a name stays in the store even if its transaction is rolled back.
CALL db.createLabel('KgdbThought')
CALL db.createRelationshipType('KGDB_THOUGHT')
CALL db.createProperty('name')
CALL db.createProperty('position')
CALL db.createProperty('type')
