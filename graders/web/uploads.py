"""Files that were uploaded and wait to be imported: each in a folder with a random name, forgotten
after a day."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from graders.core.errors import CogradeError, InputError, NotFound
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.store.workspace import Workspace
from graders.workflows.importing.stage import Listener

#: How long a file is kept that is not imported, in seconds.
KEEP_SECONDS = 24 * 3600.0
_TOKEN = re.compile(r"[0-9a-f]{32}")
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}$")


class JobState(StrEnum):
    """What became of the staging of an upload: it is at work, done, or failed."""

    STAGING = "staging"
    STAGED = "staged"
    FAILED = "failed"


@dataclass
class Job:
    """The staging of one upload: `rows` read so far; what is done after that, and how much of it;
    the number of its import (`import_`), None before there is one."""

    state: JobState = JobState.STAGING
    rows: int = 0
    doing: str = ""
    done: int = 0
    total: int = 0
    error: str = ""
    import_: int | None = None


class Uploads:
    """The uploads of an installation under `folder`. A token alone opens an upload, and only in its
    own workspace."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder, self.clock = folder, clock
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def begin(self, ws: Workspace, label: str) -> tuple[str, Path]:
        """A token and the path to write the bytes to. `label` is the name that the person's
        computer gave."""
        self.sweep()
        token = secrets.token_hex(16)
        home = self.folder / token
        home.mkdir(parents=True)
        path = home / file_name(label)
        meta = {"label": label[:300], "file": path.name, "workspace": str(ws.path.resolve())}
        (home / ".upload").write_text(json.dumps(meta), "utf-8")
        return token, path

    def find(self, ws: Workspace, token: str) -> tuple[Path, str]:
        """The file of a token and its label. NotFound for a token of another workspace too."""
        if _TOKEN.fullmatch(token or ""):  # a field that nothing was put into holds None
            try:
                meta = json.loads((self.folder / token / ".upload").read_text("utf-8"))
                path = self.folder / token / str(meta["file"])
                if meta["workspace"] == str(ws.path.resolve()) and path.is_file():
                    return path, str(meta["label"])
            except (OSError, ValueError, KeyError):
                pass
        raise NotFound(**error_parts("importing.upload.gone"))

    def choices(self, ws: Workspace, token: str) -> JSON:
        """What a person chose about an upload so far; empty where nothing."""
        path, _ = self.find(ws, token)
        try:
            found: JSON = json.loads((path.parent / ".choices").read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found

    def choose(self, ws: Workspace, token: str, choices: JSON) -> None:
        """Keep what a person chose about an upload, for as long as the upload."""
        path, _ = self.find(ws, token)
        fresh = path.parent / f".choices-{secrets.token_hex(4)}"
        fresh.write_text(json.dumps(choices), "utf-8")
        fresh.replace(path.parent / ".choices")  # a reader sees all of it

    def drop(self, token: str) -> None:
        """Forget an upload and its bytes."""
        if _TOKEN.fullmatch(token):
            shutil.rmtree(self.folder / token, ignore_errors=True)
            with self._lock:
                self._jobs.pop(token, None)

    def trim(self, ws: Workspace, most: int) -> None:
        """Forget the oldest uploads of a workspace until all of them are at most so many bytes;
        those that are being read stay."""
        size = 0
        for _, token, bytes_of_it in sorted(self._uploads_of(ws), reverse=True):
            size += bytes_of_it
            job = self.job(token)
            if size > most and (job is None or job.state is not JobState.STAGING):
                self.drop(token)

    def _uploads_of(self, ws: Workspace) -> Iterator[tuple[float, str, int]]:
        """When each upload of a workspace began, its token and bytes."""
        for home in self.folder.iterdir():
            # one of them may go meanwhile
            with suppress(OSError, ValueError, KeyError):
                meta = json.loads((home / ".upload").read_text("utf-8"))
                if meta["workspace"] == str(ws.path.resolve()):
                    size = (home / str(meta["file"])).stat().st_size
                    yield (home / ".upload").stat().st_mtime, home.name, size

    def job(self, token: str) -> Job | None:
        """The staging of an upload, if one was begun since the server started."""
        return self._jobs.get(token)

    def forget_failure(self, token: str) -> None:
        """Forget a staging that failed: its choices are others now."""
        with self._lock:
            job = self._jobs.get(token)
            if job is not None and job.state is JobState.FAILED:
                del self._jobs[token]

    def stage(self, token: str, work: Callable[[Listener], int], done: Callable[[], None]) -> Job:
        """Run `work` in a thread; it returns the number of the import. `done` is called at the end
        in that thread."""
        with self._lock:
            running = self._jobs.get(token)
            if running is not None and running.state is JobState.STAGING:
                return running
            job = self._jobs[token] = Job()

        def progress(rows: int) -> None:
            job.rows = max(job.rows, rows)

        def doing(what: str, part: int, total: int) -> None:
            job.doing, job.done, job.total = what, part, total

        def run() -> None:
            try:
                job.import_ = work(Listener(progress, doing))
                job.state = JobState.STAGED
            except CogradeError as error:
                job.error, job.state = str(error), JobState.FAILED
            except Exception as error:  # a file may break a reader in any way
                job.error = say("importing.upload.broken", error=type(error).__name__)
                job.state = JobState.FAILED
            finally:
                done()

        threading.Thread(target=run, name=f"import-{token[:6]}", daemon=True).start()
        return job

    def sweep(self) -> None:
        """Remove what was left for more than a day."""
        if not self.folder.is_dir():
            return
        for home in self.folder.iterdir():
            if _TOKEN.fullmatch(home.name) and self.clock() - home.stat().st_mtime > KEEP_SECONDS:
                self.drop(home.name)


def file_name(label: str) -> str:
    """A harmless file name that messages may use: letters, digits, ``.``, ``-``, ``_`` and spaces
    of the label's last part."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", label))[-1]
    kept = re.sub(r"[^\w.\- ]+", "_", last, flags=re.UNICODE).strip(" .")
    suffix = _SUFFIX.search(kept.lower())
    ending = suffix.group() if suffix else ""
    stem = (
        kept[: len(kept) - len(ending)]
        .strip(" ._")[:60]
        .encode("utf-8")[:120]
        .decode("utf-8", "ignore")
        .strip()
    )
    return (stem or "file") + ending


def too_large(label: str, most: int) -> InputError:
    """What is said of a file above the limit of so many bytes."""
    return InputError(
        **error_parts("importing.upload.too_large", file=file_name(label), most=most // 1024**2)
    )
