`%function%`([key, toString(x)])[1]
