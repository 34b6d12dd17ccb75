package org.gridmpj.transport.gridtcp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import org.gridmpj.job.JobSecret;

/**
 * Key and self-signed certificate of a job, the same at each rank because they follow from the job's secret alone: the
 * Ed25519 private key (RFC 8032) is a keyed hash of a fixed text, and its signatures are deterministic.
 *
 * <p>The certificate (RFC 5280) is written here by hand: version 3, serial number 1, CN=GridMPJ job, valid from 2000 to 2099
 * since a secret lives as long as its job.
 */
record JobCertificate(PrivateKey key, X509Certificate certificate) {
    private static final byte[] PURPOSE = "gridmpj tls key 1, unlike nonces".getBytes(StandardCharsets.US_ASCII);
    /** OBJECT IDENTIFIER 1.3.101.112 (id-Ed25519) in a SEQUENCE of its own. */
    private static final byte[] ED25519 = {0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70};

    private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int EXPLICIT_0 = 0xA0;

    static JobCertificate derive(JobSecret secret) throws GeneralSecurityException {
        byte[] seed = secret.proof(JobSecret.Role.DIALER, PURPOSE, PURPOSE);
        PrivateKey key = KeyFactory.getInstance("Ed25519")
                .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
        byte[] publicKey = publicKeyInfo(seed);
        byte[] name = der(
                SEQUENCE,
                der(
                        SET,
                        der(
                                SEQUENCE,
                                COMMON_NAME,
                                der(UTF8_STRING, "GridMPJ job".getBytes(StandardCharsets.US_ASCII)))));
        byte[] validity = der(SEQUENCE, time("000101000000Z"), time("491231235959Z"));
        byte[] toBeSigned = der(
                SEQUENCE,
                der(EXPLICIT_0, der(INTEGER, new byte[] {2})),
                der(INTEGER, new byte[] {1}),
                ED25519,
                name,
                validity,
                name,
                publicKey);
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(toBeSigned);
        byte[] encoded = der(SEQUENCE, toBeSigned, ED25519, der(BIT_STRING, new byte[] {0}, signature.sign()));
        X509Certificate certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        return new JobCertificate(key, certificate);
    }

    /** The public key of a seed: the generator takes the private key from its source of randomness, which says the seed. */
    private static byte[] publicKeyInfo(byte[] seed) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
        generator.initialize(NamedParameterSpec.ED25519, new SeededSource(seed));
        KeyPair pair = generator.generateKeyPair();
        return pair.getPublic().getEncoded();
    }

    /** Says a given seed. */
    private static final class SeededSource extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private final byte[] seed;

        SeededSource(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    private static byte[] time(String utc) {
        return der(UTC_TIME, utc.getBytes(StandardCharsets.US_ASCII));
    }

    /** Distinguished Encoding Rules (X.690): tag, length, content. */
    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            // All lengths here are below 64 KiB.
            out.write(0x82);
            out.write(length >>> 8);
            out.write(length);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
