package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnserializablePathTest {
    private static final class Engine {}

    private static final class Cell implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings({"serial", "unused"}) // the test puts in what is not; read by reflection
        @Nullable
        Object owner;

        @SuppressWarnings("unused") // read by reflection: what is transient does not count
        transient Engine engine = new Engine();
    }

    private static final class World implements Serializable {
        private static final long serialVersionUID = 1L;

        final Cell[] cells = {new Cell(), new Cell()};

        @SuppressWarnings("serial") // it is a HashMap
        final Map<String, Object> byName = new HashMap<>();
    }

    private static @Nullable String find(Object value) {
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        variables.put("fine", new int[3]);
        variables.put("world", value);
        return UnserializablePath.find(variables);
    }

    @Test
    void shouldFindNothingWhenAllIsSerializable() {
        assertThat(find(new World())).isNull();
    }

    @Test
    void shouldNameFieldsAndIndexes() {
        World world = new World();
        world.cells[1].owner = new Engine();
        assertThat(find(world)).isEqualTo("variable \"world\": cells[1].owner (" + Engine.class.getName() + ")");
    }

    @Test
    void shouldLookIntoCollectionsAndMaps() {
        World world = new World();
        world.byName.put("fox", List.of("a", new Engine()));
        assertThat(find(world)).contains("byName.get(fox).get(1)");
    }

    @Test
    void shouldEndWhenTheGraphHasCycles() {
        World world = new World();
        world.cells[0].owner = world;
        world.byName.put("self", world.byName);
        assertThat(find(world)).isNull();
    }

    @Test
    void shouldNameTheVariableItself() {
        assertThat(find(new Engine())).isEqualTo("variable \"world\" (" + Engine.class.getName() + ")");
    }
}
