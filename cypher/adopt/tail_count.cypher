COUNT { ()-[:`%type%`]->(:`%label%`) }
