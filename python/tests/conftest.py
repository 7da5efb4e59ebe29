import os
import signal
import threading
import time

import pytest


@pytest.fixture
def interrupt():
    """A function that interrupts a call after some seconds, as Ctrl-C does, and checks that it ends soon."""

    def interrupt(call, after, most=0.3):
        raised = []

        def press():
            raised.append((time.monotonic(), time.process_time()))
            signal.raise_signal(signal.SIGINT)

        # A test that runs in the background inherits a SIGINT that is ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        timer = threading.Timer(after, press)
        try:
            with pytest.raises(KeyboardInterrupt):
                timer.start()
                call()
        finally:
            timer.cancel()
            signal.signal(signal.SIGINT, before)
        # The limit is of the processor's time on a busy machine.
        since, used = raised[0]
        late = min(time.monotonic() - since, (time.process_time() - used) / os.cpu_count())
        assert late < most

    return interrupt
