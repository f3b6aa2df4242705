package io.github.kgdb.bench;

import java.util.Random;

/** Starts from the entity with 100,000 relationships; paths end at an entity drawn at random. */
public class LargestHub extends BenchState {
    @Override
    int[] draw(Random random) {
        int hubs = PowerLawStore.HUBS.length;
        return new int[] {0, hubs + random.nextInt(PowerLawStore.ENTITIES - hubs)};
    }
}
