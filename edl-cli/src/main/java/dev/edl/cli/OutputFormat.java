package dev.edl.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Format of a command's result, as kubectl names it. */
enum OutputFormat {
    yaml,
    json,
    name;

    /** Returns a document as YAML, without the line that begins it. */
    static String yaml(Object document) {
        return Serialization.asYaml(document).replaceFirst("^---\n", "");
    }

    /** Returns a document as indented JSON. */
    static String json(Object document) throws JsonProcessingException {
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(document) + "\n";
    }
}
