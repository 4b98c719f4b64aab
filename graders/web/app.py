"""Assembly of the web application: own routes first, then one Gradio Blocks per page, the last at
the root, each made when asked for."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.sessions import SessionMiddleware
from starlette.routing import Mount
from starlette.types import ASGIApp, Receive, Scope, Send

from graders.core import discovery
from graders.core.errors import (
    CogradeError,
    Conflict,
    ContractError,
    NoRoom,
    NotAllowed,
    NotFound,
    ReadOnly,
)
from graders.core.settings import Settings
from graders.core.words import ENGLISH, error_parts, file_of, say
from graders.web.bounded import Bounded
from graders.web.called import MOST_BYTES, blocks_of_calls, need_mcp
from graders.web.called import PATH as CALL
from graders.web.caller import Served
from graders.web.closed import Closed
from graders.web.files import Files, gradio_files, own_files
from graders.web.hosts import Hosts
from graders.web.kit.gradio import FIRST, gr
from graders.web.kit.navigation import places_of
from graders.web.kit.opening import Opening
from graders.web.kit.site import Site
from graders.web.kit.theme import theme
from graders.web.languages import Languages
from graders.web.lazily import Lazily, closing
from graders.web.malformed import refused, sound, unparsed, unreadable
from graders.web.missing import Missing
from graders.web.page import Page, blocks_of
from graders.web.policies import Policies
from graders.web.preparing import Preparing
from graders.web.preview import LinkPreview
from graders.web.session import LARGEST_UPLOAD, Resolver
from graders.web.start import PATH as START
from graders.web.start import Start
from graders.web.storage import handle_trouble
from graders.web.tokens import Tokens
from graders.web.uploads import Uploads
from graders.web.visitors import Visitors, no_room, once_more
from graders.web.worker import Supervisor
from graders.workflows.scope.identity import NameTaken
from graders.workflows.scope.permissions import Nameless

ASSETS = Path(__file__).parent / "assets"
#: What previews of links show.
PICTURE = Path(__file__).parents[2] / "data" / "pictures" / "desk.png"
#: The name of the session's cookie.
COOKIE = "cograde"
#: Gradio's own frame, taken away: pages bring their own ground.
FRAME_CSS = (
    ".html-container{padding:0!important}.gradio-container{overflow:visible!important}"
    ".gradio-container .main{padding:0!important;max-width:none!important}"
    ".gradio-container .main>.wrap{min-height:0!important}"
)


class SameSite:
    """Refuses changing requests that another site sends in a person's name. Plain ASGI: leaves
    streams alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            site = dict(scope["headers"]).get(b"sec-fetch-site", b"same-origin")
            if site not in (b"same-origin", b"none"):
                await JSONResponse({"error": say("web.other_site")}, 403)(scope, receive, send)
                return
        await self.app(scope, receive, send)


class Slash:
    """A page answers with and without a slash at its end: without one the page at the root would
    take the request."""

    def __init__(self, app: ASGIApp, paths: frozenset[str]) -> None:
        self.app, self.paths = app, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] in self.paths:
            scope = {
                **scope,
                "path": scope["path"] + "/",
                "raw_path": scope["path"].encode() + b"/",
            }
        await self.app(scope, receive, send)


class Headers:
    """Assets may be kept (their address carries a hash), data may not; nothing may be framed or
    sniffed beyond need."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                extra = [
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                ]
                if scope["path"].startswith("/assets/"):
                    extra.append((b"cache-control", b"public, max-age=31536000, immutable"))
                elif scope["path"].startswith(("/api/", CALL + "/")):
                    extra.append((b"cache-control", b"no-store"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self.app(scope, receive, sending if scope["type"] == "http" else send)


def make_app(resolver: Resolver, settings: Settings) -> FastAPI:
    """The application: assets, own routes, functions for programs, pages, session, guard."""
    need_mcp(settings)
    made_later: list[Lazily] = []
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=closing(made_later))
    app.state.resolver, app.state.settings = resolver, settings
    app.state.uploads = Uploads(resolver.uploads(settings.data))
    app.state.supervisor = Supervisor(settings.models())
    app.state.supervisor.resume(resolver.shared)
    app.add_exception_handler(CogradeError, _refusal)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(ReadOnly, once_more)
    app.add_exception_handler(NoRoom, no_room)
    handle_trouble(app)
    app.add_exception_handler(Exception, _failure)
    version = assets_version()
    app.mount(f"/assets/{version}", StaticFiles(directory=ASSETS))
    routes, _ = discovery.load_modules("routes", "graders.web.routes", ("router",))
    for module in routes.values():
        app.include_router(module.router, dependencies=[Depends(sound)])
    found = pages()
    app.state.pages = found
    site = Site(
        resolver,
        settings,
        f"/assets/{version}",
        app.state.uploads,
        app.state.supervisor,
        places_of(found),
    )
    app.state.site = site
    served = Served(resolver, settings, app.state.supervisor)
    made_later.append(Lazily(CALL, partial(_functions_app, served)))
    app.mount(CALL, made_later[-1])
    for page in sorted(found, key=lambda p: (p.path == "/", p.order)):
        path = "" if page.path == "/" else page.path
        made_later.append(Lazily(path, partial(_gradio_app, page, path, site)))
        app.mount(path, made_later[-1])
    # an installation without the demo's data has no picture
    pictures = {f"/assets/{version}/{one.name}": one for one in (PICTURE,) if one.is_file()}
    app.add_middleware(
        LinkPreview,
        paths=frozenset(page.path for page in found),
        picture=next(iter(pictures), ""),
        space=bool(settings.space),
    )
    app.add_middleware(Missing, assets=f"/assets/{version}")
    app.add_middleware(Slash, paths=frozenset({page.path for page in found} - {"/"} | {CALL}))
    # the visitor's start copies nothing, and waits for nothing
    waiting = frozenset(page.path for page in found) - {START}
    app.add_middleware(Preparing, resolver=resolver, paths=waiting)
    if settings.space:
        app.add_middleware(Start)
        app.add_middleware(Visitors, paths=frozenset(page.path for page in found))
    app.add_middleware(Headers)
    app.add_middleware(Languages)
    app.add_middleware(
        SessionMiddleware,
        secret_key=resolver.shared.secret(),
        session_cookie=COOKIE,
        max_age=365 * 24 * 3600,
        same_site="none" if settings.space else "lax",
        https_only=bool(settings.space),
        partitioned=bool(settings.space),
    )
    if settings.space:
        app.add_middleware(Tokens, cookie=COOKIE)
    app.add_middleware(SameSite)
    app.add_middleware(CORSMiddleware, allow_origins=[])
    app.add_middleware(
        Files,
        files=own_files(ASSETS, f"/assets/{version}")
        | {f"/assets/{version}/words/{ENGLISH}.json": file_of("desk")}
        | pictures
        | gradio_files(Path(gr.__file__).parent),
    )
    app.add_middleware(Policies, space=bool(settings.space), first=FIRST)
    app.add_middleware(Hosts, settings=settings)
    return app


def _gradio_app(page: Page, path: str, site: Site) -> FastAPI:
    """An application with nothing but one page, at `path`."""
    css = "".join((ASSETS / name).read_text("utf-8") for name in page.css) + FRAME_CSS
    look: dict[str, Any] = {"theme": theme(), "css": css, "assets": site.assets}
    return _mounted(_alone(), blocks_of(page, site), path, site.settings, mcp_server=False, **look)


def _functions_app(served: Served) -> FastAPI:
    """An application with the functions for programs, as tools too where the settings say so."""
    app = _alone()
    app.add_middleware(Bounded, most=MOST_BYTES)
    blocks, settings = blocks_of_calls(served), served.settings
    return _mounted(app, blocks, CALL, settings, mcp_server=settings.mcp, theme=theme())


def _alone() -> FastAPI:
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    # Gradio lets every origin in where the application says nothing
    app.add_middleware(CORSMiddleware, allow_origins=[])
    return app


def _mounted(
    app: FastAPI, blocks: gr.Blocks, path: str, settings: Settings, assets: str = "", **more: Any
) -> FastAPI:
    """The application with these Blocks alone at `path`."""
    app.add_middleware(Opening, path=path, blocks=blocks, assets=assets)
    app.add_middleware(Closed, path=path, blocks=blocks, programs=path == CALL)
    mounted: FastAPI = gr.mount_gradio_app(
        app,
        blocks,
        path=path,
        ssr_mode=False,
        footer_links=[],
        run_history=False,
        max_file_size=LARGEST_UPLOAD,
        allowed_paths=[],
        show_error=False,
        server_name=settings.host,
        server_port=settings.port,
        **more,
    )
    inner: Any = next(route for route in mounted.routes if isinstance(route, Mount)).app
    inner.add_exception_handler(RequestValidationError, unreadable)
    inner.add_exception_handler(HTTPException, unparsed)
    return mounted


def pages() -> list[Page]:
    """All pages, in the order of the navigation: one module of `graders/web/pages`, or of an
    outside package, is one page.

    What is no page, or claims the address of another, is left out and noted among the broken parts.
    """
    modules, failures = discovery.load_modules("pages", "graders.web.pages", ("page",))
    found: dict[str, Page] = {}
    for name, module in modules.items():
        page = module.page
        if not isinstance(page, Page) or page.path in found:
            what = (
                say("web.page.address_taken", path=page.path)
                if isinstance(page, Page)
                else repr(page)[:80]
            )
            error = ContractError(**error_parts("web.page.no_page", name=name, what=what))
            failures.append(discovery.Failure("page", name, str(error)))
        else:
            found[page.path] = page
    discovery.note("pages", failures)
    return sorted(found.values(), key=lambda page: page.order)


def assets_version() -> str:
    """A hash of all assets: a changed file has a new address."""
    digest = hashlib.sha256()
    for path in sorted(p for p in ASSETS.rglob("*") if p.is_file()):
        digest.update(str(path.relative_to(ASSETS)).encode() + path.read_bytes())
    digest.update(file_of("desk").read_bytes())
    return digest.hexdigest()[:12]


def _refusal(request: Request, error: Exception) -> Response:
    codes: dict[type[Exception], int] = {
        NotFound: 404,
        NotAllowed: 403,
        Conflict: 409,
        NameTaken: 409,
    }
    status = 401 if isinstance(error, Nameless) else codes.get(type(error), 422)
    ask = {"ask": error.ask} if isinstance(error, NameTaken) else {}
    return JSONResponse({"error": str(error), **ask}, status)


def _failure(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": say("web.failed")}, 500)
