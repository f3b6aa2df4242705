package io.github.kgdb.kernel.api;

/** A limit that can leave rows out of a result. Rows list them in the order of declaration. */
public enum Limit {
    MENTION("mention"),
    CANDIDATES("candidates"),
    PER_RELATION("perRelation"),
    PER_PAIR("perPair"),
    MAX_PATHS("maxPaths"),
    TIES("ties"),
    LIMIT("limit");

    private final String key;

    Limit(String key) {
        this.key = key;
    }

    /** The config key that sets the limit, or the argument that is too long. */
    public String key() {
        return key;
    }
}
