package io.github.kgdb.kernel.api;

/** What can leave something out of a result. Declared in the order in which rows tell them. */
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

    /** The config key that sets it, or the argument that is too long. */
    public String key() {
        return key;
    }
}
