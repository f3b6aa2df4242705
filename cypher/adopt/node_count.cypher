COUNT { (:`%label%`) }
