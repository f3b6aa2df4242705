package io.github.kgdb.procedure.call;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;

import java.util.List;
import java.util.Map;

/** The config map of a call. A key is checked when it is read; null counts as absent. */
public final class Config {
    private final Map<String, Object> values;

    private Config(Map<String, Object> values) {
        this.values = values;
    }

    /** Checks the keys; fails if one is not among {@code keys}. */
    public static Config of(Map<String, Object> values, List<ConfigKey<?>> keys) {
        Map<String, Object> config = values == null ? Map.of() : values;
        for (String key : config.keySet()) {
            if (!takes(keys, key)) {
                List<String> allowed = keys.stream().map(ConfigKey::name).sorted().toList();
                throw KgdbException.usage(
                        "unknown config key "
                                + CypherValues.quote(key)
                                + "; allowed: "
                                + String.join(", ", allowed)
                                + Suggestions.didYouMean(key, allowed.stream()));
            }
        }
        return new Config(config);
    }

    private static boolean takes(List<ConfigKey<?>> keys, String name) {
        for (ConfigKey<?> key : keys) {
            if (key.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    public <T> T get(ConfigKey<T> key) {
        return key.read(values.get(key.name()));
    }
}
