"""WorkerTable: the workers of a cluster: their free slots, what was sent to them, and which are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from falsum.errors import SurroundingsError


class WorkerTable:
    """Workers by address. What was sent to a worker is one bit for each content, so thousands cost little."""

    def __init__(self) -> None:
        self._slots: dict[str, int] = {}
        self._busy: Counter[str] = Counter()
        # Those with a free slot, in the order in which they get the next tasks.
        self._free: dict[str, None] = {}
        # How many more tasks they can run now; counted along, since it is asked for every task.
        self.free = 0
        self._rotation: Iterator[str] = iter(())
        self._places: dict[str, int] = {}
        self._sent: Counter[str] = Counter()
        self.refused: dict[str, str] = {}
        self.lost = 0

    @property
    def addresses(self) -> list[str]:
        return [address for address in self._slots if address not in self.refused]

    @property
    def workers(self) -> int:
        return len(self._slots)

    @property
    def slots(self) -> int:
        """The number of tasks that the workers can run at a time."""
        return sum(self._slots[address] for address in self.addresses)

    def update(self, slots: Mapping[str, int]) -> list[str]:
        """Set the workers that are there now; return those that are gone."""
        addresses = [address for address in self._slots if address not in slots]
        for address in addresses:
            self._busy.pop(address, None)
            self._sent.pop(address, None)
            self.refused.pop(address, None)
        self.lost += len(addresses)
        self._slots = dict(slots)
        self._free = {each: None for each in self.addresses if self._busy[each] < self._slots[each]}
        self.free = sum(self._slots[each] - self._busy[each] for each in self._free)
        return addresses

    def take(self) -> str:
        """Take a free slot and return its worker; "" if there is none."""
        for address in self._free:
            self._occupy(address)
            return address
        return ""

    def queue(self) -> str:
        """The next worker in turn, even if all its slots are taken; "" if there is none."""
        for address in (*self._rotation, *self.addresses):
            if address in self._slots and address not in self.refused:
                self._rotation = iter([*self.addresses[self.addresses.index(address) + 1 :]])
                self._occupy(address)
                return address
        return ""

    def give_back(self, address: str) -> None:
        """Free a slot of a worker."""
        if self._busy[address] == 0:
            return
        self._busy[address] -= 1
        if address not in self.refused and self._busy[address] < self._slots.get(address, 0):
            self._free[address] = None
            self.free += 1

    def occupy(self, address: str) -> None:
        """Take a slot for a task that was already assigned to the worker."""
        if address in self._slots:
            self._occupy(address)

    def lacks(self, address: str, digests: Iterable[str]) -> list[str]:
        """The contents that were not sent to a worker before; marks them as sent."""
        own_digests, missing = self._sent[address], []
        for digest in digests:
            bit = 1 << self._places.setdefault(digest, len(self._places))
            if not own_digests & bit:
                own_digests |= bit
                missing.append(digest)
        self._sent[address] = own_digests
        return missing

    def forget(self, address: str, digests: Iterable[str]) -> None:
        """A worker has dropped contents."""
        for digest in digests:
            self._sent[address] &= ~(1 << self._places.setdefault(digest, len(self._places)))

    def refuse(self, address: str, why: str) -> None:
        """Give no more tasks to a worker; without workers the campaign cannot go on."""
        self.refused[address] = why
        if address in self._free:
            del self._free[address]
            self.free -= self._slots[address] - self._busy[address]
        if self._slots and not self.addresses:
            raise SurroundingsError(f"no worker of the cluster can take part: {why}")

    def _occupy(self, address: str) -> None:
        self._busy[address] += 1
        if address in self._free:
            self.free -= 1
            if self._busy[address] >= self._slots[address]:
                del self._free[address]
