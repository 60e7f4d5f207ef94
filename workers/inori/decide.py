"""What a command causes, or why not."""

from __future__ import annotations

from collections.abc import Sequence

from events.inori.commands import InoriCommand
from events.inori.events import InoriEvent, StonesTaken
from workers.inori.state import InoriState, Take
from workers.kit.decider import Context, Refused


def decide(state: InoriState, command: InoriCommand, _context: Context) -> Sequence[InoriEvent]:
    """Return what the command causes; raises ``Refused``."""
    prompt = state.prompts.get(command.seat)
    if not isinstance(prompt, Take):
        raise Refused("not_your_turn")
    if not 1 <= command.stones <= prompt.most:
        raise Refused("stones_out_of_range", most=prompt.most)
    return [StonesTaken(seat=command.seat, stones=command.stones)]
