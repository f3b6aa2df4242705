// Whether nodes with a label have one of others, too, and how many have none of these.
RETURN EXISTS { MATCH (n:`%label%`) WHERE n:`%others%` } AS shared,
       COUNT { MATCH (n:`%label%`) WHERE NOT n:`%others%` } AS alone
