"""Eats memory."""

hoard = []
while True:
    hoard.append(bytearray(b"x" * (8 << 20)))
