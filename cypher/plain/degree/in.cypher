COUNT { (node)<-[:`%relation%`]-() }
