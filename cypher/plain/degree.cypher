COUNT { (node)-[`%out%`]->() } + COUNT { (node)<-[`%in%`]-() }
- COUNT { (node)-[`%not_out%`]->() } - COUNT { (node)<-[`%not_in%`]-() }
