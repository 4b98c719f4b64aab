"""Names of hosts and networks: one spelling each, and what is no name is none."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.core.hosts import host_name, is_loopback
from graders.core.settings import read_settings


@pytest.mark.parametrize(
    "text, name",
    [
        ("localhost", "localhost"),
        ("LocalHost.:7860", "localhost"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:7860", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[::ffff:127.0.0.9]", "127.0.0.9"),
        ("Bücher.Example", "xn--bcher-kva.example"),
        ("straße.example", "xn--strae-oqa.example"),
        ("xn--bcher-kva.example:443", "xn--bcher-kva.example"),
        ("a_b.example", "a_b.example"),
        *((text, None) for text in ("", ".", ":80", "a..b", "-a.example", "127.1", "2130706433", "a b", "a@b", "a/b", "a:b", "a:99999")),
        *(
            (text, None)
            for text in ("::1", "[::1", "[1]", "[fe80::1%eth0]", "<b>", "a\x00b", "*.example", "x" * 64, "a." * 127 + "a", "\ud800")
        ),
    ],
)
def test_a_host_has_one_spelling(text: str, name: str | None) -> None:
    assert host_name(text) == name


@pytest.mark.parametrize(
    "name, own", [("localhost", True), ("127.9.8.7", True), ("::1", True), ("localhost.example", False), ("10.0.0.1", False)]
)
def test_loopback_names(name: str, own: bool) -> None:
    assert is_loopback(name) is own


def test_hosts_and_proxies_are_read_from_the_file_and_the_environment(tmp_path: Path) -> None:
    (tmp_path / "cograde.toml").write_text('hosts = ["One.example.", "::1"]\nproxies = ["10.0.0.7", "192.168.7.9/16"]\n')
    found = read_settings({}, tmp_path)
    assert found.hosts == ("one.example", "::1")
    assert found.proxies == (ipaddress.ip_network("10.0.0.7/32"), ipaddress.ip_network("192.168.0.0/16"))
    assert read_settings({"COGRADE_HOSTS": "two.example, THREE.example"}, tmp_path).hosts == ("two.example", "three.example")
    assert read_settings({"SPACE_HOST": "a-b.hf.space"}, tmp_path).hosts == ("one.example", "::1"), "not on a Space"


def test_a_space_knows_its_names_and_the_hubs_proxy(tmp_path: Path) -> None:
    space = {"SPACE_ID": "a/b", "SPACE_HOST": "a-b.hf.space,study.example", "COGRADE_HOSTS": "more.example"}
    found = read_settings(space, tmp_path)
    assert found.hosts == ("more.example", "a-b.hf.space", "study.example")
    assert any(ipaddress.ip_address("10.16.3.80") in network for network in found.proxies)
    assert not any(ipaddress.ip_address(outside) in network for network in found.proxies for outside in ("8.8.8.8", "2a00::1", "127.0.0.1"))
    assert read_settings({}, tmp_path).proxies == ()


@pytest.mark.parametrize(
    "name, value, sentence",
    [
        (
            "hosts",
            "http://a.example/",
            "setting hosts: found 'http://a.example/', expected a name or address such as study.example.org or 192.168.1.5.",
        ),
        ("hosts", "*", "setting hosts: found '*', expected a name or address such as study.example.org or 192.168.1.5."),
        (
            "proxies",
            "proxy.example",
            "setting proxies: found 'proxy.example', expected an address or a network such as 10.0.0.7 or 10.0.0.0/8.",
        ),
    ],
)
def test_a_wrong_setting_is_a_sentence(tmp_path: Path, name: str, value: str, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        read_settings({f"COGRADE_{name.upper()}": value}, tmp_path)
    assert str(error.value) == f"{sentence} Correct COGRADE_{name.upper()}, or {name} in cograde.toml."
    (tmp_path / "cograde.toml").write_text(f"{name} = 7\n")
    with pytest.raises(InputError, match="found 7, expected texts in a list"):
        read_settings({}, tmp_path)
