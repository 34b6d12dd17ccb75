package org.gridmpj.codec.kryo;

import java.io.IOException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a HashMap has besides its entries: a load factor, on which the order of iteration depends, and a LinkedHashMap's
 * order by access. They show in the serial form alone ({@link SerialHooks}). One thread at a time.
 */
final class MapSettings extends ObjectOutputStream {
    private static final float DEFAULT_LOAD_FACTOR = 0.75f;
    private static final @Nullable MethodHandle OF_HASH_MAP = SerialHooks.writeFields(HashMap.class);
    private static final @Nullable MethodHandle OF_LINKED_HASH_MAP = SerialHooks.writeFields(LinkedHashMap.class);

    private final Fields fields = new Fields();

    MapSettings() throws IOException {}

    /** Whether a HashMap or LinkedHashMap is known to have the settings of one made without any. */
    boolean areDefault(Map<?, ?> map) {
        MethodHandle ofHashMap = OF_HASH_MAP;
        MethodHandle ofLinkedHashMap = OF_LINKED_HASH_MAP;
        if (ofHashMap == null || ofLinkedHashMap == null) {
            return false;
        }
        fields.loadFactor = 0;
        fields.accessOrder = false;
        try {
            ofHashMap.invokeExact((Object) map, (ObjectOutputStream) this);
            if (map instanceof LinkedHashMap) {
                ofLinkedHashMap.invokeExact((Object) map, (ObjectOutputStream) this);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "the serial fields of " + map.getClass().getName(), e);
        }
        return fields.loadFactor == DEFAULT_LOAD_FACTOR && !fields.accessOrder;
    }

    @Override
    public PutField putFields() {
        return fields;
    }

    @Override
    public void writeFields() {}

    /** Takes what a map would write. */
    private static final class Fields extends PutField {
        private float loadFactor;
        private boolean accessOrder;

        @Override
        public void put(String name, float value) {
            if (name.equals("loadFactor")) {
                loadFactor = value;
            }
        }

        @Override
        public void put(String name, boolean value) {
            if (name.equals("accessOrder")) {
                accessOrder = value;
            }
        }

        @Override
        public void put(String name, byte value) {}

        @Override
        public void put(String name, char value) {}

        @Override
        public void put(String name, short value) {}

        @Override
        public void put(String name, int value) {}

        @Override
        public void put(String name, long value) {}

        @Override
        public void put(String name, double value) {}

        @Override
        public void put(String name, @Nullable Object value) {}

        @Override
        @Deprecated
        @SuppressWarnings("removal") // abstract in the superclass, called by nobody
        public void write(ObjectOutput out) {}
    }
}
