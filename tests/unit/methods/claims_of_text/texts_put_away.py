"""Short texts with the sentences that are claims in them, written before the code was."""

from __future__ import annotations

PUT_AWAY: dict[str, list[str]] = {
    "Dr. Brandt wrote it with Prof. Ilse Kahn. It won.": [
        "Dr. Brandt wrote it with Prof. Ilse Kahn.",
        "It won.",
    ],
    "J. R. R. Tolkien was born in 1892. He was a writer.": [
        "J. R. R. Tolkien was born in 1892.",
        "He was a writer.",
    ],
    "The tower is 3.5 km away. Its height is 1,249.5 m.": [
        "The tower is 3.5 km away.",
        "Its height is 1,249.5 m.",
    ],
    "She moved to the U.S. in 1990. There she met Bo.": [
        "She moved to the U.S. in 1990.",
        "There she met Bo.",
    ],
    "He lived in the U.S. He died in 1950.": ["He lived in the U.S.", "He died in 1950."],
    "Who directed Dune? Denis Villeneuve directed it.": ["Denis Villeneuve directed it."],
    "Who's Afraid of Virginia Woolf? was released in 1966.": [
        "Who's Afraid of Virginia Woolf? was released in 1966."
    ],
    '"It was hard. I cried," said Ada. Bo laughed.': [
        '"It was hard. I cried," said Ada.',
        "Bo laughed.",
    ],
    "He called it “a triumph.” Critics agreed.": ["He called it “a triumph.”", "Critics agreed."],
    "The film ended... and then the lights went on. Nobody moved.": [
        "The film ended... and then the lights went on.",
        "Nobody moved.",
    ],
    "# Ada Weir was here\n\nAda Weir was born in Norbury.": ["Ada Weir was born in Norbury."],
    "Early life\n\nAda was born in 1901.\n\nCareer\n\nShe acted in ten films.": [
        "Ada was born in 1901.",
        "She acted in ten films.",
    ],
    "Her films include:\n\n- Dune was shot in 1983.\n- Heat was shot in 1995": [
        "Dune was shot in 1983.",
        "Heat was shot in 1995",
    ],
    "| film | year |\n|---|---|\n| Dune | 1984 |\n\nDune is a film.": ["Dune is a film."],
    "Run this:\n\n```python\nprint('Ada was here.')\n```\n\nAda was here.": ["Ada was here."],
    "阿达出生于1901年。她是演员！她演过什么？她死于1980年。": [
        "阿达出生于1901年。",
        "她是演员！",
        "她死于1980年。",
    ],
    "他说：“我很高兴。”然后离开了。": ["他说：“我很高兴。”然后离开了。"],
    "Please check the sources. Consider a second opinion. Dune is long.": ["Dune is long."],
    "Dune was directed by Lynch; Heat was directed by Mann.": [
        "Dune was directed by Lynch",
        "Heat was directed by Mann.",
    ],
    "If Dune was long; Heat was longer, nobody knows.": [
        "If Dune was long; Heat was longer, nobody knows."
    ],
    "Remember the Titans was directed by Boaz Yakin.": [
        "Remember the Titans was directed by Boaz Yakin."
    ],
    "Several fruits, e.g. apples, i.e. Malus fruits, are sold by Smith & Co. in York.": [
        "Several fruits, e.g. apples, i.e. Malus fruits, are sold by Smith & Co. in York."
    ],
    "Ada (born 1901. Some say 1902.) was an actress. She won.": [
        "Ada (born 1901. Some say 1902.) was an actress.",
        "She won.",
    ],
    "Jeopardy! is a show! It began in 1964.": ["Jeopardy! is a show!", "It began in 1964."],
    "1. **Ada Weir** was born\n   in Norbury. She acted.\n2. Bo was\nborn in Rome.": [
        "**Ada Weir** was born\n   in Norbury.",
        "She acted.",
        "Bo was\nborn in Rome.",
    ],
    "> Dune is a film.\n> It is long.\r\n\r\nHeat is a film.": [
        "Dune is a film.",
        "It is long.",
        "Heat is a film.",
    ],
}
