"""Access: who may see the pages. Loopback needs no token but the right host name; others need a token."""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "falsum-token"
PARAMETER: Final = "token"
_LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens there."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class AccessControl:
    """Lets requests pass that are allowed, and adds headers to every response.

    Without a token only requests that name this machine pass, so that a foreign page whose host name resolves
    to this machine cannot read the findings (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, token: str = "") -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        await (self._app if refusal is None else refusal)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["method"] not in {"GET", "HEAD"}:
            return PlainTextResponse("The pages can only be read.\n", 405, {"allow": "GET, HEAD"})
        headers = Headers(scope=scope)
        if not self._token:
            if _host_name(headers.get("host", "")) in _LOCAL_NAMES:
                return None
            return PlainTextResponse("This server answers to localhost only.\n", 421)
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = next((value for name, value in query if name == PARAMETER), None)
        if token is not None and self._is_token(token):
            return self._with_cookie(scope["path"], [pair for pair in query if pair[0] != PARAMETER])
        if self._is_token(_cookie(headers.get("cookie", ""))):
            return None
        return PlainTextResponse("Open the address with the token that falsum serve has printed.\n", 401)

    def _is_token(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(errors="replace"), self._token.encode())

    def _with_cookie(self, path: str, query: list[tuple[str, str]]) -> Response:
        """Redirect to the same page without the token in its address, which browsers remember and show."""
        # A path with two slashes at the beginning would be the address of another server.
        target = f"/{path.lstrip('/')}" + (f"?{urlencode(query)}" if query else "")
        response = RedirectResponse(target, 303)
        response.set_cookie(COOKIE, self._token, httponly=True, samesite="strict", path="/")
        return response


def _host_name(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _cookie(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value
