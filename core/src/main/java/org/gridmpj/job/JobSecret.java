package org.gridmpj.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the processes of one job share, and the proof that a peer knows it.
 *
 * <p>Every connection (data and control) begins with a mutual challenge–response before anything else is read:
 *
 * <pre>
 *   dialer   ──  nonceD (32 bytes)                               ──▶ acceptor
 *   dialer   ◀── nonceA (32), HMAC("acceptor" ‖ nonceD ‖ nonceA) ──  acceptor
 *   dialer   ──  HMAC("dialer" ‖ nonceD ‖ nonceA)                ──▶ acceptor
 * </pre>
 *
 * HMAC is HMAC-SHA-256 with the secret as key; proofs are compared in constant time. The secret itself never crosses a
 * wire and never appears in {@link #toString()}.
 */
public final class JobSecret {
    /** Length of a nonce in bytes. */
    public static final int NONCE_BYTES = 32;

    /** Length of a proof in bytes. */
    public static final int PROOF_BYTES = 32;

    private static final int SECRET_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Which end of a connection a proof is for: a reflected proof does not pass. */
    public enum Role {
        DIALER("dialer"),
        ACCEPTOR("acceptor");

        private final String label;

        Role(String label) {
            this.label = label;
        }
    }

    private final byte[] key;

    private JobSecret(byte[] key) {
        this.key = key;
    }

    /** A fresh secret. */
    public static JobSecret random() {
        byte[] bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return of(HexFormat.of().formatHex(bytes));
    }

    /** The secret written as {@link #text()}, or any passphrase of a user. */
    public static JobSecret of(String text) {
        return new JobSecret(text.strip().getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a file written from {@link #text()}. */
    public static JobSecret read(Path file) throws IOException {
        return of(Files.readString(file));
    }

    /** For the owner-only file that hands the secret to the ranks; never for a log. */
    public String text() {
        return new String(key, StandardCharsets.UTF_8);
    }

    /** A fresh nonce of {@link #NONCE_BYTES}. */
    public static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /** The proof that one end of a connection gives. */
    public byte[] proof(Role role, byte[] dialerNonce, byte[] acceptorNonce) {
        return mac(role.label, dialerNonce, acceptorNonce);
    }

    private byte[] mac(String label, byte[] dialerNonce, byte[] acceptorNonce) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(label.getBytes(StandardCharsets.US_ASCII));
            mac.update(dialerNonce);
            mac.update(acceptorNonce);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no HmacSHA256", e);
        }
    }

    /**
     * A key of 32 bytes for what one end of a connection sends after the proofs: both ends derive it, it never crosses the
     * wire, and it is another one for each connection and direction.
     */
    public byte[] sendingKey(Role role, byte[] dialerNonce, byte[] acceptorNonce) {
        return mac("key of the " + role.label, dialerNonce, acceptorNonce);
    }

    /** Whether a peer's proof is right, in constant time. */
    public boolean verify(Role role, byte[] dialerNonce, byte[] acceptorNonce, byte[] proof) {
        return MessageDigest.isEqual(proof(role, dialerNonce, acceptorNonce), proof);
    }

    @Override
    public String toString() {
        return "JobSecret[hidden]";
    }
}
