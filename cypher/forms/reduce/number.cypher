`%function%`(key)
