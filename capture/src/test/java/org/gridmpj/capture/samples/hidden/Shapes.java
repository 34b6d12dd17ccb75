package org.gridmpj.capture.samples.hidden;

/** Gives away what no other package may name. */
public class Shapes {
    /** Public in the class file, as others that are protected. */
    protected abstract static class Pair {
        private final long first;

        protected Pair(long first) {
            this.first = first;
        }

        @Override
        public String toString() {
            return "pair " + first;
        }
    }

    protected Shapes() {}

    public static Base any(long side) {
        return new Square(side);
    }

    public static Base[] row(long side) {
        return new Base[] {new Square(side), new Circle(side)};
    }

    public static Corner corner() {
        return new Corner() {
            @Override
            public String toString() {
                return "corner";
            }
        };
    }

    public static String corners(Corner one, long calls, Corner other) {
        return one + " " + calls + " " + other;
    }
}
