"""What is answered to a handshake that the WebSocket library refuses by itself: a problem document, as everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from websockets.http11 import Response
from websockets.server import ServerProtocol
from websockets.typing import StatusLike

from services.api.problems import STATUS, Problem, answer

CODES: Final[Mapping[HTTPStatus, str]] = {
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.REQUEST_URI_TOO_LONG: "head_too_large",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "head_too_large",
    HTTPStatus.INTERNAL_SERVER_ERROR: "internal_error",
}
"""What the library means by a status, where that is not that a head is no handshake."""


class Handshakes(ServerProtocol):
    """The library's side of a line, but for how it says no."""

    def reject(self, status: StatusLike, text: str) -> Response:
        problem = _problem(HTTPStatus(status))
        told = answer(problem)
        headers = super().reject(problem.status, text).headers
        for name, value in told.headers.items():
            headers.pop(name, None)
            headers[name] = value
        return Response(problem.status, HTTPStatus(problem.status).phrase, headers, bytes(told.body))

    def no_to_send(self) -> bytes:
        """Return the answer to a head that could not be read; the library has none to some of them."""
        said = b"".join(self.data_to_send())
        return said or self.reject(HTTPStatus.BAD_REQUEST, "").serialize()


def _problem(status: HTTPStatus) -> Problem:
    if status in CODES:
        return Problem(CODES[status], status=STATUS.get(CODES[status], status))
    problem = "no handshake of a WebSocket"
    return Problem("malformed", status=HTTPStatus.BAD_REQUEST, details={"problem": problem, "reason": "not_websocket"})
