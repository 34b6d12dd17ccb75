package org.gridmpj.capture.samples;

import java.io.IOException;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import mpj.Probe;
import org.gridmpj.capture.samples.hidden.Circle;
import org.gridmpj.capture.samples.hidden.Shape;
import org.gridmpj.capture.samples.hidden.Shapes;
import org.gridmpj.capture.samples.hidden.Square;
import org.gridmpj.capture.samples.hidden.Visitor;

/** Values that are, as far as the verifier can tell, of a class that only another package may name. */
public final class Hidden extends Shapes {
    static final StringBuilder OUT = new StringBuilder();

    private static final class One extends Pair {
        One() {
            super(1);
        }
    }

    private static final class Two extends Pair {
        Two() {
            super(2);
        }
    }

    private Hidden() {}

    public static void main(String[] args) throws Exception {
        for (boolean first : new boolean[] {true, false}) {
            say("local " + local(first));
            say("caught " + caught(first));
            say("receiver " + ((Shape) (first ? new Circle(4) : new Square(5))).area());
            say("operand " + sum(first ? new Circle(6) : new Square(7), Probe.Call(2)));
            say("array " + array(first));
            say("text " + text(first));
            say("number " + number(first));
            say("pair " + pair(first));
        }
        say("argument " + argument());
        say("given " + given());
    }

    static void say(String line) {
        OUT.append(line).append('\n');
    }

    static long sum(Shape shape, long more) {
        return shape.area() + more;
    }

    static long local(boolean first) {
        Shape shape = first ? new Circle(2) : new Square(3);
        Probe.Call(1);
        return shape.area();
    }

    static long caught(boolean first) {
        Shape shape = first ? new Circle(2) : new Square(3);
        try {
            if (Probe.Call(1) > 0) {
                throw new IllegalStateException("planned");
            }
            return 0;
        } catch (IllegalStateException e) {
            return Probe.Call(2) + shape.area();
        }
    }

    static long array(boolean first) {
        Shape[] row = first ? new Circle[] {new Circle(1)} : new Square[] {new Square(2), new Square(3)};
        long sum = 0;
        for (Shape each : row) {
            sum += Probe.Call(row.length) + each.area();
        }
        return sum;
    }

    @SuppressWarnings("JdkObsolete") // its superclass is that of StringBuilder
    static String text(boolean first) throws IOException {
        Appendable text = first ? new StringBuilder() : new StringBuffer();
        text.append("a").append(String.valueOf(Probe.Call(3)));
        Probe.Call(4);
        return text.append("b").toString();
    }

    static String number(boolean first) {
        Number number = first ? new LongAdder() : new DoubleAdder();
        Probe.Call(5);
        if (number instanceof LongAdder adder) {
            adder.add(Probe.Call(6));
        } else {
            ((DoubleAdder) number).add((double) Probe.Call(7));
        }
        Probe.Call(8);
        return number.toString();
    }

    /** A class that is protected may be named here. */
    static String pair(boolean first) {
        Pair pair = first ? new One() : new Two();
        Probe.Call(9);
        return pair.toString();
    }

    static long argument() {
        Visitor<Circle> visitor = new Visitor<>() {
            @Override
            public long visit(Circle shape) {
                return Probe.Call(shape.area()) + shape.area();
            }
        };
        return visitor.visit(new Circle(8));
    }

    static String given() {
        Object any = Shapes.any(9);
        Shape[] row = Shapes.row(Probe.Call(1));
        Object corner = Shapes.corner();
        long area = Probe.Call(2);
        if (any instanceof Shape shape) {
            area += shape.area();
        }
        for (Shape each : row) {
            area += each.area();
        }
        // the verifier takes any object for one of an interface
        return corner + " " + area + " " + Shapes.corners(Shapes.corner(), Probe.Call(3), Shapes.corner());
    }
}
