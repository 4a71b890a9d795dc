"""Signing in by a trusted proxy's header: believed only from the proxy's address and with the proxy's secret."""

import hmac
import ipaddress

from starlette.requests import HTTPConnection

from app.accounts.settings import HeaderSettings, read_secret
from scribe.plumbing.errors import UsageError

ISSUER = "header"


class ProxyHeader:
    """Reads the account from a request. Raises UsageError for settings that cannot be safe."""

    def __init__(self, settings: HeaderSettings) -> None:
        self._settings = settings
        self._secret = read_secret(settings.secret, "[header] secret")
        try:
            self._proxies = [ipaddress.ip_network(each) for each in settings.proxies]
        except ValueError as error:
            raise UsageError(f"[header] proxies: {error}") from error

    def find_account(self, request: HTTPConnection) -> str | None:
        """The account that the proxy vouches for; None if the request is not the proxy's, or names none or two."""
        named = request.headers.getlist(self._settings.account)
        proofs = request.headers.getlist(self._settings.proof)
        if len(named) != 1 or len(proofs) != 1 or not named[0].strip() or not self._is_proxy(request):
            return None
        if not hmac.compare_digest(proofs[0].encode(), self._secret):
            return None
        return named[0].strip()

    def _is_proxy(self, request: HTTPConnection) -> bool:
        try:
            peer = ipaddress.ip_address(request.client.host if request.client else "")
        except ValueError:
            return False
        return any(peer in network for network in self._proxies)
