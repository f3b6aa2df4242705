package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

class ShortestPathsTest {
    @AutoClose private static final PathsGraph graph = PathsGraph.create();

    @Test
    void onlyTheShortest() {
        assertEquals(List.of("1: a likes c"), graph.shortest("['a', 'c'], {kg: 'g'}"));
    }

    @Test
    void everyShortest() {
        assertEquals(
                List.of("2: a knows b knows c x2", "2: a at h ^at c"),
                graph.shortest("['a', 'c'], {kg: 'g', exclude: ['likes']}"));
    }

    @Test
    void theFirstShortest() {
        assertEquals(
                List.of("2: a knows b knows c x2"),
                graph.shortest("['a', 'c'], {kg: 'g', exclude: ['likes'], all: false}"));
    }

    @Test
    void returningOnlyTheFirstIsNoTruncation() {
        assertEquals(
                List.of(List.of()),
                graph.database()
                        .column(
                                "CALL kgdb.paths.shortest(['a', 'c'], {kg: 'g', exclude: ['likes'],"
                                        + " all: false, perPair: 1}) YIELD cut"));
    }

    @Test
    void theShortestOfOneDirection() {
        assertEquals(
                List.of("2: a knows b knows c x2"),
                graph.shortest("['a', 'c'], {kg: 'g', exclude: ['likes'], direction: 'out'}"));
    }

    @Test
    void theShortestOverThreeHops() {
        assertEquals(
                List.of("3: leaf 1 at h ^at a knows b x2", "3: leaf 1 at h ^at c ^knows b"),
                graph.shortest("['leaf 1', 'b'], {kg: 'g', exclude: ['likes'], maxHops: 3}"));
    }

    @Test
    void halfHopsDecideWhatIsShortest() {
        assertEquals(
                List.of("2: p role m next n of r"),
                graph.shortest("['p', 'r'], {kg: 'g', mediators: true}"));
    }

    @Test
    void aWholeHopOverTheMiddleBetweenHalfOnes() {
        // Half a hop around each end is read, and the edge between them is a whole hop.
        assertEquals(
                List.of("1: t then u"),
                graph.shortest("['t', 'u'], {kg: 'g', mediators: true, maxHops: 1}"));
    }

    @Test
    void furtherThanMaxHops() {
        assertEquals(List.of(), graph.shortest("['leaf 1', 'c'], {kg: 'g', maxHops: 1}"));
    }
}
