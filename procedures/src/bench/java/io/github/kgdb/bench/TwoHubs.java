package io.github.kgdb.bench;

import java.util.Random;

/** Paths from the entity with 100,000 relationships to the one with 60,000. */
public class TwoHubs extends BenchState {
    @Override
    int[] draw(Random random) {
        return new int[] {0, 1};
    }
}
