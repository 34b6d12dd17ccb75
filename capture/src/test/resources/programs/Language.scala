package foreign

import mpj.Probe
import scala.collection.immutable.{Map, TreeMap, Vector}
import scala.collection.mutable
import scala.util.{Failure, Success, Try}

case class Point(x: Int, y: Long = 2L)

trait Counting {
  var count: Long = Probe.Call(1)
  val start: Long = count + Probe.Call(2)
  lazy val late: Long = start + Probe.Call(start)
  def step(by: Long): Long = { count += Probe.Call(by); count }
}

trait Doubling extends Counting {
  override def step(by: Long): Long = 2 * super.step(by)
}

class Counter(val name: String) extends Counting with Doubling {
  val own: Long = step(3)
}

sealed trait Shape
case object Empty extends Shape
case class Circle(radius: Double) extends Shape
case class Box(sides: List[Long]) extends Shape

object Single {
  var state = 5L
  lazy val settled: Long = Probe.Call(state)
  def next(): Long = { state += Probe.Call(state) % 5; state }
}

object Started extends Counting {
  val first: Long = Probe.Call(13)
  val rest: List[Long] = List.tabulate(2)(i => Probe.Call(i + first % 3))
  for (each <- rest) Language.OUT.append(s"started: ${Probe.Call(each)}\n")
}

object Odd {
  def unapply(value: Long): Option[Long] = if (Probe.Call(value) % 2 == 0) None else Some(value / 2)
}

enum Colour(val shade: Long) {
  case Red extends Colour(1)
  case Mixed(a: Long) extends Colour(a * 2)
  def seen: Long = Probe.Call(shade)
}

/** What the Scala compiler makes of the language, with an MPI call in each place. */
object Language {
  val OUT = new StringBuilder
  private lazy val once = Probe.Call(3)

  private def say(what: String, value: Any): Unit = OUT.append(s"$what: $value\n")

  def main(args: Array[String]): Unit = {
    cases()
    traits()
    lazily()
    matching()
    comprehensions()
    objects()
    collections()
    closures()
    exceptions()
    enums()
  }

  private def cases(): Unit = {
    val a = Point(1, Probe.Call(1))
    val b = a.copy(y = Probe.Call(a.y))
    say("case", s"$a $b ${a == b} ${Point(3)} ${Set(a, b, a.copy()).size}")
    val Point(x, y) = b: @unchecked
    say("pattern", x + y + Probe.Call(y))
  }

  private def traits(): Unit = {
    val counter = new Counter("counter")
    say("trait", counter.own + counter.step(4) + counter.count)
    say("late", counter.late + counter.late)
    val anonymous = new Counter("anonymous") { override def step(by: Long): Long = super.step(by) + Probe.Call(by) }
    say("anonymous", anonymous.step(2))
  }

  private def lazily(): Unit = {
    lazy val local = { say("local", Probe.Call(4)); Probe.Call(5) }
    say("lazy", once + local + local + once + Single.settled)
  }

  private def size(shape: Shape): Double = shape match {
    case Empty => 0.0
    case Circle(radius) if radius > Probe.Call(0) => -1
    case Circle(radius) => Probe.Mixed(Array(radius), 0, 2f, "circle", Probe.Call(1))
    case Box(first :: second :: rest) => Probe.Call(first).toDouble + Probe.Call(second) + rest.map(Probe.Call).sum
    case Box(_) => Probe.Call(9).toDouble
  }

  private def matching(): Unit = {
    say("match", List(Empty, Circle(1.5), Box(List(2, 3, 4)), Box(Nil)).map(size))
    for (value <- List(1L, 2L)) value match {
      case Odd(half) => say("odd", half)
      case other => say("even", other + Probe.Call(other))
    }
    val described: PartialFunction[Any, String] = {
      case n: Int if n > 0 => "int " + Probe.Call(n)
      case s: String => s"string ${Probe.Call(s.length)}"
    }
    say("partial", List(1, "ab", 2.0, -1).collect(described))
  }

  private def comprehensions(): Unit = {
    for (i <- 0 until 3) say("range", Probe.Call(i))
    for (i <- 1L to 2L; j <- List(3L, 4L) if Probe.Call(j) > 0) say("nested", i * Probe.Call(j))
    say("yield", for { a <- Vector(1L, 2L); b <- Some(Probe.Call(a)) } yield a + b)
    say("either", for { a <- Right[String, Long](Probe.Call(1)); b <- Left[String, Long]("left" + Probe.Call(a)) } yield b)
  }

  private def objects(): Unit = {
    say("object", s"${Single.next()} ${Single.next()} ${Single.state}")
    say("init", Started.rest.sum + Started.first + Started.start + Started.late)
  }

  private def collections(): Unit = {
    val list = List.tabulate(3)(i => Probe.Call(i))
    say("list", list.map(Probe.Call).reverse.sortBy(each => -each))
    list.foreach(each => say("each", Probe.Call(each)))
    val vector = Vector.fill(2)(Probe.Call(6)) :+ 1L
    say("vector", vector.zipWithIndex.map { case (value, index) => value + Probe.Call(index) })
    val map = Map("a" -> 1L, "b" -> 2L) + ("c" -> Probe.Call(3))
    say("map", map.map { case (key, value) => key -> Probe.Call(value) })
    for ((key, value) <- map) say("entry", key + Probe.Call(value))
    say("fold", map.values.foldLeft(0L)((sum, each) => sum + Probe.Call(each)))
    say("tree", TreeMap(2L -> "b", 1L -> "a").map { case (key, value) => Probe.Call(key) -> value })
    val large = (1L to 40L).map(each => each -> each * 2).toMap
    say("hash", large.filter { case (key, _) => key > 38 && Probe.Call(key) > 0 }.toList.sorted)
    val buffer = mutable.ArrayBuffer(1L, 2L)
    buffer.mapInPlace(Probe.Call)
    say("buffer", buffer)
    val counts = mutable.HashMap.empty[String, Long]
    say("cache", counts.getOrElseUpdate("x", Probe.Call(9)) + counts.getOrElseUpdate("x", Probe.Call(10)))
    say("lazy list", LazyList.iterate(1L)(each => Probe.Call(each) % 100).take(4).toList)
    say("view", list.view.map(Probe.Call).filter(_ % 2 == 1).take(2).toVector)
    say("iterator", Iterator.from(1).map(each => Probe.Call(each)).takeWhile(_ < 90).sum)
    say("group", list.groupBy(Probe.Call(_) % 2).view.mapValues(_.size).toMap)
    say("array", Array(1L, 2L).map(Probe.Call).mkString("<", ",", ">"))
    say("string", "ab".map(c => (c + Probe.Call(1) % 3).toChar))
  }

  private def twice(first: Long)(f: Long => Long): Long = f(f(first))
  private def byName(value: => Long): Long = value + value

  private def closures(): Unit = {
    var count = 0L
    def local(step: Long): Long = { count += Probe.Call(step); if (step == 0) count else local(step - 1) }
    say("local", local(2) + count)
    say("curried", twice(1)(each => Probe.Call(each) + count))
    say("by name", byName { count += 1; Probe.Call(count) })
    val composed = ((a: Long) => Probe.Call(a)).andThen(_ + 1).compose((b: Long) => b - Probe.Call(b))
    say("composed", composed(4))
    val adder = (a: Int, b: Int) => a + b + Probe.Call(a).toInt
    say("function", List(1, 2, 3).reduce(adder))
    var loop = 0
    while ({ loop += 1; Probe.Call(loop) < 90 }) say("while", loop)
    OUT.synchronized { say("synchronized", Probe.Call(5)) }
  }

  private def exceptions(): Unit = {
    Try { if (Probe.Call(1) > 0) throw new IllegalStateException("thrown " + Probe.Call(2)) } match {
      case Success(_) => say("not", "thrown")
      case Failure(e) => say("caught", e.getMessage + Probe.Call(3))
    }
    try {
      say("try", Probe.Call(4))
      throw new IllegalArgumentException("again")
    } catch {
      case e: IllegalArgumentException => say("catch", e.getMessage + Probe.Call(5))
    } finally say("finally", Probe.Call(6))
    say("option", Option(Probe.Call(7)).filter(_ < 0).orElse(Some(Probe.Call(8))).getOrElse(0L))
    say("first", scala.util.boundary { for (i <- 1 to 5) if (Probe.Call(i) > 100) scala.util.boundary.break(i); -1 })
  }

  private def enums(): Unit = {
    say("enum", Colour.Red.seen + Colour.Mixed(Probe.Call(4)).seen)
    say("given", implicitly[Ordering[Long]].compare(Probe.Call(1), 2L))
  }
}
