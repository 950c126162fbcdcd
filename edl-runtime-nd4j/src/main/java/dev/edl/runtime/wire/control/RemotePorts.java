package dev.edl.runtime.wire.control;

import dev.edl.runtime.engine.ports.MasterPort;
import dev.edl.runtime.engine.ports.RegistrationPort;
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

    private static String signature() {
        CRC32C sum = new CRC32C();
        sum.update((MASTER + "\n" + REGISTRATION + "\n" + SHARD).getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }
}
