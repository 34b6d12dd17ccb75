package org.gridmpj.bench.jmh;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.fory.Fory;
import org.apache.fory.config.ForyBuilder;
import org.apache.fory.config.Language;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.datatype.TypeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Encode and decode of one object, ns: a message of MPI.OBJECT against java.io, Kryo and Fory alone. All keep shared
 * references; no class is registered anywhere, since an MPI program registers none.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(3)
public class ObjectGraphBenchmark {
    /** A record of few fields. */
    public record Sample(int id, double weight, String name, long time) implements Serializable {}

    /** The same as a class. */
    public static final class Particle implements Serializable {
        private static final long serialVersionUID = 1L;
        int id;
        double x;
        double y;
        double z;
        String name = "";

        @Nullable
        Particle next;

        /** For codecs that call it. */
        public Particle() {}

        Particle(int id, @Nullable Particle next) {
            this.id = id;
            x = id;
            y = 2 * id;
            z = 3 * id;
            name = "particle " + id;
            this.next = next;
        }
    }

    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);
    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);

    @Param({
        "record",
        "class",
        "string",
        "list",
        "map",
        "particles",
        "matrix",
        "set",
        "tree",
        "immutable",
        "linked",
        "decimals",
        "dates"
    })
    String shape = "class";

    private Object object = "";

    private final MessageBuffer sender = new MessageBuffer();
    private final MessageBuffer receiver = new MessageBuffer();
    private final Object[] sent = new Object[1];
    private final Object[] received = new Object[1];
    private final MemorySegment wire = Arena.global().allocate(1 << 20, 64);

    private final Kryo kryo = new Kryo();
    private final Output output = new Output(1 << 16, -1);
    private final Input input = new Input();
    private final Fory fory = fory().build();
    /** One that keeps which strings and boxes are one object, as java.io and MPI.OBJECT do, and refuses a class that differs. */
    private final Fory foryOfSameRules = fory().ignoreStringRef(false)
            .ignoreBasicTypesRef(false)
            .ignoreTimeRef(false)
            .withClassVersionCheck(true)
            .build();

    private final byte[] receivedBytes = new byte[1 << 16];

    private static ForyBuilder fory() {
        return Fory.builder()
                .withLanguage(Language.JAVA)
                .withRefTracking(true)
                .requireClassRegistration(false)
                .suppressClassRegistrationWarnings(true);
    }

    @Setup(Level.Trial)
    public void prepare() {
        object = graph(shape);
        kryo.setRegistrationRequired(false);
        kryo.setReferences(true);
    }

    @SuppressWarnings("JdkObsolete") // programs do send linked lists
    static Object graph(String shape) {
        return switch (shape) {
            case "record" -> new Sample(7, 2.5, "a sample", 123456789L);
            case "class" -> new Particle(3, null);
            case "string" -> "a string of some forty characters, ASCII";
            case "list" -> {
                List<Integer> list = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    list.add(i * 1000);
                }
                yield list;
            }
            case "map" -> {
                Map<String, Integer> map = new HashMap<>();
                for (int i = 0; i < 10; i++) {
                    map.put("key " + i, i * 1000);
                }
                yield map;
            }
            case "set" -> new HashSet<>(names());
            case "tree" -> {
                Map<String, Integer> map = new TreeMap<>();
                names().forEach(name -> map.put(name, name.length() * 1000));
                yield map;
            }
            case "immutable" -> List.copyOf(names());
            case "linked" -> new LinkedList<>(names());
            case "decimals" -> {
                List<BigDecimal> list = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    list.add(BigDecimal.valueOf(i * 12_345L, 2));
                }
                yield list;
            }
            case "dates" -> {
                List<LocalDateTime> list = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    list.add(LocalDateTime.of(2026, 11, 24, i, 30));
                }
                yield list;
            }
            case "particles" -> {
                Particle[] all = new Particle[50];
                Random random = new Random(1);
                for (int i = 0; i < all.length; i++) {
                    all[i] = new Particle(i, i == 0 ? null : all[random.nextInt(i)]);
                }
                yield all;
            }
            default -> new float[32][32];
        };
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            names.add("name " + i);
        }
        return names;
    }

    @Benchmark
    public Object gridmpj() {
        sent[0] = object;
        transfer(sent, 1, received, 1, OBJECT);
        return received[0];
    }

    /** A message of elements, by the copies that one of an engine takes. */
    private void transfer(Object from, int count, Object to, int room, TypeMap type) {
        sender.forSend(from, 0, count, type);
        int bytes = (int) sender.messageBytes();
        sender.read(0, wire, 0, bytes);
        receiver.forReceive(to, 0, room, type);
        receiver.expect(bytes, count, sender.flags());
        receiver.write(0, wire, 0, bytes);
        receiver.finish();
        sender.clear();
        receiver.clear();
    }

    @Benchmark
    public Object javaIo() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        ObjectOutputStream out = new ObjectOutputStream(bytes);
        out.writeObject(object);
        out.flush();
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    @Benchmark
    public Object kryoAlone() {
        output.reset();
        kryo.writeClassAndObject(output, object);
        input.setBuffer(output.getBuffer(), 0, output.position());
        return kryo.readClassAndObject(input);
    }

    @Benchmark
    public Object foryAlone() {
        return fory.deserialize(fory.serialize(object));
    }

    @Benchmark
    public Object foryOfSameRulesAlone() {
        return foryOfSameRules.deserialize(foryOfSameRules.serialize(object));
    }

    /** What a program does that writes its objects by Fory and sends them as MPI.BYTE. */
    @Benchmark
    public Object foryAsBytes() {
        return asBytes(fory);
    }

    @Benchmark
    public Object foryOfSameRulesAsBytes() {
        return asBytes(foryOfSameRules);
    }

    private Object asBytes(Fory codec) {
        byte[] bytes = codec.serialize(object);
        transfer(bytes, bytes.length, receivedBytes, receivedBytes.length, BYTE);
        return codec.deserialize(receivedBytes);
    }
}
