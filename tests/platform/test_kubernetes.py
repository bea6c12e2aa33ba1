"""The manifests of `deploy/kubernetes/`: valid, in agreement, and their commands run for real."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from django.urls import resolve

from harness.processes import Processes
from harness.waiting import WAIT_SECONDS, wait_until
from tests.architecture.sources import ROOT
from tests.platform.test_operations import (
    COMPOSE,
    NOT_FOR_CONTAINERS,
    variables_read,
)

FOLDER = ROOT / "deploy/kubernetes"
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
FILES = sorted({path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"})
VERSIONS = ("1.29.0", "1.37.0")

Manifest = dict[str, Any]


@cache
def in_file(name: str) -> list[Manifest]:
    """The manifests of a file, read once: pure Python takes a second for all of them."""
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


def manifests(file: str | None = None) -> list[Manifest]:
    files = FILES if file is None else [file]
    return [each for name in files for each in in_file(name)]


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    """The package that validates manifests; importing it takes two seconds."""
    import kubernetes_validate

    return kubernetes_validate


def of_kind(*kinds: str) -> list[Manifest]:
    return [each for each in manifests() if each["kind"] in kinds]


def pods() -> dict[str, Manifest]:
    """The pods of every deployment and of the job, by their part."""
    templates = [each["spec"]["template"] for each in of_kind("Deployment", "Job")]
    return {each["metadata"]["labels"]["part"]: each["spec"] for each in templates}


def container(part: str) -> Manifest:
    (found,) = pods()[part]["containers"]
    return dict(found)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("version", VERSIONS)
def test_every_manifest_follows_the_schema_of_kubernetes(
    checker: ModuleType, file: str, version: str
) -> None:
    for manifest in manifests(file):
        checker.validate(manifest, version, strict=True)


def test_the_checker_refuses_an_unknown_field(checker: ModuleType) -> None:
    (manifest,) = (each for each in manifests("web.yaml") if each["kind"] == "Service")
    odd = {**manifest, "spec": {**manifest["spec"], "port": 80}}
    with pytest.raises(checker.ValidationError):
        checker.validate(odd, VERSIONS[0], strict=True)


def test_kustomize_takes_every_file_but_those_applied_by_hand() -> None:
    by_hand = {"secret.example.yaml", "prepare.yaml", "autoscaling.yaml"}
    assert set(KUSTOMIZATION["resources"]) == set(FILES) - by_hand
    (image,) = KUSTOMIZATION["images"]
    used = {part: container(part)["image"] for part in pods()}
    assert used.pop("prepare") == f"{image['newName']}:{image['newTag']}", "it is not in kustomize"
    assert set(used.values()) == {image["name"]}
    assert {each["metadata"].get("namespace") for each in manifests()} == {
        None,  # the namespace itself
        KUSTOMIZATION["namespace"],
    }


def test_selectors_find_pods_and_ports_have_names() -> None:
    labels = {part: {"app": "pasch", "part": part} for part in pods()}
    for each in of_kind("Deployment"):
        spec = each["spec"]
        assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
        assert spec["template"]["metadata"]["labels"] in labels.values()
    (service,) = (each for each in of_kind("Service") if each["metadata"]["name"] == "web")
    assert service["spec"]["selector"] == labels["web"]
    (port,) = container("web")["ports"]
    assert service["spec"]["ports"][0]["targetPort"] == port["name"] == "http"
    assert f"EXPOSE {port['containerPort']}" in DOCKERFILE
    for each in of_kind("PodDisruptionBudget"):
        assert each["spec"]["selector"]["matchLabels"] in labels.values()
    for each in of_kind("NetworkPolicy"):
        chosen = each["spec"]["podSelector"]["matchLabels"].items()
        assert any(chosen <= known.items() for known in labels.values())
    services = {each["metadata"]["name"] for each in of_kind("Service")}
    (ingress,) = of_kind("Ingress")
    paths = ingress["spec"]["rules"][0]["http"]["paths"]
    ways = {each["path"]: each["backend"]["service"]["name"] for each in paths}
    assert ways == {"/health": "nothing", "/metrics": "nothing", "/": "web"}
    assert set(ways.values()) == services


def test_every_variable_is_one_that_the_house_reads() -> None:
    names = {name for each in of_kind("ConfigMap") for name in each["data"]}
    secret = {name for each in of_kind("Secret") for name in each["stringData"]}
    read = variables_read() - NOT_FOR_CONTAINERS
    assert names | secret <= read
    assert names & secret == set()
    needed = set(re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "deploy/compose.yaml").read_text()))
    assert (needed & read) | {"DATABASE_URL", "REDIS_URL"} <= names | secret
    values = [value for each in of_kind("Secret") for value in each["stringData"].values()]
    assert set(values) == {""}, "a template has no secret"
    (ingress,) = of_kind("Ingress")
    hosts = {rule["host"] for rule in ingress["spec"]["rules"]}
    (config,) = of_kind("ConfigMap")
    assert hosts == set(config["data"]["ALLOWED_HOSTS"].split(","))


def test_no_container_is_root_or_writes_but_where_it_must() -> None:
    (user,) = re.findall(r"useradd .*--uid (\d+)", DOCKERFILE)
    for part, pod in pods().items():
        assert pod["securityContext"]["runAsNonRoot"] is True, part
        assert pod["securityContext"]["runAsUser"] == int(user), part
        assert pod["automountServiceAccountToken"] is False, part
        assert pod["enableServiceLinks"] is False, part
        rights = container(part)["securityContext"]
        assert rights["readOnlyRootFilesystem"] is True, part
        assert rights["allowPrivilegeEscalation"] is False, part
        assert rights["capabilities"] == {"drop": ["ALL"]}, part
        mounts = {each["mountPath"]: each["name"] for each in container(part)["volumeMounts"]}
        assert mounts == {"/tmp": "tmp", "/srv/seals": "seals"}, part
        assert {each["name"] for each in pod["volumes"]} == set(mounts.values()), part
    (config,) = of_kind("ConfigMap")
    assert config["data"]["LEDGER_SEAL_FILE"].startswith("/srv/seals/")


def test_the_commands_are_those_of_the_compose_file() -> None:
    for part in ("worker", "beat", "analysis", "prepare"):
        assert container(part)["command"] == COMPOSE["services"][part]["command"], part
    assert "command" not in container("web"), "the image's own"
    assert "command" not in COMPOSE["services"]["web"]


def test_only_the_job_has_the_owner_of_the_database() -> None:
    with_env = {part: container(part).get("env", []) for part in pods()}
    owners = {part for part, env in with_env.items() if "pasch-owner" in json.dumps(env)}
    assert owners == {"prepare"}


def test_probes_ask_addresses_that_answer_their_question() -> None:
    probes = {
        kind: resolve(container("web")[kind]["httpGet"]["path"]).func.__name__
        for kind in ("startupProbe", "readinessProbe", "livenessProbe")
    }
    assert probes == {
        "startupProbe": "started",
        "readinessProbe": "readiness",
        "livenessProbe": "live",
    }


def argv(part: str) -> list[str]:
    """The command of a container, or that of its image, with the programs of this machine."""
    (of_the_image,) = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.M)
    first, *rest = container(part).get("command") or json.loads(of_the_image)
    programs = {"python": sys.executable, "celery": str(Path(sys.executable).with_name("celery"))}
    return [programs[first], *rest]


@pytest.fixture
def cluster(transactional_db: None, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Every container's command as a process of this machine."""
    house = Processes(tmp_path, [(3, 1)])
    (tmp_path / "tmp").mkdir()
    told = {
        **house.environment,
        "TMPDIR": str(tmp_path / "tmp"),
        "STATIC_ROOT": str(tmp_path / "static"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")]),
    }
    running: dict[str, subprocess.Popen[bytes]] = {}

    def start(part: str) -> subprocess.Popen[bytes]:
        log = (tmp_path / f"{part}.log").open("wb")
        running[part] = subprocess.Popen(
            argv(part), cwd=ROOT, env=told, stdout=log, stderr=log, start_new_session=True
        )
        return running[part]

    yield {"start": start, "port": house.port, "folder": tmp_path}
    for process in running.values():
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def asked(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(
            f"http://127.0.0.1:{port}{path}", timeout=WAIT_SECONDS
        ) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


def handles_sigterm(pid: int) -> bool:
    """Whether the process has started far enough to end by itself."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = int(next(line.split()[1] for line in status.splitlines() if "SigCgt" in line), 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


@pytest.mark.slow
def test_every_command_starts_answers_its_probes_and_ends_in_time(cluster: Any) -> None:
    assert cluster["start"]("prepare").wait(WAIT_SECONDS) == 0
    parts = ("web", "worker", "beat", "analysis")
    processes = {part: cluster["start"](part) for part in parts}
    second = cluster["start"]("beat")  # a rollout runs two for a moment
    web = container("web")
    paths = [web[kind]["httpGet"]["path"] for kind in ("startupProbe", "readinessProbe")]
    paths += [web["livenessProbe"]["httpGet"]["path"], "/health/house/"]

    def is_well(path: str) -> bool:
        for part, process in processes.items():
            log = (cluster["folder"] / f"{part}.log").read_text()
            assert process.poll() is None, (part, log)
        return asked(cluster["port"], path)[0] == 200

    for path in paths:
        wait_until(partial(is_well, path), path)
    wait_until(lambda: second.poll() is None and handles_sigterm(second.pid))
    for process in (*processes.values(), second):
        process.send_signal(signal.SIGTERM)
    for part, process in processes.items():
        grace = pods()[part]["terminationGracePeriodSeconds"]
        assert process.wait(grace) == 0, (part, (cluster["folder"] / f"{part}.log").read_text())
    assert second.wait(WAIT_SECONDS) == 0
