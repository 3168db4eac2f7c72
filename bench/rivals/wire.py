"""The child's side of bench/wire.h: lines and one frame over the socket that VELBENCH_RESULT_FD names."""

import json
import os
import time
import zlib
from contextlib import contextmanager


class Wire:
    """Says nothing when there is no runner, so that a driver can be run by hand."""

    def __init__(self):
        fd = os.environ.get("VELBENCH_RESULT_FD")
        self.fd = int(fd) if fd else None
        self.start = 0

    def _say(self, data):
        while self.fd is not None and data:
            data = data[os.write(self.fd, data):]

    def _hear(self, expected):
        if self.fd is None:
            return
        got = b""
        while len(got) < len(expected):
            piece = os.read(self.fd, len(expected) - len(got))
            if not piece:
                raise SystemExit("the runner is gone")
            got += piece
        if got != expected:
            raise SystemExit(f"the runner said {got!r}")

    def begin(self):
        self._say(b"begin\n")
        self._hear(b"go\n")
        self.start = time.monotonic_ns()

    def end(self):
        wall = time.monotonic_ns() - self.start
        self._say(b"end %d\n" % wall)
        self._hear(b"ok\n")
        return wall

    @contextmanager
    def timed(self, wanted):
        """Times what is done inside; not wanted: only does it."""
        if wanted:
            self.begin()
        yield
        if wanted:
            self.end()

    def frame(self, content):
        body = json.dumps(content).encode()
        self._say(b"frame %d %08x\n" % (len(body), zlib.crc32(body)) + body)
