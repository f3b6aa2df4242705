COUNT { (:`%label%`)-[:`%type%`]->() }
