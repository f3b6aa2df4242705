// Entities whose name is their label with the value of a property: Invoice 404.
UNWIND [one IN $asked WHERE one.source = `%place%`] AS asked
MATCH (e:`%label%`) WHERE e.`%property%` IN asked.values
RETURN asked.text AS text, asked.query AS query, `%id(e)%` AS id, `%name(e)%` AS name
