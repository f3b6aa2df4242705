`%function%`(x)
