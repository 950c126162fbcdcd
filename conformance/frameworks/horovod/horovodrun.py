"""The command horovodrun; the script of that name in the environment says where the environment was made, not where it is."""
from horovod.runner.launch import run_commandline

if __name__ == "__main__":
    run_commandline()
