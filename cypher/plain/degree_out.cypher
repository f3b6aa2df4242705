COUNT { (node)-[:`%relation%`]->() }
