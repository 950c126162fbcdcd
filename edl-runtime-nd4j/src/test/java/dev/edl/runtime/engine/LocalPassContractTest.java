package dev.edl.runtime.engine;

import dev.edl.runtime.PassSpec;
import dev.edl.runtime.engine.pass.PassWork;
import dev.edl.runtime.engine.ports.PassContract;

class LocalPassContractTest extends PassContract {
    @Override
    protected Run start(PassSpec spec, PassWork<?> work) throws Exception {
        return new OnePass<>(spec, work);
    }
}
