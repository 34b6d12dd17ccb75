package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.io.InvalidClassException;
import java.io.UncheckedIOException;

/** Class names with a fingerprint at their first mention, so that a class that differs at the receiver is an error. */
final class FingerprintResolver extends DefaultClassResolver {
    @Override
    @SuppressWarnings("rawtypes") // Kryo's signature
    protected void writeName(Output output, Class type, Registration registration) {
        boolean first = classToNameId == null || !classToNameId.containsKey(type);
        super.writeName(output, type, registration);
        if (first) {
            output.writeLong(fingerprint(type));
        }
    }

    @Override
    protected Registration readName(Input input) {
        int before = nameIdToClass == null ? 0 : nameIdToClass.size;
        Registration registration = super.readName(input);
        if (nameIdToClass.size > before && input.readLong() != fingerprint(registration.getType())) {
            throw new UncheckedIOException(new InvalidClassException(
                    registration.getType().getName(),
                    "the class differs between sender and receiver: give every rank the same class path"));
        }
        return registration;
    }

    private static long fingerprint(Class<?> type) {
        PlainRecord record = PlainRecord.of(type);
        if (record != null) {
            return record.fingerprint();
        }
        PlainClass plain = PlainClass.of(type);
        return plain == null ? 0 : plain.fingerprint();
    }
}
