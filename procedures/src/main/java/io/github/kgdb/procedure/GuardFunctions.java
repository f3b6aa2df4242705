package io.github.kgdb.procedure;

import io.github.kgdb.cypher.GuardFunction;
import io.github.kgdb.cypher.RunningQuery;

import org.neo4j.cypher.operations.CypherFunctions;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.UserFunction;
import org.neo4j.values.AnyValue;
import org.neo4j.values.SequenceValue;
import org.neo4j.values.storable.TextValue;
import org.neo4j.values.storable.Values;

/**
 * The functions that kgdb.cypher.read inserts into the queries that it runs. They take and return
 * the server's own values, so nothing is copied.
 */
public final class GuardFunctions {
    private static final String INTERNAL = "Internal: kgdb.cypher.read calls it.";

    /** The overhead of a text in a list. */
    private static final long TEXT_BYTES = 64;

    @UserFunction(GuardFunction.PREFIX + GuardFunction.VALUE)
    @Description(INTERNAL)
    public AnyValue value(@Name("place") long site, @Name("value") AnyValue value) {
        RunningQuery.current().made((int) site, value);
        return value;
    }

    @UserFunction(GuardFunction.PREFIX + GuardFunction.ITEM)
    @Description(INTERNAL)
    public AnyValue item(@Name("place") long site, @Name("value") AnyValue value) {
        RunningQuery.current().item((int) site, value);
        return value;
    }

    @UserFunction(GuardFunction.PREFIX + GuardFunction.STEP)
    @Description(INTERNAL)
    public AnyValue step(@Name("value") AnyValue value) {
        RunningQuery.current().step();
        return value;
    }

    @UserFunction(GuardFunction.PREFIX + GuardFunction.TURN)
    @Description(INTERNAL)
    public boolean turn(@Name("item") AnyValue item) {
        RunningQuery.current().step();
        return true;
    }

    @UserFunction(GuardFunction.PREFIX + GuardFunction.PARSED)
    @Description(INTERNAL)
    public AnyValue parsed(@Name("text") AnyValue text) {
        if (text instanceof TextValue whole) {
            RunningQuery.current().requireParsable(whole.length());
        }
        return text;
    }

    @UserFunction(GuardFunction.PREFIX + GuardFunction.CONTAINS)
    @Description(INTERNAL)
    public AnyValue contains(@Name("text") AnyValue text, @Name("part") AnyValue part) {
        if (text instanceof TextValue whole && part instanceof TextValue some) {
            RunningQuery.current().requireSearchable(whole.length(), some.length());
            return Values.booleanValue(whole.contains(some));
        }
        return Values.NO_VALUE;
    }

    @UserFunction(GuardFunction.PREFIX + GuardFunction.MATCHES)
    @Description(INTERNAL)
    public AnyValue matches(@Name("text") AnyValue text, @Name("pattern") AnyValue pattern) {
        if (text instanceof TextValue whole && pattern instanceof TextValue regex) {
            return Values.booleanValue(
                    RunningQuery.current().matches(whole.stringValue(), regex.stringValue()));
        }
        return Values.NO_VALUE;
    }

    @UserFunction(GuardFunction.PREFIX + GuardFunction.REPLACE)
    @Description(INTERNAL)
    public AnyValue replace(
            @Name("place") long site,
            @Name("text") AnyValue text,
            @Name("part") AnyValue part,
            @Name("other") AnyValue other) {
        RunningQuery query = RunningQuery.current();
        if (text instanceof TextValue whole
                && part instanceof TextValue some
                && other instanceof TextValue instead) {
            long parts = occurrences(query, whole, some);
            query.expect(2 * (whole.length() + parts * instead.length()));
        }
        return counted(query, site, CypherFunctions.replace(text, part, other));
    }

    @UserFunction(GuardFunction.PREFIX + GuardFunction.SPLIT)
    @Description(INTERNAL)
    public AnyValue split(
            @Name("place") long site,
            @Name("text") AnyValue text,
            @Name("separator") AnyValue separator) {
        RunningQuery query = RunningQuery.current();
        if (text instanceof TextValue whole) {
            long parts = 1;
            if (separator instanceof TextValue some) {
                parts += occurrences(query, whole, some);
            } else if (separator instanceof SequenceValue several) {
                for (AnyValue some : several) {
                    parts += some instanceof TextValue one ? occurrences(query, whole, one) : 0;
                }
            }
            query.expect(parts * TEXT_BYTES + 2L * whole.length());
        }
        return counted(query, site, CypherFunctions.split(text, separator));
    }

    private static AnyValue counted(RunningQuery query, long site, AnyValue value) {
        query.made((int) site, value);
        return value;
    }

    private static long occurrences(RunningQuery query, TextValue text, TextValue part) {
        query.requireSearchable(text.length(), part.length());
        if (part.length() == 0) {
            return text.length() + 1L;
        }
        String whole = text.stringValue();
        String some = part.stringValue();
        long count = 0;
        for (int at = whole.indexOf(some); at >= 0; at = whole.indexOf(some, at + some.length())) {
            count++;
        }
        return count;
    }
}
