package dev.edl.operators.crd;

import java.util.Map;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/** YAML schema that reads every unquoted scalar as a string, with the text as written. */
final class FailsafeYaml implements Schema {
    @Override
    public ScalarResolver getScalarResolver() {
        return (value, implicit) -> Tag.STR;
    }

    @Override
    public Map<Tag, ConstructNode> getSchemaTagConstructors() {
        return new CoreSchema().getSchemaTagConstructors();
    }
}
