import signal
import threading
import time

import pytest


@pytest.fixture
def interrupt():
    """A function that interrupts a call after some seconds, as Ctrl-C does, and checks that it ends soon."""

    def interrupt(call, after):
        raised = []

        def press():
            raised.append(time.monotonic())
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
        assert time.monotonic() - raised[0] < 10

    return interrupt
