package io.github.kgdb.bench;

import java.util.Random;

/** Starts from entities drawn at random; hardly one of them is a hub. */
public class OrdinaryEntities extends BenchState {
    @Override
    int[] draw(Random random) {
        int start = random.nextInt(PowerLawStore.ENTITIES);
        int other = random.nextInt(PowerLawStore.ENTITIES - 1);
        return new int[] {start, other < start ? other : other + 1};
    }
}
