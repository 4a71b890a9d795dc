"""A web server on this machine, and keys and tokens as an identity provider or a platform makes them."""

import base64
import contextlib
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey

Claims = dict[str, Any]


@contextlib.contextmanager
def serve(application: Any, **settings: Any) -> Iterator[int]:
    """The port at which the application is served until the end of the block."""
    server = uvicorn.Server(uvicorn.Config(application, port=0, log_level="error", **settings))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = server.force_exit = True  # browsers keep connections open
    thread.join()


def make_key(name: str) -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": name, "alg": "RS256", "use": "sig"})


def sign(claims: Claims, key: RSAKey) -> str:
    return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key)


def sign_with_nothing(claims: Claims, key: RSAKey) -> str:
    return f"{_encode({'alg': 'none', 'kid': key.kid})}.{_encode(claims)}."


def sign_with_public_key(claims: Claims, key: RSAKey) -> str:
    """HS256 under the public key, which is no secret: the classic confusion of algorithms."""
    text = f"{_encode({'alg': 'HS256', 'kid': key.kid})}.{_encode(claims)}"
    return f"{text}.{_pack(hmac.new(key.as_pem(private=False), text.encode(), hashlib.sha256).digest())}"


def sign_with_other_key(claims: Claims, key: RSAKey) -> str:
    """Another's signature under this key's name."""
    return sign(claims, make_key(str(key.kid)))


def sign_with_unknown_key(claims: Claims, key: RSAKey) -> str:
    return sign(claims, make_key("unknown"))


def sign_with_own_key_inside(claims: Claims, key: RSAKey) -> str:
    """A header that brings the key to be believed."""
    other = make_key(str(key.kid))
    return jwt.encode({"alg": "RS256", "kid": key.kid, "jwk": other.as_dict(private=False)}, claims, other)


def change_after_signing(claims: Claims, key: RSAKey) -> str:
    head, _, signature = sign(claims, key).split(".")
    return f"{head}.{_encode({**claims, 'sub': 'somebody else'})}.{signature}"


Sign = Callable[[Claims, RSAKey], str]


def change(claims: Claims, changes: Mapping[str, Any]) -> Claims:
    """The claims with others in their place; without those that are None."""
    return {name: value for name, value in {**claims, **changes}.items() if value is not None}


def _encode(value: Any) -> str:
    return _pack(json.dumps(value).encode())


def _pack(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
