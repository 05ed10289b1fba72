"""Locks of files, which the operating system releases when their process ends."""

import sys

if sys.platform == "win32":
    import msvcrt

    def try_to_lock(descriptor: int) -> bool:
        """Lock an open file for this process; return False if another one has locked it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_to_lock(descriptor: int) -> bool:
        """Lock an open file for this process; return False if another one has locked it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
