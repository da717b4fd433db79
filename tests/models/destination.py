"""A folder that scripts fill: one at a time, each file whole or not there."""

import contextlib
import fcntl
import os


@contextlib.contextmanager
def filling(folder):
    """Makes the folder and holds it: another script that wants to fill it waits."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_whole(path, content):
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    os.replace(part, path)
