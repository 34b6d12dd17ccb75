/**
 * Object graphs by Kryo, for classes whose result is provably java.io's. Everything else is refused and goes the way of
 * java.io, per message.
 */
package org.gridmpj.codec.kryo;
