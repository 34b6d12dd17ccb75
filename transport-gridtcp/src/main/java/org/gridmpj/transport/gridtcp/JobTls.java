package org.gridmpj.transport.gridtcp;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 for the connections of a job, both ends with a certificate. Without files of the user's all ranks hold the one
 * certificate that {@link JobCertificate} derives from the secret, and trust nothing else.
 */
final class JobTls {
    private static final String PROTOCOL = "TLSv1.3";

    private final SslContext dialing;
    private final SslContext accepting;

    private JobTls(SslContext dialing, SslContext accepting) {
        this.dialing = dialing;
        this.accepting = accepting;
    }

    /** The contexts for a job, or null if its connections are plain. */
    static @Nullable JobTls of(GridTcpOptions options, JobSecret secret) {
        if (!options.tls()) {
            return null;
        }
        try {
            Path certificateFile = options.certificate();
            Path keyFile = options.key();
            SslContextBuilder dialing = SslContextBuilder.forClient();
            SslContextBuilder accepting;
            if (certificateFile != null && keyFile != null) {
                Path trust = options.trust() != null ? options.trust() : certificateFile;
                dialing.keyManager(certificateFile.toFile(), keyFile.toFile()).trustManager(trust.toFile());
                accepting = SslContextBuilder.forServer(certificateFile.toFile(), keyFile.toFile())
                        .trustManager(trust.toFile());
            } else {
                JobCertificate derived = JobCertificate.derive(secret);
                X509Certificate certificate = derived.certificate();
                dialing.keyManager(derived.key(), certificate).trustManager(certificate);
                accepting =
                        SslContextBuilder.forServer(derived.key(), certificate).trustManager(certificate);
            }
            // Who the peer is, the proof of the secret tells; its address says nothing.
            dialing.endpointIdentificationAlgorithm(null);
            return new JobTls(
                    dialing.sslProvider(SslProvider.JDK).protocols(PROTOCOL).build(),
                    accepting
                            .sslProvider(SslProvider.JDK)
                            .protocols(PROTOCOL)
                            .clientAuth(ClientAuth.REQUIRE)
                            .build());
        } catch (SSLException | GeneralSecurityException | IllegalArgumentException e) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    "GridTcp cannot set TLS up: " + e.getMessage() + ". Check tls.certificate, tls.key and tls.trust",
                    e);
        }
    }

    SslHandler handler(ByteBufAllocator allocator, boolean dials) {
        return (dials ? dialing : accepting).newHandler(allocator);
    }
}
