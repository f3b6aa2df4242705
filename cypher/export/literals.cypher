// Every literal of a loaded graph, with its subject.
MATCH (literal:`%label%`:Literal)<-[r]-(head:`%label%`)
RETURN `%id(head)%` AS head, type(r) AS relation, literal.value AS value,
       literal.datatype AS datatype, literal.language AS language, properties(r) AS properties
