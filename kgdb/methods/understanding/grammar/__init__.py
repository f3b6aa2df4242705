"""A grammar that reads questions and claims: each rule joins words and a piece of a form."""
