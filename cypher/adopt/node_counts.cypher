// The numbers of nodes with each label, and of all nodes: counts that the store keeps.
RETURN [`%counts%`] AS counts, COUNT { () } AS nodes
