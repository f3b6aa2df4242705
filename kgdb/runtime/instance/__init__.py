"""An instance: the folder of one local server and the files in it."""
