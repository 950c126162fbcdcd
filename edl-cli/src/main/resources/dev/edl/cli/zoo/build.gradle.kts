plugins {
    application
}

group = "{{group}}"
version = "1.0-SNAPSHOT"

val edl = "{{version.edl}}"
val nd4j = "{{version.nd4j}}"
val openblas = "{{version.openblas}}"
val javacpp = "{{version.javacpp}}"

repositories {
    mavenLocal()
    mavenCentral()
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(17)
    }
}

// ND4J's natives of this machine, as its artifacts name it. Gradle does not evaluate the profiles of ND4J's POMs.
val system = System.getProperty("os.name").lowercase()
val processor = if (System.getProperty("os.arch") in listOf("aarch64", "arm64")) "arm64" else "x86_64"
val platform = when {
    system.startsWith("mac") -> "macosx"
    system.startsWith("windows") -> "windows"
    else -> "linux"
} + "-" + processor
val natives = listOf(
    "org.nd4j:nd4j-native:$nd4j",
    "org.nd4j:nd4j-native:$nd4j:$platform",
    "org.nd4j:nd4j-native-api:$nd4j",
    "org.nd4j:nd4j-native-preset:$nd4j",
    "org.nd4j:nd4j-native-preset:$nd4j:$platform",
    "org.nd4j:nd4j-presets-common:$nd4j",
    "org.bytedeco:openblas:$openblas",
    "org.bytedeco:openblas:$openblas:$platform",
    "org.bytedeco:javacpp:$javacpp:$platform",
)

dependencies {
    implementation(platform("dev.edl:edl-bom:$edl"))
    // The training.
    implementation("dev.edl:edl-runtime-nd4j")
    natives.forEach { runtimeOnly(it) { isTransitive = false } }
    // Jobs as pods of a cluster.
    implementation("dev.edl:edl-k8s")
    runtimeOnly("org.slf4j:slf4j-nop:{{version.slf4j}}")
    testImplementation("dev.edl:edl-testkit:$edl")
    testImplementation("org.junit.jupiter:junit-jupiter:{{version.junit}}")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher:{{version.junit}}")
}

application {
    mainClass = "{{package}}.Main"
}

// edl zoo build reads the main class and the base image.
tasks.jar {
    isPreserveFileTimestamps = false
    isReproducibleFileOrder = true
    manifest {
        attributes("Main-Class" to application.mainClass, "Edl-Base-Image" to "{{base}}")
    }
}

tasks.test {
    useJUnitPlatform()
    System.getProperty("edl.approve")?.let { systemProperty("edl.approve", it) }
}
