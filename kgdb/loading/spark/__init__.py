"""Loading by Apache Spark, for dumps that do not fit one machine: the same SQL, many machines."""
