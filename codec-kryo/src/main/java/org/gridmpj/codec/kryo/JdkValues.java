package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.TimeSerializers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values of the JDK whose public parts are all that java.io writes: Kryo's own serializers take these apart and make them
 * again. Not ZonedDateTime, of which Kryo loses the offset where clocks are put back.
 */
final class JdkValues {
    private static final Map<Class<?>, Serializer<?>> SERIALIZERS = Map.ofEntries(
            Map.entry(BigInteger.class, new DefaultSerializers.BigIntegerSerializer()),
            Map.entry(BigDecimal.class, new DefaultSerializers.BigDecimalSerializer()),
            Map.entry(UUID.class, new DefaultSerializers.UUIDSerializer()),
            Map.entry(Date.class, new DefaultSerializers.DateSerializer()),
            Map.entry(Duration.class, new TimeSerializers.DurationSerializer()),
            Map.entry(Instant.class, new TimeSerializers.InstantSerializer()),
            Map.entry(LocalDate.class, new TimeSerializers.LocalDateSerializer()),
            Map.entry(LocalTime.class, new TimeSerializers.LocalTimeSerializer()),
            Map.entry(LocalDateTime.class, new TimeSerializers.LocalDateTimeSerializer()),
            Map.entry(OffsetTime.class, new TimeSerializers.OffsetTimeSerializer()),
            Map.entry(OffsetDateTime.class, new TimeSerializers.OffsetDateTimeSerializer()),
            Map.entry(ZoneOffset.class, new TimeSerializers.ZoneOffsetSerializer()),
            Map.entry(Period.class, new TimeSerializers.PeriodSerializer()),
            Map.entry(Year.class, new TimeSerializers.YearSerializer()),
            Map.entry(YearMonth.class, new TimeSerializers.YearMonthSerializer()),
            Map.entry(MonthDay.class, new TimeSerializers.MonthDaySerializer()));

    private JdkValues() {}

    /** All of them, always in the same order. */
    static List<Class<?>> classes() {
        return SERIALIZERS.keySet().stream()
                .sorted(Comparator.comparing(Class::getName))
                .toList();
    }

    /** Of exactly this class, or null if it is none of them. */
    static @Nullable Serializer<?> serializer(Class<?> type) {
        return SERIALIZERS.get(type);
    }
}
