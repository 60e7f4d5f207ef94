"""A store behind TLS: everything that speaks with it does so by its URL alone."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from typer.testing import CliRunner

from events.log.errors import StoreAwayError
from events.log.redis_log import RedisLog
from services.cli.__main__ import program
from tests.ports import free_port
from tests.servers import HOW_TO_GET_REDIS, redis_binary, running_server
from tests.services.house import House, client_of, settled

pytestmark = pytest.mark.needs("redis-server")


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Write a certificate of this machine's loopback that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    named = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(named)
        .issuer_name(named)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / f"{name}.crt", folder / f"{name}.key"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    private.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return public, private


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Return the address of a server that speaks TLS, but for whose certificate is to be trusted."""
    binary = redis_binary()
    assert binary is not None, HOW_TO_GET_REDIS
    public, private = certificate(tmp_path, "server")
    port = free_port()
    tls = ("--tls-port", str(port), "--tls-cert-file", str(public), "--tls-key-file", str(private))
    with running_server(binary, tmp_path, aof=True, settings=(*tls, "--tls-auth-clients", "no")):
        yield f"rediss://127.0.0.1:{port}/0?ssl_ca_certs="


async def test_a_table_is_played_over_tls(url: str, tmp_path: Path) -> None:
    """Rules, views and doors find the store, and the operator's words do."""
    trusted = f"{url}{tmp_path / 'server.crt'}"
    with closing(RedisLog(trusted)):
        pass
    with settled(House(trusted)) as house:
        async with client_of(house) as client:
            table = await client.open()
            played = await client.play(table, 0, (await client.legal(table, 0))[0])
            listed = CliRunner().invoke(program(), ["keys"], env={"REDIS_URL": trusted})
            looked = CliRunner().invoke(program(), ["doctor"], env={"REDIS_URL": trusted})

    assert 200 == played.status_code, played.text
    assert (0, True) == (listed.exit_code, "tests" in listed.output)
    assert "rule workers" in looked.output


def test_a_store_that_nobody_vouches_for_is_not_used(url: str, tmp_path: Path) -> None:
    """Neither one with another certificate, nor one without any that this machine trusts."""
    other, _ = certificate(tmp_path, "other")
    for wrong in (f"{url}{other}", url.partition("?")[0]):
        with pytest.raises(StoreAwayError):
            RedisLog(wrong)
