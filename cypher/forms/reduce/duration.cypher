`%function%`(duration(toString(x)))
