package org.gridmpj.capture.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gridmpj.capture.instrument.ClassInfo.Call;
import org.gridmpj.capture.instrument.ClassInfo.Lambda;
import org.gridmpj.capture.instrument.ClassInfo.MethodInfo;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Methods of the JDK that call the program back, and the methods of {@code capture.library} that do the same in frames that
 * can be captured. A call is replaced where the analysis says that a capture may happen during it; all others stay.
 */
final class Substitutions {
    static final String LIBRARY = "org/gridmpj/capture/library/";
    private static final String CALLBACKS = LIBRARY + "Callbacks";
    private static final String STREAMS = LIBRARY + "Streams";
    private static final String COLLECTING = LIBRARY + "Collecting";
    private static final String STREAM_PACKAGE = "java/util/stream/";
    private static final String WAITING = LIBRARY + "Waiting";
    private static final List<String> WAITING_CLASSES =
            List.of(WAITING, LIBRARY + "Notifications", LIBRARY + "Permits", LIBRARY + "Barrier");
    private static final String POOLS = LIBRARY + "Pools";
    private static final List<String> POOL_CLASSES = List.of(POOLS, LIBRARY + "Pool", LIBRARY + "PoolTask");

    /** Of java.util.concurrent.Executors. */
    private static final Set<String> POOL_FACTORIES = Stream.of(
                    "newFixedThreadPool(I",
                    "newFixedThreadPool(ILjava/util/concurrent/ThreadFactory;",
                    "newCachedThreadPool(",
                    "newCachedThreadPool(Ljava/util/concurrent/ThreadFactory;",
                    "newSingleThreadExecutor(",
                    "newSingleThreadExecutor(Ljava/util/concurrent/ThreadFactory;")
            .map(each -> each + ")Ljava/util/concurrent/ExecutorService;")
            .collect(Collectors.toSet());

    private static final String DEFAULT_FACTORY = "defaultThreadFactory()Ljava/util/concurrent/ThreadFactory;";

    private static final String JDK_BARRIER = "java/util/concurrent/CyclicBarrier";
    private static final String BARRIER = LIBRARY + "Barrier";
    private static final String JDK_TIMER = "java/util/Timer";
    private static final String TIMER = LIBRARY + "TaskTimer";
    private static final String CONDITION = "java/util/concurrent/locks/Condition";
    private static final String PARKING = "java/util/concurrent/locks/LockSupport";
    private static final String FUTURE = "java/util/concurrent/Future";
    private static final String TIMED = "(JLjava/util/concurrent/TimeUnit;)";
    private static final List<String> CLASSES = List.of(CALLBACKS, LIBRARY + "Reflections");

    /** Part of the analysis only where a program needs them. */
    private static final List<String> STREAM_CLASSES = Stream.of(
                    "Streams",
                    "Collecting",
                    "Pipeline",
                    "ObjectPipeline",
                    "IntPipeline",
                    "LongPipeline",
                    "DoublePipeline",
                    "Pull",
                    "Pulls",
                    "HandedOut")
            .map(LIBRARY::concat)
            .toList();

    /** What makes a stream: replaced in methods that hand a stream what may be captured. */
    private static final Map<String, String> SOURCES = Map.ofEntries(
            Map.entry("java/util/Arrays.stream([Ljava/lang/Object;)Ljava/util/stream/Stream;", "stream"),
            Map.entry("java/util/Arrays.stream([I)Ljava/util/stream/IntStream;", "stream"),
            Map.entry("java/util/Arrays.stream([J)Ljava/util/stream/LongStream;", "stream"),
            Map.entry("java/util/Arrays.stream([D)Ljava/util/stream/DoubleStream;", "stream"),
            Map.entry("java/util/stream/Stream.of([Ljava/lang/Object;)Ljava/util/stream/Stream;", "of"),
            Map.entry(
                    "java/util/stream/Stream.generate(Ljava/util/function/Supplier;)Ljava/util/stream/Stream;",
                    "generate"),
            Map.entry(
                    "java/util/stream/Stream.iterate(Ljava/lang/Object;Ljava/util/function/UnaryOperator;)"
                            + "Ljava/util/stream/Stream;",
                    "iterate"),
            Map.entry(
                    "java/util/stream/Stream.iterate(Ljava/lang/Object;Ljava/util/function/Predicate;"
                            + "Ljava/util/function/UnaryOperator;)Ljava/util/stream/Stream;",
                    "iterate"),
            Map.entry("java/util/stream/IntStream.range(II)Ljava/util/stream/IntStream;", "range"),
            Map.entry("java/util/stream/IntStream.rangeClosed(II)Ljava/util/stream/IntStream;", "rangeClosed"),
            Map.entry("java/util/stream/LongStream.range(JJ)Ljava/util/stream/LongStream;", "range"),
            Map.entry("java/util/stream/IntStream.of([I)Ljava/util/stream/IntStream;", "of"),
            Map.entry("java/util/stream/LongStream.of([J)Ljava/util/stream/LongStream;", "of"),
            Map.entry("java/util/stream/DoubleStream.of([D)Ljava/util/stream/DoubleStream;", "of"));

    private static final String STREAM_OF_COLLECTION = "stream()Ljava/util/stream/Stream;";

    /**
     * A method of a type and those below it.
     *
     * @param receiver null for a static method of exactly the class {@code owner}
     * @param library the class that has it, static and with the receiver as first argument
     */
    private record Replaced(String owner, @Nullable String receiver, String library, String name, String descriptor) {
        String signature() {
            return name + descriptor;
        }

        Call call(int line) {
            String all = receiver == null ? descriptor : "(L" + receiver + ";" + descriptor.substring(1);
            return new Call(Opcodes.INVOKESTATIC, library, name, name + all, line);
        }
    }

    private static final Map<String, List<Replaced>> BY_SIGNATURE = Stream.of(
                    method("java/lang/Iterable", "forEach", "(Ljava/util/function/Consumer;)V"),
                    method("java/util/Iterator", "forEachRemaining", "(Ljava/util/function/Consumer;)V"),
                    method("java/util/Map", "forEach", "(Ljava/util/function/BiConsumer;)V"),
                    method(
                            "java/util/Map",
                            "computeIfAbsent",
                            "(Ljava/lang/Object;Ljava/util/function/Function;)Ljava/lang/Object;"),
                    method("java/util/Optional", "ifPresent", "(Ljava/util/function/Consumer;)V"),
                    method(
                            "java/util/Optional",
                            "ifPresentOrElse",
                            "(Ljava/util/function/Consumer;Ljava/lang/Runnable;)V"),
                    method("java/util/Optional", "map", "(Ljava/util/function/Function;)Ljava/util/Optional;"),
                    method("java/util/Optional", "orElseGet", "(Ljava/util/function/Supplier;)Ljava/lang/Object;"),
                    function("java/util/Arrays", "setAll", "([Ljava/lang/Object;Ljava/util/function/IntFunction;)V"),
                    function("java/util/Arrays", "setAll", "([ILjava/util/function/IntUnaryOperator;)V"),
                    function("java/util/Arrays", "setAll", "([JLjava/util/function/IntToLongFunction;)V"),
                    function("java/util/Arrays", "setAll", "([DLjava/util/function/IntToDoubleFunction;)V"),
                    waiting("java/lang/Thread", "join", "()V"),
                    waiting("java/lang/Thread", "join", "(J)V"),
                    new Replaced("java/lang/Thread", null, WAITING, "sleep", "(J)V"),
                    waiting("java/util/concurrent/CountDownLatch", "await", "()V"),
                    waiting("java/util/concurrent/Semaphore", "acquire", "()V"),
                    waiting("java/util/concurrent/Semaphore", "acquire", "(I)V"),
                    waiting("java/util/concurrent/Semaphore", "acquireUninterruptibly", "()V"),
                    waiting("java/util/concurrent/TimeUnit", "sleep", "(J)V"),
                    waiting(FUTURE, "get", "()Ljava/lang/Object;"),
                    waiting(FUTURE, "get", TIMED + "Ljava/lang/Object;"),
                    waiting("java/util/concurrent/CompletableFuture", "join", "()Ljava/lang/Object;"),
                    parking("park", "()V"),
                    parking("park", "(Ljava/lang/Object;)V"),
                    parking("parkNanos", "(J)V"),
                    parking("parkNanos", "(Ljava/lang/Object;J)V"),
                    parking("parkUntil", "(J)V"),
                    parking("parkUntil", "(Ljava/lang/Object;J)V"),
                    waiting("java/util/concurrent/BlockingQueue", "take", "()Ljava/lang/Object;"),
                    waiting("java/util/concurrent/BlockingQueue", "put", "(Ljava/lang/Object;)V"),
                    waiting("java/util/concurrent/locks/Lock", "lock", "()V"),
                    waiting("java/util/concurrent/locks/Lock", "lockInterruptibly", "()V"),
                    waiting("java/util/concurrent/locks/Lock", "tryLock", TIMED + "Z"),
                    waiting("java/util/concurrent/CountDownLatch", "await", TIMED + "Z"),
                    waiting("java/util/concurrent/Semaphore", "tryAcquire", TIMED + "Z"),
                    waiting("java/util/concurrent/BlockingQueue", "poll", TIMED + "Ljava/lang/Object;"),
                    waiting(
                            "java/util/concurrent/BlockingQueue",
                            "offer",
                            "(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)Z"),
                    waiting(ClassHierarchy.OBJECT, "wait", "()V"),
                    waiting(ClassHierarchy.OBJECT, "wait", "(J)V"),
                    waiting(ClassHierarchy.OBJECT, "wait", "(JI)V"),
                    waiting(CONDITION, "await", "()V"),
                    waiting(CONDITION, "await", TIMED + "Z"),
                    waiting(CONDITION, "awaitNanos", "(J)J"),
                    waiting(CONDITION, "awaitUntil", "(Ljava/util/Date;)Z"),
                    waiting(CONDITION, "awaitUninterruptibly", "()V"))
            .collect(Collectors.groupingBy(Replaced::signature));

    /** What threads that wait in our methods are notified by: replaced in all methods, since it suspends nobody. */
    private static final Map<String, Replaced> NOTIFICATIONS = Stream.of(
                    waiting(ClassHierarchy.OBJECT, "notify", "()V"),
                    waiting(ClassHierarchy.OBJECT, "notifyAll", "()V"),
                    waiting(CONDITION, "signal", "()V"),
                    waiting(CONDITION, "signalAll", "()V"),
                    parking("unpark", "(Ljava/lang/Thread;)V"))
            .collect(Collectors.toMap(Replaced::signature, each -> each));

    /** They hold their monitor while they call back. */
    private static final Set<String> SYNCHRONIZED =
            Set.of("java/util/Vector", "java/util/Stack", "java/util/Hashtable", "java/util/Properties");

    private Substitutions() {}

    private static Replaced method(String type, String name, String descriptor) {
        return new Replaced(type, type, CALLBACKS, name, descriptor);
    }

    private static Replaced waiting(String type, String name, String descriptor) {
        return new Replaced(type, type, WAITING, name, descriptor);
    }

    private static Replaced parking(String name, String descriptor) {
        return new Replaced(PARKING, null, WAITING, name, descriptor);
    }

    private static Replaced function(String type, String name, String descriptor) {
        return new Replaced(type, null, CALLBACKS, name, descriptor);
    }

    /** A class that hands elements of a stream to others, of which the analysis is not to know. */
    static boolean isOutside(String internalName) {
        return internalName.equals(LIBRARY + "HandedOut") || internalName.endsWith("Pipeline$Unboxed");
    }

    static boolean isLibrary(String internalName) {
        return internalName.startsWith(LIBRARY);
    }

    /**
     * The call that may stand in the place of another one, or null.
     *
     * @param caller the class that makes it
     */
    static @Nullable Call of(ClassHierarchy hierarchy, String caller, Call call) {
        List<Replaced> candidates = BY_SIGNATURE.get(call.signature());
        if (candidates == null || isLibrary(caller) || call.opcode() == Opcodes.INVOKESPECIAL) {
            return null;
        }
        for (Replaced each : candidates) {
            if (matches(hierarchy, each, call)) {
                return each.call(call.line());
            }
        }
        return null;
    }

    /**
     * What stands in the place of a call in all methods, also those that nobody is captured in; null for most: notifications
     * where the program's threads wait in our methods, and what makes pools and barriers.
     */
    static @Nullable Call everywhere(ClassHierarchy hierarchy, String caller, Call call) {
        if (isLibrary(caller)) {
            return null;
        }
        if (call.name().equals("<init>")) {
            String type = made(hierarchy, caller, call.owner());
            return type.equals(call.owner())
                    ? null
                    : new Call(call.opcode(), type, call.name(), call.signature(), call.line());
        }
        Replaced replaced = NOTIFICATIONS.get(call.signature());
        if (replaced != null && matches(hierarchy, replaced, call)) {
            return replaced.call(call.line());
        }
        return hasPools(hierarchy) && isPool(call)
                ? new Call(call.opcode(), POOLS, call.name(), call.signature(), call.line())
                : null;
    }

    /** The class of which an object is made in the place of one of another class; that class itself for most. */
    static String made(ClassHierarchy hierarchy, String caller, String type) {
        String ours = type.equals(JDK_BARRIER) ? BARRIER : type.equals(JDK_TIMER) ? TIMER : null;
        return ours != null
                        && hierarchy.isProgram(ours)
                        && !isLibrary(caller)
                        // its constructors call those of the class above, which stays what it is
                        && !type.equals(hierarchy.get(caller).superName())
                ? ours
                : type;
    }

    private static boolean isPool(Call call) {
        return call.opcode() == Opcodes.INVOKESTATIC
                && call.owner().equals("java/util/concurrent/Executors")
                && (POOL_FACTORIES.contains(call.signature())
                        || call.signature().equals(DEFAULT_FACTORY));
    }

    /** Whether a call hands a task to a pool that is ours. */
    static boolean isToPool(ClassHierarchy hierarchy, Call call) {
        return hasPools(hierarchy)
                && (call.owner().equals("java/util/concurrent/ExecutorService")
                        || call.owner().equals("java/util/concurrent/Executor"));
    }

    /** Whether the program's pools are ours. */
    static boolean hasPools(ClassHierarchy hierarchy) {
        return hierarchy.isProgram(POOLS);
    }

    private static boolean matches(ClassHierarchy hierarchy, Replaced each, Call call) {
        return hierarchy.isProgram(each.library())
                && (each.receiver() == null
                        ? call.opcode() == Opcodes.INVOKESTATIC && call.owner().equals(each.owner())
                        : call.opcode() != Opcodes.INVOKESTATIC
                                && !call.owner().startsWith("[")
                                && !SYNCHRONIZED.contains(call.owner())
                                && hierarchy.isSubtype(call.owner(), each.receiver())
                                && hierarchy.resolve(call.owner(), call.signature()) == null);
    }

    /** The source of a stream that can be captured, or a collector, in the place of the JDK's; null if this is none. */
    static @Nullable Call source(ClassHierarchy hierarchy, Call call) {
        String name = null;
        String descriptor = call.signature().substring(call.name().length());
        if (call.opcode() == Opcodes.INVOKESTATIC) {
            if (isCollector(hierarchy, call)) {
                return new Call(call.opcode(), COLLECTING, call.name(), call.signature(), call.line());
            }
            name = SOURCES.get(call.owner() + "." + call.signature());
        } else if (call.signature().equals(STREAM_OF_COLLECTION)
                && call.opcode() != Opcodes.INVOKESPECIAL
                && hierarchy.isSubtype(call.owner(), "java/util/Collection")
                && hierarchy.resolve(call.owner(), call.signature()) == null) {
            name = call.name();
            descriptor = "(Ljava/util/Collection;" + descriptor.substring(1);
        }
        return name == null ? null : new Call(Opcodes.INVOKESTATIC, STREAMS, name, name + descriptor, call.line());
    }

    /** Whether a call makes a collector of the JDK's for which there is one of ours. */
    static boolean isCollector(ClassHierarchy hierarchy, Call call) {
        return call.owner().equals("java/util/stream/Collectors")
                && hierarchy.get(COLLECTING).methods().containsKey(call.signature());
    }

    /** The calls of streams to which a method hands code of the program. */
    static List<Lambda> inStreams(MethodInfo method) {
        return method.lambdas().stream()
                .filter(lambda -> lambda.nextCall() < method.calls().size()
                        && method.calls().get(lambda.nextCall()).owner().startsWith(STREAM_PACKAGE))
                .toList();
    }

    private static Stream<Call> calls(ClassHierarchy hierarchy) {
        return hierarchy.program().stream()
                .flatMap(type -> type.methods().values().stream())
                .flatMap(method -> method.calls().stream());
    }

    /** Makes the library, as far as it is needed, part of the program. */
    static void addLibrary(ClassHierarchy hierarchy) {
        Deque<String> open = new ArrayDeque<>(CLASSES);
        // a program that calls methods of ThreadPoolExecutor has the JDK's pools
        boolean pools = calls(hierarchy).anyMatch(Substitutions::isPool)
                && calls(hierarchy).noneMatch(call -> call.owner().equals("java/util/concurrent/ThreadPoolExecutor"));
        if (pools) {
            open.addAll(POOL_CLASSES);
        }
        boolean timers = calls(hierarchy)
                .anyMatch(call -> call.name().equals("<init>") && call.owner().equals(JDK_TIMER));
        if (timers) {
            open.add(TIMER);
        }
        if (pools
                || timers
                || hierarchy.program().stream().anyMatch(type -> ThreadBodies.startsThreads(hierarchy, type))) {
            open.addAll(WAITING_CLASSES);
        }
        boolean streams = hierarchy.program().stream()
                .flatMap(type -> type.methods().values().stream())
                .anyMatch(method -> !inStreams(method).isEmpty());
        if (streams) {
            open.addAll(STREAM_CLASSES);
        }
        while (!open.isEmpty()) {
            String name = open.poll();
            try (InputStream in = hierarchy.file(name)) {
                if (in == null) {
                    throw new IllegalStateException("GridMPJ's own class " + name + " is not on the class path");
                }
                byte[] file = in.readAllBytes();
                hierarchy.addLibrary(file);
                new ClassReader(file)
                        .accept(
                                new ClassVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitNestMember(String member) {
                                        open.add(member);
                                    }
                                },
                                ClassReader.SKIP_CODE);
            } catch (IOException e) {
                throw new IllegalStateException("GridMPJ's own class " + name + " cannot be read", e);
            }
        }
    }
}
