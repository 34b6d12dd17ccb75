package org.gridmpj.capture.samples.hidden;

/** Its method's parameter is of the hidden class in the class file. */
public interface Visitor<T extends Base> {
    long visit(T shape);
}
