"""The half of the Python package safetensors: reads EDL's file, and writes its arrays to another file for EDL to read."""
import sys

import numpy
from safetensors.numpy import load_file, save_file

given, again, half = sys.argv[1:]
arrays = load_file(given)
for name, array in arrays.items():
    # The last element is the sum of all others, as EDL computed it.
    if array.size > 1 and array.dtype != numpy.int64 and abs(array.ravel()[:-1].sum(dtype="f8") - array.ravel()[-1]) > 1e-3:
        sys.exit("%s: the elements of %s are not those that EDL wrote" % (name, array.dtype))
    if array.dtype == numpy.int64 and array[:-1].sum() != array[-1]:
        sys.exit("%s: the elements are not those that EDL wrote" % name)
save_file(arrays, again, metadata={"format": "np"})
save_file({"half": numpy.ones(3, numpy.float16)}, half)
print(", ".join("%s %s %s" % (name, arrays[name].dtype, list(arrays[name].shape)) for name in sorted(arrays)))
