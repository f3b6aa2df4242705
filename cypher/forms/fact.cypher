[`%head_id%`, `%head_name%`, type(r), `%tail_id%`, `%tail_name%`, properties(r)]
