package dev.edl.runtime.wire.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.runtime.wire.tls.ChannelSecurity;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private final SecureRandom random = new SecureRandom();
    private final JobToken token = JobToken.create(random);
    private final Handshake one = new Handshake(token, random, ChannelSecurity.plain());
    private final Handshake other = new Handshake(token, random, ChannelSecurity.plain());
    private final byte[] caller = one.nonce();
    private final byte[] called = other.nonce();

    @Test
    void both_ends_of_a_token_prove_it_to_each_other() {
        assertThat(one.proves(other.proof("server", caller, called), "server", caller, called))
                .isTrue();
        assertThat(other.proves(one.proof("worker", caller, called), "worker", caller, called))
                .isTrue();
    }

    @Test
    void another_token_proves_nothing() {
        Handshake stranger = new Handshake(JobToken.create(random), random, ChannelSecurity.plain());

        assertThat(one.proves(stranger.proof("server", caller, called), "server", caller, called))
                .isFalse();
    }

    @Test
    void a_proof_that_is_sent_back_proves_nothing() {
        assertThat(other.proves(other.proof("server", caller, called), "worker", caller, called))
                .isFalse();
    }

    @Test
    void a_proof_of_other_nonces_proves_nothing() {
        byte[] proof = other.proof("server", caller, called);

        assertThat(one.proves(proof, "server", one.nonce(), called)).isFalse();
        assertThat(one.proves(proof, "server", caller, one.nonce())).isFalse();
        assertThat(one.proves(proof, "server", called, caller)).isFalse();
        assertThat(one.proves(new byte[0], "server", caller, called)).isFalse();
    }

    @Test
    void a_nonce_of_another_length_is_refused() {
        assertThatThrownBy(() -> one.proof("worker", new byte[1], called))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a nonce must have 32 bytes, had 1");
    }
}
