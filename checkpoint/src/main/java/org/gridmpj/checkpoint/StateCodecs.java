package org.gridmpj.checkpoint;

import java.util.List;
import org.gridmpj.datatype.ObjectCodec;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * The codecs that can write a program's state, the preferred first; the last one takes everything (java.io).
 */
record StateCodecs(List<ObjectCodec> codecs) {
    StateCodecs {
        codecs = List.copyOf(codecs);
    }

    /** The first that gives the same result as java.io. */
    ObjectCodec forGraph(Object root) {
        for (ObjectCodec codec : codecs) {
            if (codec.handles(root)) {
                return codec;
            }
        }
        return codecs.getLast();
    }

    /** The one that wrote an image. */
    ObjectCodec named(String name) {
        for (ObjectCodec codec : codecs) {
            if (codec.name().equals(name)) {
                return codec;
            }
        }
        throw new MpiFailure(
                ErrorClass.OTHER,
                "the snapshot was written with the object codec \"" + name + "\", which is not on the class path; there"
                        + " are " + codecs.stream().map(ObjectCodec::name).toList());
    }
}
