// Compared by `=`: for a list the planner may choose to scan the labels.
OPTIONAL MATCH (n:`%label%`) WHERE elementId(n) = $starts[batch][place][0]
