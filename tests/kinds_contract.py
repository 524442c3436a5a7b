"""KindsContract: an import-linter contract for packages that have a module for each member of a kind."""

from __future__ import annotations

from typing import cast

from grimp import ImportGraph, Layer
from importlinter import Contract, ContractCheck, fields, output


class KindsContract(Contract):
    """The members of a `package` do not know each other, and the `foundation` below them knows no member.

    Whatever is added to the package is a member: nobody has to list it. `foundation` are modules of the
    package that all members may import.
    """

    type_name = "kinds"

    package = fields.StringField()
    foundation = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        package = cast("str", self.package)
        below = {f"{package}.{name}" for name in cast("list[str] | None", self.foundation) or ()}
        children = set(graph.find_children(package))
        if missing := below - children:
            raise ValueError(f"{', '.join(sorted(missing))}: no such module, so it is nobody's foundation")
        layers = [Layer(*sorted(children - below), independent=True)]
        if below:
            layers.append(Layer(*sorted(below), independent=False))
        illegal_dependencies_for_layers = graph.find_illegal_dependencies_for_layers(layers)
        chains = sorted(
            f"{one.importer} must not know {one.imported}: {' -> '.join(chain)}"
            for one in illegal_dependencies_for_layers
            for route in one.routes
            for chain in [(*sorted(route.heads)[:1], *route.middle, *sorted(route.tails)[:1])]
        )
        return ContractCheck(kept=not chains, metadata={"chains": chains})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for chain in check.metadata["chains"]:
            output.print_error(chain)
