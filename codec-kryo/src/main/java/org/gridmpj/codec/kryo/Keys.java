package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What may stand where it is hashed or compared while it is read: complete by then, and no code of the program. The program's
 * own hashCode would, in a cycle, see other fields set than with java.io.
 */
final class Keys {
    private static final Set<Class<?>> CLASSES = Set.of(
            String.class,
            Integer.class,
            Long.class,
            Double.class,
            Float.class,
            Short.class,
            Byte.class,
            Character.class,
            Boolean.class,
            BigInteger.class,
            BigDecimal.class,
            UUID.class,
            Date.class,
            Duration.class,
            Instant.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            ZonedDateTime.class,
            OffsetDateTime.class,
            ZoneOffset.class,
            Period.class,
            Year.class,
            YearMonth.class);

    private Keys() {}

    static boolean include(@Nullable Object key) {
        return key instanceof String
                || key instanceof Integer
                || key == null
                || CLASSES.contains(key.getClass())
                || key instanceof Enum<?>;
    }

    /**
     * Of what was read.
     *
     * @param type of what it is a key of
     * @throws KryoException if it is none of them
     */
    static void require(@Nullable Object key, Class<?> type) {
        if (key != null && !include(key)) {
            throw new KryoException(
                    "a " + type.getName() + " with a " + key.getClass().getName() + " as key");
        }
    }
}
