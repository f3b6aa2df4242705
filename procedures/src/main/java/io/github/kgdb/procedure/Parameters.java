package io.github.kgdb.procedure;

/** Defaults and descriptions of parameters that several procedures share. */
final class Parameters {
    static final int LIMIT = 1000;
    static final int MAX_DEGREE = 100_000;

    static final String NODES =
            "A NODE, an entity id (STRING, with config kg), or a LIST of one of these; duplicates"
                    + " count once.";
    static final String RELATIONS =
            "relations: LIST<STRING>, the only relations to look at, default [] = all; '^r' is r "
                    + "against its direction, and as soon as one is given, 'r' is r along it. "
                    + "direction: 'out', 'in' or 'both' (default), not together with '^'. ";
    static final String COMMON =
            "kg: name of a loaded graph; ids are looked up in it, neighbours outside it are left"
                + " out. timeoutMs: the call fails after so many milliseconds, default 0 = never.";

    private Parameters() {}
}
