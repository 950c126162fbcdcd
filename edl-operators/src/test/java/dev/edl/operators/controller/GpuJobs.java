package dev.edl.operators.controller;

import dev.edl.k8s.render.TfJobOperatorConfig;

/** The operators' own GPU jobs, and the ConfigMap through which their pods got the drivers. */
final class GpuJobs {
    /** The ConfigMap of the TfJob operator's documentation, its placeholders filled. */
    static final TfJobOperatorConfig CONFIG = TfJobOperatorConfig.parse("""
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: tf-job-operator-config
              namespace: default
            data:
              controller_config_file.yaml: |
                accelerators:
                  grpcServerFilePath: /opt/mlkube/grpc_tensorflow_server/grpc_tensorflow_server.py
                  alpha.kubernetes.io/nvidia-gpu:
                    volumes:
                      - name: nvidia-libs # Desired name of the volume, ex: nvidia-libs
                        mountPath: /usr/local/nvidia/lib64 # Path where this should be mounted
                        hostPath: /usr/lib/nvidia # Path on the host machine
                      - name: nvidia-bin # optional
                        mountPath: /usr/local/nvidia/bin
                        hostPath: /usr/lib/nvidia/bin
                    envVars:
                      - name: LD_LIBRARY_PATH # Name of the environment variable, ex: LD_LIBRARY_PATH
                        value: /usr/local/nvidia/lib64 # Value of the environment variable
            """);

    /** The GPU job of the TfJob operator's documentation, unchanged except for its run id. */
    static final String TFJOB = """
            apiVersion: "tensorflow.org/v1alpha1"
            kind: "TfJob"
            metadata:
              name: "tf-smoke-gpu"
            spec:
              RuntimeId: 76no
              replica_specs:
                - replicas: 1
                  tfPort: 2222
                  tfReplicaType: MASTER
                  template:
                    spec:
                      containers:
                        - image: gcr.io/tf-on-k8s-dogfood/tf_sample_gpu:latest
                          name: tensorflow
                          resources:
                            limits:
                              alpha.kubernetes.io/nvidia-gpu: 1
                      restartPolicy: OnFailure
            """;

    /** The MxJob operator's local example. */
    static final String MXJOB = """
            apiVersion: mxnet.mlkube.io/v1beta1
            kind: MxJob
            metadata: {name: example-job}
            spec:
              RuntimeId: 1kkf
              jobMode: local
              replicaSpecs:
              - replicas: 1
                mxReplicaType: WORKER
                template:
                  spec:
                    containers:
                    - name: mxnet
                      image: mxjob/mxnet-gpu-local:0.12.0
                      command: [python, train_cifar10.py, --gpus=0]
                      resources: {limits: {alpha.kubernetes.io/nvidia-gpu: 1}}
                    restartPolicy: OnFailure
            """;

    private GpuJobs() {}
}
