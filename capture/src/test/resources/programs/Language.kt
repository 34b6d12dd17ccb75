package foreign

import kotlin.properties.Delegates
import mpj.Probe

/** What the Kotlin compiler makes of the language, with an MPI call in each place. */
object Language {
    @JvmField val OUT = StringBuilder()

    private val settled by lazy { Probe.Call(3) }
    private var watched: Long by Delegates.observable(1L) { _, old, new -> say("watched", old + Probe.Call(new)) }

    private fun say(what: String, value: Any?) {
        OUT.append("$what: $value\n")
    }

    @JvmStatic
    fun main(args: Array<String>) {
        dataClasses()
        lambdas()
        inlined()
        defaults()
        lazily()
        companions()
        sequences()
        sealedWhen()
        collections()
        closures()
        scopes()
        exceptions()
        nested()
        started()
    }

    data class Point(val x: Int, val y: Long)

    private fun dataClasses() {
        val a = Point(1, Probe.Call(1))
        val b = a.copy(y = Probe.Call(a.y))
        val (x, y) = b
        say("data", "$a $b ${a == b} ${x + y} ${setOf(a, b, a.copy()).size}")
    }

    private fun twice(first: Long, f: (Long) -> Long): Long = f(f(first))

    private fun lambdas() {
        val add = Probe.Call(2)
        say("lambda", twice(1) { Probe.Call(it) + add })
        say("reference", twice(2, ::called))
        val receiver: StringBuilder.(Long) -> Unit = { append(Probe.Call(it)).append(';') }
        val text = StringBuilder()
        text.receiver(5)
        say("receiver", text)
        say("anonymous", object : Comparable<Long> {
            override fun compareTo(other: Long) = (Probe.Call(other) % 7).toInt()
        }.compareTo(9))
        val functions = listOf<(Long) -> Long>({ it + Probe.Call(it) }, Probe::Call, this::called)
        say("functions", functions.map { it(3) })
    }

    private fun called(value: Long) = Probe.Call(value) - 1

    private inline fun <R> around(name: String, body: (Long) -> R): R {
        try {
            return body(Probe.Call(name.length.toLong()))
        } finally {
            say("finally", Probe.Call(4))
        }
    }

    private inline fun <reified T> isIt(value: Any) = value is T && Probe.Call(1) > 0

    private fun inlined(): Long {
        say("reified", isIt<String>("a") && !isIt<Int>("a"))
        around("abc") { return it + Probe.Call(it) }
    }

    private fun defaulted(a: Long = Probe.Call(6), b: String = "b" + Probe.Call(a), vararg rest: Int) =
        a.toString() + b + rest.sum()

    private fun defaults() {
        say("default", defaulted())
        say("default", defaulted(b = "c", rest = intArrayOf(1, 2)))
    }

    private class Held {
        val plain by lazy(LazyThreadSafetyMode.NONE) { Probe.Call(8) }
        val safe by lazy { plain + Probe.Call(plain) }
        lateinit var late: String
    }

    private fun lazily() {
        val held = Held()
        say("lazy", settled + held.safe + held.safe + settled)
        held.late = "late" + Probe.Call(1)
        say("late", held.late)
        watched = 4
    }

    class WithCompanion private constructor(val value: Long) {
        companion object Factory {
            const val LIMIT = 4L
            var made = 0
            fun make(): WithCompanion {
                made++
                return WithCompanion(Probe.Call(LIMIT))
            }
        }
    }

    object Single : Iterable<Long> {
        private var state = 5L
        fun next(): Long {
            state += Probe.Call(state) % 5
            return state
        }
        override fun iterator() = generateSequence(state) { if (it > 9) null else it + 2 }.iterator()
    }

    private fun companions() {
        say("companion", WithCompanion.make().value + WithCompanion.make().value + WithCompanion.made)
        say("object", "${Single.next()} ${Single.next()} ${Single.toList()}")
        Single.forEach { say("each", Probe.Call(it)) }
    }

    object Started {
        val first = Probe.Call(13)
        val rest = List(2) { Probe.Call(it + first % 3) }

        init {
            rest.forEach { say("started", Probe.Call(it)) }
        }
    }

    class Keeper {
        companion object {
            val kept = mapOf("a" to Probe.Call(14))
        }
    }

    private fun started() {
        say("init", Started.rest.sum() + Started.first)
        say("kept", Keeper.kept)
    }

    private fun numbers() = sequence {
        yield(Probe.Call(1))
        for (i in 1L..2) {
            yield(i * Probe.Call(i))
        }
        yieldAll(listOf(7L, 8L))
    }

    private fun sequences() {
        for (each in numbers()) {
            say("sequence", each + Probe.Call(each))
        }
        say("sequence", numbers().filter { it % 2 == 1L }.map { Probe.Call(it) }.take(2).toList())
        say("generated", generateSequence(1L) { Probe.Call(it) % 100 }.takeWhile { it < 90 }.take(4).joinToString())
    }

    sealed interface Shape {
        data object Empty : Shape
        data class Circle(val radius: Double) : Shape
        class Box(val sides: LongArray) : Shape
    }

    enum class Colour(val shade: Long) {
        RED(1) { override fun mixed() = Probe.Call(shade) },
        BLUE(2) { override fun mixed() = Probe.Call(shade) + Probe.Call(1) };
        abstract fun mixed(): Long
    }

    private fun size(shape: Shape): Double = when (shape) {
        is Shape.Empty -> 0.0
        is Shape.Circle -> Probe.Mixed(doubleArrayOf(shape.radius), 0, 2f, "circle", Probe.Call(1))
        is Shape.Box -> shape.sides.sumOf { Probe.Call(it) }.toDouble()
    }

    private fun sealedWhen() {
        say("when", listOf(Shape.Empty, Shape.Circle(1.5), Shape.Box(longArrayOf(2, 3))).map(::size))
        say("enum", Colour.entries.associateWith { it.mixed() })
        say("when", when (Probe.Call(1)) { in 0L..10L -> "small"; 38L -> "it"; else -> "other" })
    }

    private fun collections() {
        val list = mutableListOf<Long>()
        (1L..3L).forEach { list += Probe.Call(it) }
        for ((index, value) in list.withIndex()) {
            list[index] = value + Probe.Call(index.toLong())
        }
        say("list", list.sortedBy { -it })
        val map = mapOf("a" to 1L, "b" to 2L)
        map.forEach { (key, value) -> say("map", key + Probe.Call(value)) }
        say("fold", map.values.fold(0L) { sum, each -> sum + Probe.Call(each) })
        say("group", list.groupBy { Probe.Call(it) % 2 }.mapValues { it.value.size })
        val cache = HashMap<String, Long>()
        say("cache", cache.getOrPut("x") { Probe.Call(9) } + cache.getOrPut("x") { Probe.Call(10) })
        say("array", Array(2) { Probe.Call(it.toLong()) }.joinToString { "<$it>" })
        say("text", buildString { repeat(2) { append(Probe.Call(it.toLong())) } })
        say("built", buildList { add(Probe.Call(1)); addAll(list) }.size)
        say("chunked", (1L..4L).chunked(2) { part -> Probe.Call(part.sum()) })
    }

    private fun closures() {
        var count = 0L
        fun local(step: Long): Long {
            count += Probe.Call(step)
            return if (step == 0L) count else local(step - 1)
        }
        say("local", local(2) + count)
        val increment = { count += Probe.Call(count % 9) }
        increment()
        increment()
        say("captured", count)
    }

    @JvmInline
    value class Metres(val length: Long) {
        operator fun plus(other: Metres) = Metres(length + Probe.Call(other.length))
    }

    private fun Long.tripled() = this * 3 + Probe.Call(this)

    private fun scopes() {
        say("let", Probe.Call(1).let { it + Probe.Call(it) })
        say("apply", StringBuilder().apply { append(Probe.Call(2)) }.also { it.append(Probe.Call(3)) })
        say("run", with(Point(2, 3)) { x + y + Probe.Call(y) })
        say("value", Metres(1) + Metres(2))
        say("extension", 5L.tripled())
        say("elvis", (if (Probe.Call(1) < 0) "a" else null) ?: "none${Probe.Call(2)}")
        say("use", AutoCloseable { say("closed", Probe.Call(7)) }.use { Probe.Call(6) })
        synchronized(OUT) { say("synchronized", Probe.Call(5)) }
    }

    private fun exceptions() {
        val result = runCatching { check(Probe.Call(1) < 0) { "no ${Probe.Call(2)}" } }
        say("caught", result.exceptionOrNull()?.message)
        say("try", try { Probe.Call(3); error("thrown") } catch (e: IllegalStateException) { e.message + Probe.Call(4) })
    }

    interface Greeter {
        val name: String
        fun greet() = "hello $name ${Probe.Call(name.length.toLong())}"
    }

    class Polite(private val inner: Greeter) : Greeter by inner {
        val own = Probe.Call(11)
        init {
            say("init", inner.greet() + own)
        }
        inner class Part(val of: String = "part") {
            val value = of + own + Probe.Call(own)
        }
    }

    private fun nested() {
        val polite = Polite(object : Greeter { override val name = "world" + Probe.Call(12) })
        say("delegate", polite.greet())
        say("inner", polite.Part().value)
    }
}
