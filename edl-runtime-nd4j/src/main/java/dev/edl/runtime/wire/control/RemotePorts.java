package dev.edl.runtime.wire.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.ShardPort;
import dev.edl.runtime.wire.control.internal.RpcInterface;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Ports whose methods are requests over a message connection: two of the master, and one of a shard. */
final class RemotePorts {
    static final RpcInterface<MasterPort> MASTER = RpcInterface.of(MasterPort.class);
    static final RpcInterface<RegistrationPort> REGISTRATION = RpcInterface.of(RegistrationPort.class);
    static final RpcInterface<ShardPort> SHARD = RpcInterface.of(ShardPort.class);

    /** Checksum of all signatures, by which a master refuses a caller of another version of EDL. */
    static final String SIGNATURE = signature();

    private RemotePorts() {}

    /**
     * Body of a master's request to a shard.
     *
     * @param life life of the shard that the request is for; any other refuses it
     * @param upload id of the upload that the result is sent by if it is too large for a message
     * @param arguments arguments of the method
     */
    record ShardRequest(ShardLife life, long upload, JsonNode arguments) {}

    private static String signature() {
        CRC32C sum = new CRC32C();
        sum.update((MASTER + "\n" + REGISTRATION + "\n" + SHARD).getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }
}
