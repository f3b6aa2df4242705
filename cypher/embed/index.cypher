// The index of nearest names, for kgdb.entities.link with vectors.
CREATE VECTOR INDEX `%index%` FOR (e:`%label%`) ON (e.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: `%dimensions%`, `vector.similarity_function`: 'cosine'}}
