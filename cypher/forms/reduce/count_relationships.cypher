count(x)
