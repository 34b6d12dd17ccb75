package org.gridmpj.launcher;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash by which compiled programs and jars are named. */
public final class Sha256 {
    private Sha256() {}

    /** A fresh digest. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
