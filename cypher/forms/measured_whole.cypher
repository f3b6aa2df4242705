[null, [`%id%`, `%name%`, `%measured%`, null, measure, {}], [`%id%`, `%name%`, `%number%`, null, size(measured), {}]]
