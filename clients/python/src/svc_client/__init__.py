"""The Python client of svc: accounts, memory and conversation for people and AI agents.

It needs the standard library of Python 3.9 or later alone. `svc_client.aio` has the client for
asyncio.

    from svc_client import Svc

    svc = Svc("http://localhost:3000", api_key="svc_...")
    svc.memories.remember(content="Ada prefers tea to coffee.")
    for memory in svc.memories.recall(query="What does Ada drink?")["memories"]:
        print(memory["content_text"])

This file is generated from the contract of the server, by `scripts/python-client.ts` of svc. A
change belongs in the contract or in `scripts/python-client/template`.
"""

from __future__ import annotations

import contextlib
import copy
import copyreg
import functools
import http.client
import ipaddress
import itertools
import json
import mimetypes
import os
import random
import re
import selectors
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
import uuid
import weakref
from datetime import date, datetime, timezone
from email.utils import parsedate_to_datetime
from http.cookies import CookieError, SimpleCookie
from typing import (
    IO,
    Any,
    Callable,
    Generic,
    Iterator,
    Literal,
    Mapping,
    Optional,
    Sequence,
    TypedDict,
    TypeVar,
    Union,
)

__version__ = "0.1.0"

DEFAULT_URL = "http://localhost:3000"
REFRESH_COOKIE = "refresh_token"

#: The content of a file: bytes, a path, or a file that is open for reading bytes.
FileInput = Union[bytes, str, "os.PathLike[str]", IO[bytes]]

#: A time: a `datetime` with a time zone, a `date`, which is a whole day, or a text in ISO 8601.
Time = Union[str, datetime, date]

T = TypeVar("T")


class _Omit:
    """The value of an argument that is not sent. `None` is sent as null."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT: Any = _Omit()


class SvcError(Exception):
    """Any failure of a call. It can be copied and pickled, with its fields."""

    def __reduce__(self) -> tuple[Any, ...]:
        # By default, a copy calls the class with the text alone.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore


class Unreachable(SvcError):
    """No response: the server is down, the connection failed, or nothing came within the timeout.

    Attributes:
        is_sent: Whether the server may have got the request.
    """

    def __init__(self, message: str, is_sent: bool = True) -> None:
        super().__init__(message)
        self.is_sent = is_sent


class NotSvc(Unreachable):
    """The service at the URL is not svc."""


class StreamCut(SvcError):
    """A stream or a download ended before its end. The parts before were delivered."""


class StreamFailed(SvcError):
    """The server ended a stream with an error, such as a model that failed.

    Attributes:
        detail: The detail of the error: a text, an object or an array.
    """

    def __init__(self, detail: Any) -> None:
        super().__init__(_describe(0, detail))
        self.detail = detail


class MfaRequired(SvcError):
    """The account needs a second factor: call sign_in with a code, or `mfa.verify_mfa`.

    Attributes:
        partial_token: The token for `mfa.verify_mfa`, valid for 5 minutes.
    """

    def __init__(self, partial_token: str) -> None:
        super().__init__("The account needs a second factor. Pass code=, from the authenticator.")
        self.partial_token = partial_token


class ApiError(SvcError):
    """A response of the server with a status outside 2xx.

    Attributes:
        status: The HTTP status.
        detail: The `detail` of the body: a text, an object or an array.
        reason: The name of the error in the API reference, such as `memory_not_found`. For an error
            whose text has values, the name of its status, such as `conflict`.
        fix: The next step, or an empty text.
        request_id: The id of the request in the log of the server.
        retry_after: Seconds until a retry may succeed, if that is known.
    """

    def __init__(
        self,
        status: int,
        detail: Any,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        self.status = status
        self.detail = detail
        self.reason = _reason(status, detail)
        self.request_id = request_id
        self.retry_after = retry_after
        self.message = _describe(status, detail)
        self.fix = _fix(self)
        text = f"{self.message.rstrip('.')} ({status})."
        super().__init__(f"{text} {self.fix}" if self.fix else text)


class BadRequest(ApiError):
    """400: the input was rejected."""


class Unauthorized(ApiError):
    """401: the credential is missing, invalid or expired, or the sign-in has ended."""


class PaymentRequired(ApiError):
    """402: the organization has no free seat."""


class Forbidden(ApiError):
    """403: the caller is not allowed to do this."""


class NotFound(ApiError):
    """404: the object does not exist or belongs to another user."""


class Conflict(ApiError):
    """409: the request conflicts with the current state."""


class Gone(ApiError):
    """410: the token or code has expired or was already used."""


class TooLarge(ApiError):
    """413: the body is too large."""


class InvalidInput(ApiError):
    """422: validation failed. `detail` lists each failing field with `loc`, `msg` and `type`."""


class RateLimited(ApiError):
    """429: a rate limit, a quota or the credits are used up."""


class QuotaExceeded(RateLimited):
    """429 of a monthly quota, of the credits or of the spending cap: waiting does not help."""


class ServerError(ApiError):
    """5xx: the server or a server behind it failed."""


class Unavailable(ServerError):
    """503: a dependency of the server is not ready."""


_CLASSES: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    402: PaymentRequired,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    413: TooLarge,
    422: InvalidInput,
    429: RateLimited,
    503: Unavailable,
}

_STATUS_REASONS = {
    400: "bad_request",
    401: "unauthorized",
    402: "payment_required",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    410: "gone",
    413: "too_large",
    422: "invalid_input",
    429: "rate_limited",
    500: "internal",
    502: "bad_gateway",
    503: "unavailable",
    504: "gateway_timeout",
}

#: The texts of the errors whose text is always the same.
_TEXTS = {
    "account_disabled": "This account is disabled",
    "address_not_allowed": "This API key may not be used from this address",
    "address_of_admin": "SVC_ADMIN_EMAILS makes this address an admin",
    "admin_by_configuration": (
        "SVC_ADMIN_EMAILS makes this account an admin; remove its address there"
    ),
    "administers_admin": (
        "The account of an admin cannot be changed by another; revoke the role first"
    ),
    "agent_not_found": "Agent not found",
    "agent_proposal_not_found": "This agent proposes nothing",
    "already_org_member": "A member already has this email address",
    "api_key_addresses_of_parent": (
        "A key for an agent has the addresses of the key that created it; change that one"
    ),
    "api_key_cannot_manage_account": "An API key cannot manage the account; sign in instead",
    "api_key_invalid": "Invalid API key",
    "api_key_not_found": "API key not found",
    "api_key_of_another_user": "This API key belongs to another user",
    "api_key_parent_paused": "The key that created this one is paused; resume that one",
    "api_key_revokes_only_itself": "An API key can revoke only itself; sign in to manage keys",
    "api_key_scopes_too_wide": "A key for an agent can have only scopes of the key that creates it",
    "attached_page_not_found": "Page not found",
    "audio_empty": "The audio is empty",
    "audio_too_large": "The audio is larger than 25 MB",
    "audio_type_unsupported": "The file must be audio",
    "auth_rate_limited": "Too many requests. Please try again later.",
    "backup_running": "A backup is being made already; wait until it ends",
    "body_compressed": "The request body is compressed; send it without Content-Encoding",
    "capture_not_found": "No conversation was captured under that session",
    "category_not_found": "Category not found",
    "client_is_public": "The app has no secret",
    "client_not_found": "App not found",
    "common_password": "This password is among the 10,000 most common; choose another one",
    "confirmation_closed": "The confirmation is no longer open",
    "confirmation_not_found": "Confirmation not found",
    "conflict_memories_changed": "The memories of the conflict changed meanwhile; try again",
    "conflict_not_found": "No conflict under that key",
    "consent_not_found": "Consent not found",
    "context_not_found": "No model wrote this message",
    "credential_paused": "This credential is paused; its owner can resume it",
    "current_password_wrong": "Current password is wrong",
    "deletion_not_confirmed": "Confirm with the email address of the account",
    "deletion_password_wrong": "Password is wrong",
    "delivery_not_found": "Delivery not found",
    "device_approval_revoked": "The approval of this login was revoked; start a new login",
    "device_code_unknown": "Unknown device code",
    "device_login_delivered": "This login was already delivered",
    "device_login_expired": "This login has expired; start a new login",
    "device_not_found": "Device not found",
    "disposable_email": "Disposable email addresses are not allowed",
    "dm_peer_deleted": "The other user has deleted their account",
    "dm_thread_not_found": "Thread not found",
    "dm_to_self": "You cannot write to yourself",
    "email_already_verified": "The email address is already verified",
    "email_managed": "Your organization manages this address; ask its administrator to change it",
    "email_taken": "Email already registered",
    "email_thread_not_found": "Email thread not found",
    "email_unchanged": "The account has this address already",
    "engine_not_found": "Engine not found",
    "event_not_found": "Event not found",
    "feedback_not_found": "No such mark of this memory",
    "file_empty": "The file is empty",
    "file_storage_full": "Your files would be larger than 1 GB together; delete some first",
    "file_too_large": "The file is larger than 25 MB",
    "file_type_unsupported": "The file must be text, a PDF, a JPEG, PNG, WebP or GIF",
    "firing_not_found": "Firing not found",
    "handler_not_found": "Handler not found",
    "impersonates_admin": "The account of an admin cannot be used by another",
    "impersonates_disabled": "This account is disabled; enable it first",
    "impersonation_limited": (
        "An admin who uses the account of a user cannot change the account or write to other people"
    ),
    "intent_not_found": "Intent not found",
    "invalid_email": "Invalid email address",
    "invalid_handoff_token": "Invalid handoff token",
    "invite_for_other_address": "This invitation is for another email address",
    "invite_not_found": "Invite not found",
    "invite_not_open": "This invitation has expired, was withdrawn, or was answered already",
    "last_admin": "This is the last admin; make another user an admin first",
    "last_sign_in_method": "This is the only way to sign in; set a password first",
    "mailed_code_wrong": "This code is wrong or has expired",
    "memory_duplicate": "The same content is remembered already",
    "memory_not_found": "Memory not found",
    "memory_superseded": "The memory is superseded; change the memory in superseded_by",
    "mfa_already_enabled": "A second factor is already enabled",
    "mfa_not_enabled": "No second factor is enabled",
    "mfa_not_set_up": "Set up a second factor first",
    "no_password": "This account signs in through a provider and has no password",
    "not_org_member": "Not a member of this organization",
    "nothing_paid_yet": "There is no subscription to change: you have not paid for anything yet",
    "nothing_to_regenerate": "This session has no question to answer again",
    "oauth_provider_not_connected": "Provider not connected",
    "oauth_provider_unknown": "Unknown provider, or not configured",
    "org_domain_exists": "The organization has this domain already",
    "org_domain_lookup_failed": "The name servers of the domain did not answer. Try again later",
    "org_domain_not_found": "Domain not found",
    "org_domain_record_missing": (
        "The DNS of the domain has no such TXT record yet. New records can take an hour until they "
        "are seen; then verify again"
    ),
    "org_domain_verified_elsewhere": (
        "Another organization has verified this domain; remove it there first"
    ),
    "org_key_not_allowed": (
        "An API key of an organization cannot do this; use an API key without an organization"
    ),
    "org_manager_required": "Only an owner or an admin of the organization can do this",
    "org_member_not_found": "Member not found",
    "org_owner_missing": (
        "An organization needs an owner: make another member an owner first, or delete the "
        "organization"
    ),
    "org_owner_required": "Only an owner of the organization can do this",
    "passkey_challenge_ended": (
        "This request for a passkey has expired or was used already. Try again"
    ),
    "passkey_copied": (
        "A copy of this passkey may exist, because its counter went back. Sign in another way and "
        "remove it"
    ),
    "passkey_exists": "This passkey belongs to an account already",
    "passkey_not_found": "Passkey not found",
    "passkeys_unavailable": "Passkeys need a host name: SVC_BASE_URL has an IP address",
    "password_needed": (
        "Add a passkey and turn on the second factor first: its recovery codes are needed"
    ),
    "passwords_do_not_match": "Passwords do not match",
    "payg_without_credits": "Buy credits first, with POST /api/billing/checkout",
    "picture_not_found": "Picture not found",
    "picture_not_readable": "The picture cannot be read as a JPEG, PNG or WebP",
    "picture_too_large": "The picture is larger than 5 MB",
    "picture_type_not_allowed": "The picture must be a JPEG, PNG or WebP",
    "recent_sign_in_needed": (
        "Sign in again first: an account without a password needs a sign-in of the last 15 minutes"
    ),
    "reflex_not_found": "Reflex not found",
    "reflex_without_webhook": "The reflex has no webhook",
    "reset_link_invalid": "This reset link is invalid or has expired",
    "rotation_in_progress": "The next key is already published and signs soon",
    "scim_token_not_found": "SCIM token not found",
    "share_closed": "This conversation is no longer shared",
    "share_not_found": "Share not found",
    "sign_up_closed": "This server takes no new accounts; ask its operator for one",
    "sign_up_domain": "Accounts of this server need an address at one of its domains",
    "sign_up_needs_invite": "A new account needs an invitation to this address",
    "superseded_is_trusted": (
        "The memory to supersede is trusted more than the one that is to replace it; only its user "
        "can do this"
    ),
    "superseded_not_found": "The memory to supersede does not exist",
    "superseded_twice": "The memory to supersede was superseded already",
    "supersedes_itself": "A memory cannot supersede itself",
    "token_expired": "Token expired",
    "too_many_clients": "There are 1,000 apps; delete one first",
    "too_many_pictures": "Too many pictures are waiting. Try again in 10 seconds.",
    "transcription_not_configured": (
        "No transcription endpoint is configured: set SVC_TRANSCRIBE_URL"
    ),
    "unknown_preference": "Unknown preference",
    "unreachable_email": (
        "The mail server of this service reaches only addresses with a to z, digits and signs "
        "before the @"
    ),
    "user_code_not_found": "No device login is waiting for this code",
    "username_not_found": "No user has this username",
    "verification_link_invalid": "This link has expired or was already used",
    "verification_needs_link": (
        "The address is verified by a link: only the first account of a server on this machine "
        "that sends no mail needs none"
    ),
    "verification_token_malformed": "Invalid verification token",
    "view_not_found": "No view with this name",
    "webhook_not_found": "Webhook not found",
    "wrong_credentials": "Invalid email or password",
}
_REASONS = {text: reason for reason, text in _TEXTS.items()}


def _reason(status: int, detail: Any) -> str:
    if isinstance(detail, dict) and isinstance(detail.get("error"), str):
        return str(detail["error"])
    known = _REASONS.get(detail) if isinstance(detail, str) else None
    return known or _STATUS_REASONS.get(status, f"http_{status}")


def _field_text(error: Any) -> str:
    if not isinstance(error, dict):
        return str(error)
    place = [str(part) for part in error.get("loc") or []]
    return f"{'.'.join(place[1:]) or ''.join(place[:1])}: {error.get('msg')}"


def _describe(status: int, detail: Any) -> str:
    """The detail of an error as one line."""
    if isinstance(detail, str):
        return detail
    if isinstance(detail, list):
        return "; ".join(_field_text(error) for error in detail)
    if not isinstance(detail, dict):
        return f"HTTP {status}"
    error = detail.get("error")
    if isinstance(detail.get("message"), str):
        return str(detail["message"])
    if error == "tier_insufficient":
        tiers = detail.get("required_tier"), detail.get("current_tier")
        return "This requires the tier {}; the account has {}".format(*tiers)
    if error == "feature_gate_denied":
        return f"The tier {detail.get('current_tier')} does not include {detail.get('feature')}"
    if error == "rate_limited":
        return "Too many requests"
    return error if isinstance(error, str) else f"HTTP {status}"


_FIXES = {
    401: "Pass api_key, set SVC_API_KEY, or call sign_in.",
    413: "Send less data.",
    422: "Correct these arguments.",
}


def _fix(error: ApiError) -> str:
    """The next step after an error; empty if the message says it."""
    detail, status = error.detail, error.status
    if isinstance(detail, dict) and isinstance(detail.get("upgrade_url"), str):
        return f"Compare the tiers: {detail['upgrade_url']}"
    if error.reason == "email_not_verified":
        return "Call email_verification.verify_email with the token of the emailed link."
    if error.reason == "api_key_cannot_manage_account":
        return "Call sign_in first."
    if status == 429 and error.retry_after is not None:
        return f"Wait {error.retry_after:.0f} seconds before the next request."
    if status == 404 and detail == "Not Found":
        return "The server has no such endpoint: it may be an older version."
    if status >= 500 and error.request_id:
        return f"Try again later. The server logged it as request {error.request_id}."
    return _FIXES.get(status, "")


class Svc:
    """A client of one svc server. Threads can share it.

        with Svc("https://svc.example.com", api_key="svc_...") as svc:
            svc.memories.remember(content="Ada prefers tea to coffee.")

    Each endpoint is a method, grouped by its part of the API. Methods raise `ApiError` for a
    response outside 2xx and `Unreachable` without one. A failed call is sent again if that is
    safe: if it never reached the server, changes nothing the second time, or was refused with
    the time to wait.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        refresh_token: Optional[str] = None,
        on_refresh_token: Optional[Callable[[str], None]] = None,
        org_id: Optional[str] = None,
        user_timezone: Optional[str] = None,
        timeout: Optional[float] = 60.0,
        max_retries: int = 2,
        max_wait: float = 30.0,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """
        Args:
            base_url: The address of the server. Default: SVC_URL, or http://localhost:3000.
            api_key: An API key or an access token. Default: SVC_API_KEY, without a refresh
                token. Once the client has signed in, it uses the sign-in instead.
            refresh_token: That of an earlier sign-in, to continue it.
            on_refresh_token: Called with each new refresh token, to store it: the old one no
                longer works.
            org_id: The organization to act in.
            user_timezone: The IANA name of the user's time zone. Default: that of this machine.
            timeout: Seconds to wait for a connection, and for the next data of a response. None
                waits without limit.
            max_retries: How often a failed call is sent again at most.
            max_wait: The longest pause before a retry, in seconds. A server that asks for a
                longer one is not asked again; the error has the time in `retry_after`.
            ssl_context: The certificates to trust. Default: those of this machine.
        """
        origin = _Origin(base_url or os.environ.get("SVC_URL") or DEFAULT_URL, ssl_context)
        self._pool = _Pool(origin)
        self._sign_in = _SignIn(_secret("refresh_token", refresh_token), on_refresh_token)
        from_environment = None if refresh_token else os.environ.get("SVC_API_KEY")
        self._api_key = _secret("api_key", api_key or from_environment)
        self._org_id = org_id
        self._timezone = user_timezone or _machine_timezone()
        self._timeout = _checked_timeout(timeout)
        self._max_retries = max_retries
        self._max_wait = max_wait
        self._group()

    def _group(self) -> None:
        self.account = AccountCalls(self)
        self.sessions = SessionsCalls(self)
        self.mfa = MfaCalls(self)
        self.passkeys = PasskeysCalls(self)
        self.email_verification = EmailVerificationCalls(self)
        self.api_keys = ApiKeysCalls(self)
        self.mcp_login = McpLoginCalls(self)
        self.oauth = OauthCalls(self)
        self.profile = ProfileCalls(self)
        self.organizations = OrganizationsCalls(self)
        self.admin = AdminCalls(self)
        self.billing = BillingCalls(self)
        self.memories = MemoriesCalls(self)
        self.captures = CapturesCalls(self)
        self.identity = IdentityCalls(self)
        self.introspection = IntrospectionCalls(self)
        self.proactive = ProactiveCalls(self)
        self.senses = SensesCalls(self)
        self.reflexes = ReflexesCalls(self)
        self.conversations = ConversationsCalls(self)
        self.chat_sessions = ChatSessionsCalls(self)
        self.agents = AgentsCalls(self)
        self.files = FilesCalls(self)
        self.email = EmailCalls(self)
        self.direct_messages = DirectMessagesCalls(self)
        self.shares = SharesCalls(self)
        self.activity = ActivityCalls(self)
        self.system = SystemCalls(self)

    def __repr__(self) -> str:
        return f"Svc({self.base_url!r})"

    def __enter__(self) -> Svc:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections. A later call opens a new one."""
        self._pool.close()

    def with_options(
        self,
        *,
        org_id: Optional[str] = OMIT,
        timeout: Optional[float] = OMIT,
        max_retries: int = OMIT,
        max_wait: float = OMIT,
    ) -> Svc:
        """A client with other options, and the same sign-in and connections."""
        other = copy.copy(self)
        other._org_id = self._org_id if org_id is OMIT else org_id
        other._timeout = self._timeout if timeout is OMIT else _checked_timeout(timeout)
        other._max_retries = self._max_retries if max_retries is OMIT else max_retries
        other._max_wait = self._max_wait if max_wait is OMIT else max_wait
        other._group()
        return other

    @property
    def base_url(self) -> str:
        return self._pool.origin.url

    @property
    def refresh_token(self) -> Optional[str]:
        """The refresh token of the sign-in. It is a secret, valid for a year."""
        token = self._sign_in.refresh_token
        return None if token is None else str(token)

    def sign_up(self, email: str, password: str) -> TokenResponse:
        """Creates an account and signs in. The address is not verified yet.

        Raises:
            BadRequest: The address or the password is not accepted.
            Conflict: `email_taken`.
        """
        return self.account.sign_up(email=email, password=password, confirm_password=password)

    def sign_in(self, email: str, password: str, code: Optional[str] = None) -> TokenResponse:
        """Signs in. The client renews the access token by itself from then on.

        Args:
            code: The code of the second factor, or a recovery code.

        Raises:
            Unauthorized: `wrong_credentials`.
            MfaRequired: The account has a second factor, and there is no code.
        """
        answer: Any = self.account.sign_in(email=email, password=password)
        if not answer.get("mfa_required"):
            return answer
        if code is None:
            raise MfaRequired(answer["partial_token"])
        return self.mfa.verify_mfa(partial_token=answer["partial_token"], code=code)

    def sign_out(self) -> None:
        """Ends the sign-in of this client."""
        if self._sign_in.refresh_token is not None:
            self.account.sign_out()
        self._sign_in.end()

    def conversation(
        self, session_id: Optional[str] = None, *, title: Optional[str] = None, **options: Any
    ) -> Conversation:
        """A conversation that the server remembers.

            with svc.conversation(title="A trip to Paris") as chat:
                for text in chat.ask("Where should I eat?"):
                    print(text, end="", flush=True)

        Args:
            session_id: The chat session to continue. Default: a new one.
            title: The title of a new session. Default: derived from the first message.
            options: Arguments of `conversations.chat_stream` for each message, such as `depth`.
        """
        return Conversation(self, session_id, title, options)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        upload: Optional[Upload] = None,
        file: Optional[FileInput] = None,
        result: Any = None,
        stream: Optional[str] = None,
        last: Optional[str] = None,
        download: bool = False,
        auth: Literal["bearer", "cookie", "none"] = "bearer",
        repeatable: Optional[bool] = None,
    ) -> Any:
        """Calls any endpoint, such as one of a newer server that this client does not know.

        Args:
            body: Sent as JSON.
            upload: Sent as a form with one file.
            file: Sent as the body, piece by piece.
            result: The type of the response: a TypedDict, `dict` or `list`.
            stream: The media type of a streamed response.
            last: The event without which a stream is incomplete.
            repeatable: Whether the request may be sent again after it may have had its effect.
                Default: for GET and DELETE.

        Returns:
            The parsed body, a `Stream` or a `Download`.

        Raises:
            ApiError: The response has a status outside 2xx.
            Unreachable: There is no complete response.
            NotSvc: The response is not one of svc.
        """
        target = f"{self._pool.origin.target}{path}{_query_text(query or {})}"
        request = _Request(method, target, upload if upload is not None else body, file)
        accept = stream or ("*/*" if download else "application/json")
        can_repeat = method in ("GET", "DELETE") if repeatable is None else repeatable
        is_read = stream is None and not download
        reply = self._send(request, accept, auth, can_repeat, is_read)
        if reply is None:
            return None
        if stream is not None:
            if reply.headers.get_content_type() != stream:
                reply.close()
                raise self._not_svc()
            return Stream(reply, stream, last)
        if download:
            return Download(reply)
        answer = _parse(reply.data)
        if path.startswith("/api/auth/"):
            self._sign_in.adopt(reply, answer)
        if result is not None and not _could_match(result, answer):
            raise self._not_svc()
        return answer

    def _not_svc(self) -> NotSvc:
        return NotSvc(f"The service at {self.base_url} is not svc")

    def _send(
        self, request: _Request, accept: str, auth: str, repeatable: bool, is_read: bool
    ) -> Optional[_Reply]:
        """The successful response; None if an earlier attempt to delete succeeded."""
        failures = 0
        is_renewed = may_be_done = False
        if auth == "bearer" and not self._api_key and self._sign_in.access_token is None:
            # A sign-in that continues with a refresh token alone.
            is_renewed = self._sign_in.renew(None, self._refresh)
        while True:
            token = self._sign_in.access_token if auth == "bearer" else None
            try:
                reply = self._exchange(request, self._headers(accept, auth, token))
                if 200 <= reply.status < 300:
                    reply.data = reply.read() if is_read else b""
                    return reply
                error = reply.error()
            except Unreachable as unreachable:
                error = unreachable
            if token and not is_renewed and request.can_repeat and isinstance(error, Unauthorized):
                is_renewed = True
                if self._sign_in.renew(token, self._refresh):
                    continue
            if may_be_done and request.method == "DELETE" and isinstance(error, NotFound):
                return None
            wait = self._pause(error, failures, repeatable)
            if wait is None or failures >= self._max_retries or not request.can_repeat:
                raise error
            may_be_done = may_be_done or _may_be_done(error)
            failures += 1
            self._sleep(wait)

    def _refresh(self) -> Any:
        return self.account.refresh()

    def _sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def _pause(self, error: SvcError, failures: int, repeatable: bool) -> Optional[float]:
        """The seconds before a retry; None if there should be none.

        A random part keeps clients that failed together from coming back together.
        """
        backoff = random.uniform(0.0, min(8.0, 0.5 * 2.0**failures))
        if isinstance(error, ApiError):
            if isinstance(error, QuotaExceeded) or error.status not in (429, 500, 502, 503, 504):
                return None
            if error.retry_after is not None:
                wait = error.retry_after + backoff * min(1.0, error.retry_after)
                can_wait = error.retry_after <= self._max_wait
                return wait if can_wait and (repeatable or error.status == 429) else None
            return backoff if repeatable and error.status != 429 else None
        if not isinstance(error, Unreachable) or isinstance(error, NotSvc):
            return None
        return backoff if repeatable or not error.is_sent else None

    def _headers(self, accept: str, auth: str, token: Optional[_Secret]) -> dict[str, str]:
        agent = f"svc-client-python/{__version__}"
        headers: dict[str, str] = {"Accept": accept, "User-Agent": agent}
        credential = token or self._api_key
        if auth == "bearer":
            if credential:
                headers["Authorization"] = _Secret(f"Bearer {credential}")
            if self._org_id:
                headers["X-Org-ID"] = self._org_id
            if self._timezone:
                headers["X-Timezone"] = self._timezone
        if auth == "cookie" and self._sign_in.refresh_token:
            headers["Cookie"] = _Secret(f"{REFRESH_COOKIE}={self._sign_in.refresh_token}")
        return headers

    def _exchange(self, request: _Request, headers: Mapping[str, str]) -> _Reply:
        """Sends a request once.

        Raises:
            Unreachable: The connection failed, or there was no response within the timeout.
        """
        connection = self._pool.take(self._timeout)
        is_sent = False
        try:
            if connection.sock is None:
                connection.connect()
            self._connected(connection)
            is_sent = True
            # The server may respond to a body, such as one that is too large, before its end.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                request.send(connection, headers)
            response = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self._pool.drop(connection)
            failure, cause = self._unreachable(error, is_sent), _safe_cause(error)
        except BaseException:
            self._pool.drop(connection)
            raise
        else:
            return _Reply(self._pool, connection, response, self._secrets(headers))
        # Not within `except`: the context of an exception has the functions that sent the key.
        raise failure from cause

    def _connected(self, connection: http.client.HTTPConnection) -> None:
        """Called before a request is sent."""

    @staticmethod
    def _secrets(headers: Mapping[str, str]) -> list[str]:
        values = [value for value in headers.values() if isinstance(value, _Secret)]
        return [re.split("[ =]", value, maxsplit=1)[1] for value in values]

    def _unreachable(self, error: Exception, is_sent: bool) -> Unreachable:
        if isinstance(error, socket.timeout):
            message = f"No answer from {self._pool.origin.place} in {self._timeout:g} s"
            return Unreachable(message, is_sent)
        if isinstance(error, (http.client.BadStatusLine, http.client.LineTooLong)) and not (
            isinstance(error, http.client.RemoteDisconnected)
        ):
            return self._not_svc()
        # The text of another error may have a part of the response.
        reason = str(error) if isinstance(error, OSError) else type(error).__name__
        return Unreachable(f"No answer from {self._pool.origin.place}: {reason}", is_sent)


def _safe_cause(error: Exception) -> Optional[Exception]:
    """The failure of a connection, without the functions that sent the request.

    Others have the text of a response, in which another service may repeat the key.
    """
    if not isinstance(error, OSError) or isinstance(error, http.client.HTTPException):
        return None
    error.__context__ = None
    return error.with_traceback(None)


def _may_be_done(error: SvcError) -> bool:
    """Whether a failed request may have had its effect."""
    return error.is_sent if isinstance(error, Unreachable) else isinstance(error, ServerError)


def _could_match(result: Any, answer: Any) -> bool:
    """Whether a body could be a result.

    One required field is enough, so that servers of other versions still work; JSON of another
    service has none of them.
    """
    if result is list:
        return isinstance(answer, list)
    if not isinstance(answer, dict):
        return False
    required = getattr(result, "__required_keys__", frozenset())
    return not required or any(name in answer for name in required)


class Answer(Iterator[str]):
    """The answer to a message, in pieces of text, as the model writes it.

    Attributes:
        text: The text so far.
        session_id: The chat session.
        message: The stored message, once the answer is complete.
        memories: The memories that were recalled for the answer, best first.
        tools: The events of the tools that the model called.

    Raises:
        StreamFailed: The model failed. The text so far is kept on the server.
        StreamCut: The connection ended before the answer.
    """

    def __init__(self, stream: Stream[ChatStreamEvent], on_start: Callable[[str], None]) -> None:
        self.text = ""
        self.session_id: Optional[str] = None
        self.message: Optional[ChatMessage] = None
        self.memories: list[RecalledMemory] = []
        self.tools: list[Any] = []
        self._stream = stream
        self._on_start = on_start

    def __iter__(self) -> Answer:
        return self

    def __next__(self) -> str:
        for event in self._stream:
            if event["event"] == "start":
                self.session_id = event["data"]["session_id"]
                self._on_start(self.session_id)
            elif event["event"] == "memories":
                self.memories = event["data"]["memories"]
            elif event["event"] == "tool":
                self.tools.append(event["data"])
            elif event["event"] == "done":
                self.message = event["data"]["message"]
            elif event["event"] == "delta":
                self.text += event["data"]["text"]
                return event["data"]["text"]
        raise StopIteration

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self) -> str:
        """The whole text. It waits for the end of the answer."""
        for _ in self:
            pass
        return self.text

    def close(self) -> None:
        """Stops the answer. The server keeps the text so far."""
        self._stream.close()


class Conversation:
    """A chat session, from `Svc.conversation`. Leaving `with` stops an answer that is not complete.

    Attributes:
        session_id: The id of the session; None before the first message of a new one.
    """

    def __init__(
        self,
        svc: Svc,
        session_id: Optional[str],
        title: Optional[str],
        options: Mapping[str, Any],
    ) -> None:
        self.session_id = session_id
        self._svc = svc
        self._title = title
        self._options = options
        # Weak, so that an answer that is left ends with its last variable.
        self._answer: Optional[weakref.ref[Answer]] = None

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops the answer that is not complete. The session stays on the server."""
        answer = self._answer() if self._answer else None
        if answer:
            answer.close()

    def ask(self, message: str, **options: Any) -> Answer:
        """Sends a message.

        Args:
            options: Arguments of `conversations.chat_stream`, such as `file_ids` or `tools`.

        Raises:
            Forbidden: `email_not_verified`.
            RateLimited: The quota is used up.
        """
        self.close()
        if self.session_id is None and self._title is not None:
            self.session_id = self._svc.chat_sessions.create_chat_session(title=self._title)["id"]
        named = OMIT if self.session_id is None else self.session_id
        stream = self._svc.conversations.chat_stream(
            message=message, session_id=named, **{**self._options, **options}
        )
        answer = Answer(stream, self._set_session)
        self._answer = weakref.ref(answer)
        return answer

    def _set_session(self, session_id: str) -> None:
        self.session_id = session_id

    def messages(self, limit: int = 50) -> list[ChatMessage]:
        """The latest messages, oldest first."""
        if self.session_id is None:
            return []
        return self._svc.chat_sessions.list_chat_messages(self.session_id, limit=limit)


class _Log:
    """The messages of a conversation that another framework holds, as captured turns.

    Each message is a memory of the thread `client:session`, so that recall finds it. Each has a
    turn of its own, which makes a repeated write harmless. A message that is more than a text,
    such as a tool call, is stored as a JSON object with the key `svc_item`; one that is too long
    for a memory in pieces, with their number and their count.
    """

    #: The most messages of one request, and the size of its body in characters.
    BATCH = 500
    BATCH_LENGTH = 150_000
    PAGE = 100
    ITEM, PIECE = "svc_item", "svc_piece"
    #: A memory has up to 32,000 characters. JSON writes some of them with six.
    MAX_LENGTH = 16_000
    PIECE_LENGTH = 5_000

    def __init__(self, svc: Svc, client: str, session_id: str) -> None:
        self._svc, self._client, self._session_id = svc, client, session_id

    def add(self, messages: Sequence[tuple[str, Any]]) -> None:
        """Appends messages, each a role with a text or a JSON object."""
        batch: list[Any] = []
        length = 0
        for role, value in messages:
            for content in self._contents(value):
                if len(batch) == self.BATCH or length + len(content) > self.BATCH_LENGTH:
                    self._capture(batch)
                    batch, length = [], 0
                length += len(content)
                kind = "user" if role == "user" else "assistant"
                batch.append({"turn": uuid.uuid4().hex, "role": kind, "content": content})
        self._capture(batch)

    def _capture(self, messages: list[Any]) -> None:
        if messages:
            self._svc.captures.capture(
                client=self._client, channel="hook", session=self._session_id, messages=messages
            )

    def _contents(self, value: Any) -> list[str]:
        """The texts that hold a value: one, or the pieces of a long one."""
        is_plain = isinstance(value, str) and value and value == value.strip()
        if is_plain and not value.startswith('{"svc_'):
            text = str(value)
        else:
            text = self._packed(self.ITEM, value)
        if len(text) <= self.MAX_LENGTH:
            return [text]
        starts = range(0, len(text), self.PIECE_LENGTH)
        return [
            self._packed(self.PIECE, [i, len(starts), text[start : start + self.PIECE_LENGTH]])
            for i, start in enumerate(starts)
        ]

    @staticmethod
    def _packed(key: str, value: Any) -> str:
        return json.dumps({key: value}, ensure_ascii=False, separators=(",", ":"))

    def newest(self) -> Iterator[tuple[list[str], str, Any]]:
        """The messages, newest first: the ids of the memories, the role and the value."""
        ids: list[str] = []
        rest = ""
        for memory in self._memories():
            text = memory["content_text"]
            packed = _parse(text.encode()) if text.startswith('{"svc_') else None
            ids.append(memory["memory_id"])
            if isinstance(packed, dict) and self.PIECE in packed:
                index, _, piece = packed[self.PIECE]
                rest = piece + rest
                if index > 0:
                    continue
                text = rest
                packed = _parse(text.encode()) if text.startswith('{"svc_') else None
            role = "user" if memory["source"]["kind"] == "prompt" else "assistant"
            yield ids, role, packed[self.ITEM] if isinstance(packed, dict) else text
            ids, rest = [], ""

    def _memories(self) -> Iterator[Memory]:
        thread = f"{self._client}:{self._session_id}"
        cursor: Any = OMIT
        while cursor is not None:
            page = self._svc.memories.list_memories(thread=thread, limit=self.PAGE, cursor=cursor)
            yield from page["memories"]
            cursor = page["next_cursor"]

    def pop(self) -> Optional[tuple[str, Any]]:
        """Deletes the newest message, and returns its role and value."""
        for ids, role, value in self.newest():
            for memory_id in ids:
                self._svc.memories.delete_memory(memory_id)
            return role, value
        return None

    def clear(self) -> None:
        """Deletes all messages. They can be restored for 30 days."""
        with contextlib.suppress(NotFound):
            self._svc.captures.delete_capture(client=self._client, session=self._session_id)


class AgentsSession:
    """A session of the OpenAI Agents SDK, stored on the server and found by recall.

        result = await Runner.run(agent, "Hello", session=AgentsSession(svc, "support-42"))

    It has the methods that the SDK documents for a session, and needs no import of it.

    Args:
        session_id: Names the conversation; up to 200 characters.
    """

    CLIENT = "openai-agents"

    def __init__(self, svc: Svc, session_id: str) -> None:
        self.session_id = session_id
        self.session_settings: Any = None
        self._log = _Log(svc, self.CLIENT, session_id)

    async def get_items(self, limit: Optional[int] = None) -> list[Any]:
        """The latest items, in the order of the conversation."""
        return await _in_thread(self._items, limit)

    async def add_items(self, items: Sequence[Any]) -> None:
        await _in_thread(self._log.add, [self._message(dict(item)) for item in items])

    async def pop_item(self) -> Optional[Any]:
        """Deletes the latest item and returns it; None if there is none."""
        found = await _in_thread(self._log.pop)
        return None if found is None else self._item(*found)

    async def clear_session(self) -> None:
        await _in_thread(self._log.clear)

    def _items(self, limit: Optional[int]) -> list[Any]:
        if limit is not None and limit <= 0:
            return []
        newest = itertools.islice(self._log.newest(), limit)
        return [self._item(role, value) for _, role, value in newest][::-1]

    @staticmethod
    def _message(item: dict[str, Any]) -> tuple[str, Any]:
        role = str(item.get("role", "assistant"))
        is_text = set(item) == {"role", "content"} and isinstance(item["content"], str)
        return (role, item["content"]) if is_text and role in _ROLES else (role, item)

    @staticmethod
    def _item(role: str, value: Any) -> Any:
        return {"role": role, "content": value} if isinstance(value, str) else value


_ROLES = ("user", "assistant")


async def _in_thread(function: Callable[..., T], *arguments: Any) -> T:
    # Only here, because it takes a third of the time of importing this module.
    import asyncio

    return await asyncio.to_thread(function, *arguments)


def langchain_history(svc: Svc, session_id: str) -> Any:
    """A chat message history of LangChain (`BaseChatMessageHistory`), stored on the server.

        RunnableWithMessageHistory(chain, lambda session_id: langchain_history(svc, session_id))

    Raises:
        ImportError: The package langchain-core is not installed.
    """
    return _history_class()(svc, session_id)


@functools.cache
def _history_class() -> Any:
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.messages import (
        AIMessage,
        HumanMessage,
        message_to_dict,
        messages_from_dict,
    )

    class SvcChatMessageHistory(BaseChatMessageHistory):
        """The messages of a conversation, as memories of the user."""

        def __init__(self, svc: Svc, session_id: str) -> None:
            self.session_id = session_id
            self._log = _Log(svc, "langchain", session_id)

        @property
        def messages(self) -> list[Any]:
            return [_from_log(role, value) for _, role, value in self._log.newest()][::-1]

        @messages.setter
        def messages(self, messages: Sequence[Any]) -> None:
            self.clear()
            self.add_messages(messages)

        def add_messages(self, messages: Sequence[Any]) -> None:
            self._log.add([_to_log(message) for message in messages])

        def clear(self) -> None:
            self._log.clear()

    plain = {"user": HumanMessage, "assistant": AIMessage}

    def _from_log(role: str, value: Any) -> Any:
        if isinstance(value, str):
            return plain[role](content=value)
        return messages_from_dict([value])[0]

    def _to_log(message: Any) -> tuple[str, Any]:
        role = "user" if isinstance(message, HumanMessage) else "assistant"
        content, stored = message.content, message_to_dict(message)
        is_plain = (
            type(message) is plain[role]
            and isinstance(content, str)
            and stored == message_to_dict(plain[role](content=content))
        )
        return (role, content) if is_plain else (role, stored)

    return SvcChatMessageHistory


def langchain_retriever(svc: Svc, **options: Any) -> Any:
    """A retriever of LangChain (`BaseRetriever`) that recalls memories.

    Args:
        options: Arguments of `memories.recall`, such as `limit` or `tags`.

    Raises:
        ImportError: The package langchain-core is not installed.
    """
    return _retriever_class()(svc=svc, options=options)


@functools.cache
def _retriever_class() -> Any:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

    class SvcRetriever(BaseRetriever):
        """Recalls the memories of the user as documents, best first."""

        svc: Any
        options: Any

        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            found = self.svc.memories.recall(query=query, **self.options)
            return [_document(memory) for memory in found["memories"]]

    def _document(memory: Mapping[str, Any]) -> Any:
        text = memory["content_text"]
        metadata = {name: value for name, value in memory.items() if name != "content_text"}
        return Document(id=memory["memory_id"], page_content=text, metadata=metadata)

    return SvcRetriever


class Stream(Generic[T]):
    """The parts of a streamed response, as they arrive.

    The connection is kept for other calls when the stream ends, and closed when it is left: by
    `with`, by `close()`, or once no variable refers to the stream.

        with svc.conversations.chat_stream(message="Hello") as events:
            for event in events:
                ...

    Attributes:
        last_event_id: The id of the last event that had one.

    Raises:
        StreamFailed: The server ended the stream with an error.
        StreamCut: The connection ended before the stream.
    """

    def __init__(self, reply: _Reply, media_type: str, last: Optional[str]) -> None:
        self._reply = reply
        self._is_open = True
        # The generators do not refer to this object, so that it ends with its last variable.
        self._ids: list[str] = []
        is_events = media_type == "text/event-stream"
        self._parts = _read_events(reply, last, self._ids) if is_events else _read_values(reply)

    @property
    def last_event_id(self) -> Optional[str]:
        return self._ids[-1] if self._ids else None

    def __iter__(self) -> Stream[T]:
        return self

    def __next__(self) -> T:
        if not self._is_open:
            raise StopIteration
        try:
            return next(self._parts)
        except StopIteration:
            self._is_open = False
            self._reply.finish()
            raise
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_is_open", False):
            self.close()

    def close(self) -> None:
        """Closes the connection. The server then stops to work for it."""
        if self._is_open:
            self._is_open = False
            self._reply.close()


def _read_lines(reply: _Reply) -> Iterator[str]:
    rest = b""
    for piece in reply.pieces():
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        for line in lines:
            yield line.rstrip(b"\r").decode("utf-8", "replace")
    if rest:
        raise StreamCut("The response ended within a line")


def _read_values(reply: _Reply) -> Iterator[Any]:
    """The values of NDJSON, one on each line."""
    for line in _read_lines(reply):
        if line:
            yield _parse_part(line)


def _read_events(reply: _Reply, last: Optional[str], ids: list[str]) -> Iterator[Any]:
    """Server-sent events. Comments keep the connection alive and are skipped.

    Args:
        last: The event without which the stream is incomplete.
        ids: Gets the id of the last event that had one.
    """
    name = "message"
    data: list[str] = []
    is_complete = last is None
    for line in _read_lines(reply):
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            ids[:] = [value]
        if line:
            continue
        if data:
            text = "\n".join(data)
            content = _parse_part(reply.without_secrets(text) if name == "error" else text)
            if name == "error":
                raise StreamFailed(content.get("detail") if isinstance(content, dict) else None)
            is_complete = is_complete or name == last
            yield {"event": name, "data": content}
        name, data = "message", []
    if not is_complete:
        raise StreamCut(f"The stream ended without the event {last}")


def _parse_part(text: str) -> Any:
    with contextlib.suppress(ValueError):
        return json.loads(text)
    raise StreamCut("A part of the stream was cut off")


class Download:
    """The content of a file, as it arrives. Leaving `with` closes the connection.

    Attributes:
        type: The media type.
        size: The size in bytes, if the server sent it.
    """

    def __init__(self, reply: _Reply) -> None:
        self.type = reply.headers.get_content_type()
        length = reply.headers.get("Content-Length") or ""
        self.size = int(length) if length.isdigit() else None
        self._reply = reply
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        if not self._is_open:
            return
        try:
            yield from self._reply.pieces()
        except BaseException:
            self.close()
            raise
        self._is_open = False
        self._reply.finish()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_is_open", False):
            self.close()

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._reply.close()

    def read(self) -> bytes:
        """The rest of the content."""
        return b"".join(self)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the content to a file, which exists only once it is complete."""
        partial = f"{os.fspath(path)}.{uuid.uuid4().hex[:8]}.part"
        try:
            with open(partial, "wb") as file:
                for piece in self:
                    file.write(piece)
            os.replace(partial, path)
        finally:
            if os.path.exists(partial):
                os.remove(partial)


def _all_items(
    request: Callable[[Any], Any],
    position: Any,
    items_of: Callable[[Any], Sequence[Any]],
    next_of: Callable[[Any], Any],
) -> Iterator[Any]:
    """The items of all pages. Each page is requested when its first item is needed."""
    known = set()
    while position is not None and position not in known:
        known.add(position)
        page = request(position)
        yield from items_of(page)
        position = next_of(page)


class _Renewal:
    """A renewal of the access token, which several threads may wait for."""

    def __init__(self) -> None:
        self.is_done = threading.Event()
        self.error: Optional[BaseException] = None


class _SignIn:
    """The tokens of a sign-in, which all threads of a client share."""

    def __init__(
        self, refresh_token: Optional[_Secret], on_refresh_token: Optional[Callable[[str], None]]
    ) -> None:
        self.access_token: Optional[_Secret] = None
        self.refresh_token = refresh_token
        self._on_refresh_token = on_refresh_token
        self._lock = threading.Lock()
        self._renewal: Optional[_Renewal] = None

    def end(self) -> None:
        with self._lock:
            self.access_token = self.refresh_token = None

    def adopt(self, reply: _Reply, body: Any) -> None:
        """Uses the tokens of a response from now on.

        A new refresh token is reported once both tokens are in use, so that a callback that
        raises does not end the sign-in: the old token no longer works.
        """
        cookies = [_cookie_value(each) for each in reply.headers.get_all("Set-Cookie") or []]
        tokens = [token for token in cookies if token]
        if "" in cookies:
            self.end()
        if tokens:
            self.refresh_token = _Secret(tokens[-1])
        if isinstance(body, dict) and isinstance(body.get("access_token"), str):
            self.access_token = _Secret(body["access_token"])
        if tokens and self._on_refresh_token:
            self._on_refresh_token(tokens[-1])

    def renew(self, stale: Optional[str], refresh: Callable[[], Any]) -> bool:
        """Renews the access token once, however many threads need it at the same time.

        Returns:
            Whether there is another access token than the stale one.
        """
        with self._lock:
            if self.access_token != stale:
                return self.access_token is not None
            if self.refresh_token is None:
                return False
            renewal, is_own = self._renewal, self._renewal is None
            if renewal is None:
                renewal = self._renewal = _Renewal()
        if is_own:
            self._run(renewal, stale, refresh)
        renewal.is_done.wait()
        if renewal.error is not None:
            raise renewal.error
        return True

    def _run(self, renewal: _Renewal, stale: Optional[str], refresh: Callable[[], Any]) -> None:
        try:
            refresh()
        except Unauthorized as error:
            # A sign-in since then has begun another session, which has not ended.
            if self.access_token in (None, stale):
                renewal.error = error
                self.end()
        except BaseException as error:
            renewal.error = error
        with self._lock:
            self._renewal = None
        renewal.is_done.set()


def _cookie_value(header: str) -> Optional[str]:
    """The refresh token of a Set-Cookie header; empty if the header deletes it."""
    try:
        cookie = SimpleCookie(header).get(REFRESH_COOKIE)
    except CookieError:
        return None
    return None if cookie is None else cookie.value


class _Secret(str):
    """A credential. Reports of errors show the variables of functions by their `repr`."""

    def __repr__(self) -> str:
        return "'***'"


def _secret(name: str, value: Optional[str]) -> Optional[_Secret]:
    """A credential without the white space around it; None for an empty one.

    Raises:
        ValueError: No header can hold it. The error of `http.client` would show it.
    """
    text = (value or "").strip()
    if not re.fullmatch(r"[!-~]*", text):
        raise ValueError(f"{name} has a character that no credential has") from None
    return _Secret(text) if text else None


class Upload:
    """A file in a field of a form (`multipart/form-data`, RFC 7578)."""

    def __init__(self, field: str, file: FileInput, filename: Optional[str]) -> None:
        self.field, self.file = field, file
        self.filename = filename or _name_of(file)

    def encode(self) -> tuple[bytes, str]:
        """The body and its content type."""
        boundary = uuid.uuid4().hex
        name = re.sub(r'[\r\n"\\]', "_", self.filename)
        media_type = mimetypes.guess_type(self.filename)[0] or "application/octet-stream"
        head = (
            f"--{boundary}\r\n"
            f'Content-Disposition: form-data; name="{self.field}"; filename="{name}"\r\n'
            f"Content-Type: {media_type}\r\n\r\n"
        )
        body = head.encode() + _read_file(self.file) + f"\r\n--{boundary}--\r\n".encode()
        return body, f"multipart/form-data; boundary={boundary}"


def _name_of(file: FileInput) -> str:
    name = file if isinstance(file, (str, os.PathLike)) else getattr(file, "name", None)
    return os.path.basename(os.fspath(name)) if isinstance(name, (str, os.PathLike)) else "file"


def _read_file(file: FileInput) -> bytes:
    if isinstance(file, (bytes, bytearray)):
        return bytes(file)
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            return opened.read()
    return file.read()


_CHUNK_BYTES = 64 * 1024


def _chunks_of(file: FileInput) -> Iterator[bytes]:
    """The content of a file of any size, piece by piece."""
    if isinstance(file, (bytes, bytearray)):
        yield bytes(file)
        return
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            yield from iter(lambda: opened.read(_CHUNK_BYTES), b"")
        return
    yield from iter(lambda: file.read(_CHUNK_BYTES), b"")


def _is_rereadable(file: Optional[FileInput]) -> bool:
    return file is None or isinstance(file, (bytes, bytearray, str, os.PathLike))


class _Request:
    """One request, which may be sent several times."""

    def __init__(self, method: str, path: str, body: Any, file: Optional[FileInput]) -> None:
        self.method, self.path, self.file = method, path, file
        self.headers: dict[str, str] = {}
        self.data: Optional[bytes] = None
        self.can_repeat = _is_rereadable(file)
        if isinstance(body, Upload):
            self.data, self.headers["Content-Type"] = body.encode()
        elif body is not None:
            self.data = json.dumps(_plain(body), allow_nan=False).encode()
            self.headers["Content-Type"] = "application/json"
        elif file is not None:
            self.headers["Content-Type"] = "application/octet-stream"
            self.headers["Transfer-Encoding"] = "chunked"

    def send(self, connection: http.client.HTTPConnection, headers: Mapping[str, str]) -> None:
        body: Any = self.data
        if self.file is not None:
            body = _chunks_of(self.file)
        elif body is None and self.method in ("POST", "PUT", "PATCH"):
            body = b""
        connection.request(
            self.method,
            self.path,
            body=body,
            headers={**headers, **self.headers},
            encode_chunked=self.file is not None,
        )


def _plain(value: Any, name: str = "body") -> Any:
    """A value as JSON can hold it: without the fields that are omitted, and with times as texts."""
    if isinstance(value, Mapping):
        fields = value.items()
        return {key: _plain(each, str(key)) for key, each in fields if each is not OMIT}
    if isinstance(value, (list, tuple)):
        return [_plain(each, name) for each in value]
    return _time_text(name, value) if isinstance(value, date) else value


def _time_text(name: str, value: date) -> str:
    """A date or a time in ISO 8601."""
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise ValueError(
            f"{name} must have a time zone. For the one of this machine: value.astimezone()"
        )
    return value.isoformat()


def _path(template: str, **values: Any) -> str:
    """A path with its parameters. An empty one or a relative one would name another endpoint."""
    for name, value in values.items():
        text = "" if value is None or value is OMIT else str(value)
        if text.strip() in ("", ".", ".."):
            raise ValueError(f"{name} must not be {'None' if value is None else repr(text)}")
        template = template.replace(f"{{{name}}}", urllib.parse.quote(text, safe=""))
    return template


def _supersedes(value: Any) -> bool:
    """Whether a memory supersedes another one, or one of several memories does."""
    if isinstance(value, (list, tuple)):
        return any(
            isinstance(memory, Mapping) and _supersedes(memory.get("supersedes", OMIT))
            for memory in value
        )
    return value is not OMIT and value is not None


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, str(each).lower() if isinstance(each, bool) else str(_plain(each, name)))
        for name, value in query.items()
        for each in (value if isinstance(value, (list, tuple)) else [value])
        if each is not OMIT and each is not None
    ]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


class _Reply:
    """The response to a request, whose body may not be read yet."""

    def __init__(
        self,
        pool: _Pool,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        secrets: Sequence[str] = (),
    ) -> None:
        self._pool, self._connection, self.response = pool, connection, response
        self._secrets = secrets
        self.status, self.headers = response.status, response.headers
        self.data = b""

    def read(self) -> bytes:
        """The whole body. The connection can then be used again."""
        try:
            data = self.response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            cause = _safe_cause(error)
        else:
            self.finish()
            return data
        raise Unreachable(f"The response of {self._pool.origin.url} was cut off") from cause

    def without_secrets(self, text: str) -> str:
        """A text of the server for an error: another service may repeat the key of the request."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives.

        Raises:
            StreamCut: The connection ended or was silent for the timeout.
        """
        message = f"The response of {self._pool.origin.url} was cut off"
        while True:
            cause: Optional[Exception] = None
            try:
                data = self.response.read1(_CHUNK_BYTES)
            except (OSError, http.client.HTTPException, ValueError) as error:
                data, cause = None, _safe_cause(error)
            if data is None or (not data and self.response.length):
                raise StreamCut(message) from cause
            if not data:
                return
            yield data

    def finish(self) -> None:
        """Keeps the connection after a body that was read to its end."""
        if self.response.will_close:
            self.close()
        else:
            self.response.close()
            self._pool.give(self._connection)

    def close(self) -> None:
        self.response.close()
        self._pool.drop(self._connection)

    def error(self) -> SvcError:
        """The exception of a response outside 2xx. It reads the body."""
        body = _parse(self.without_secrets(self.read().decode("utf-8", "replace")).encode())
        request_id = self.without_secrets(self.headers.get("X-Request-ID") or "") or None
        detail = body.get("detail") if isinstance(body, dict) else None
        if isinstance(body, dict) and body.get("error") == "rate_limited":
            # The only error body without a detail, of `/api/url`.
            detail = body
        location = self.without_secrets(self.headers.get("Location") or "")
        if location and 300 <= self.status < 400:
            return NotSvc(f"{self._pool.origin.url} redirects to {location}: check base_url")
        if detail is None and request_id is None:
            message = f"A proxy or another service responded at {self._pool.origin.url}"
            if self.status < 500 and self.status not in (408, 413, 429, 431):
                return NotSvc(f"{message}, not svc: HTTP {self.status}")
            detail = f"{message}: HTTP {self.status}"
        waits = _retry_after(self.headers)
        if self.status == 429 and waits is None and detail == _AUTH_LIMITED:
            waits = _AUTH_WINDOW_SECONDS
        kind = _CLASSES.get(self.status, ServerError if self.status >= 500 else ApiError)
        if self.status == 429 and isinstance(detail, dict) and "current_tier" in detail:
            kind = QuotaExceeded
        return kind(self.status, detail, request_id, waits)


#: The sign-in limiter sends no Retry-After. Its window is a minute.
_AUTH_LIMITED = "Too many requests. Please try again later."
_AUTH_WINDOW_SECONDS = 60.0


def _parse(data: bytes) -> Any:
    """The JSON of a body; None for any other body."""
    try:
        return json.loads(data)
    except ValueError:
        return None


def _retry_after(headers: http.client.HTTPMessage) -> Optional[float]:
    """The seconds of Retry-After (RFC 9110, section 10.2.3).

    A date is compared with the clock of the server, because that of this machine may be wrong.
    """
    text = (headers.get("Retry-After") or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    until = _http_date(text)
    if until is None:
        return None
    now = _http_date(headers.get("Date") or "") or datetime.now(timezone.utc)
    return max(0.0, (until - now).total_seconds())


def _http_date(text: str) -> Optional[datetime]:
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=timezone.utc)


def _machine_timezone() -> Optional[str]:
    """The IANA name of the time zone of this machine.

    UTC is not sent: it is the default of servers and containers, and says nothing about the user.
    """
    name = os.environ.get("TZ", "").lstrip(":")
    if "/" not in name or name.startswith("/"):
        name = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    is_utc = name.rpartition("/")[2] in ("", "UTC", "UCT", "GMT", "Universal", "Zulu", "Etc")
    return None if is_utc else name


class _Origin:
    """The address of a server, and how to connect to it."""

    def __init__(self, base_url: str, context: Optional[ssl.SSLContext]) -> None:
        url = urllib.parse.urlsplit(_with_scheme(base_url.strip()))
        if url.scheme not in ("http", "https") or not url.hostname:
            place = re.sub("//[^/]*@", "//", base_url)
            raise ValueError(f"base_url is not an HTTP address: {place}")
        self.scheme, self.host = url.scheme, url.hostname
        self.port = url.port or (443 if url.scheme == "https" else 80)
        self.prefix = url.path.rstrip("/")
        self.url = f"{url.scheme}://{url.netloc.rpartition('@')[2]}{self.prefix}"
        self._context = context
        self._proxy = self._find_proxy()

    def _find_proxy(self) -> Optional[urllib.parse.SplitResult]:
        """The proxy of the environment, as `urllib.request` reads it; none for this machine."""
        proxy = urllib.request.getproxies().get(self.scheme)
        if not proxy or _is_this_machine(self.host) or urllib.request.proxy_bypass(self.host):
            return None
        return urllib.parse.urlsplit(_with_scheme(proxy))

    @property
    def place(self) -> str:
        """The address for errors, with the variable of the proxy that may be their reason."""
        names = (f"{self.scheme}_proxy", f"{self.scheme}_proxy".upper())
        variable = next((name for name in names if os.environ.get(name)), "the system")
        return f"{self.url} through the proxy of {variable}" if self._proxy else self.url

    @property
    def target(self) -> str:
        """The start of the request target: the whole URL for a proxy of HTTP."""
        return self.url if self._proxy and self.scheme == "http" else self.prefix

    def connect(self) -> http.client.HTTPConnection:
        """A new connection, which is not open yet."""
        host, port = self.host, self.port
        if self._proxy and self._proxy.hostname:
            host, port = self._proxy.hostname, self._proxy.port or 80
        if self.scheme == "http":
            return http.client.HTTPConnection(host, port)
        self._context = self._context or ssl.create_default_context()
        secure = http.client.HTTPSConnection(host, port, context=self._context)
        if self._proxy:
            secure.set_tunnel(self.host, self.port)
        return secure


def _is_this_machine(host: str) -> bool:
    """Whether a host is this machine. A proxy would get the key, and could not reach the server."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_loopback or mapped.is_unspecified)


def _with_scheme(url: str) -> str:
    """Adds the scheme to an address without one: HTTPS for a domain, HTTP for other hosts."""
    if "://" in url:
        return url
    host = urllib.parse.urlsplit(f"//{url}").hostname or ""
    last = host.rpartition(".")[2]
    is_local = "." not in host or last.isdigit() or last in ("local", "localhost")
    return f"{'http' if is_local else 'https'}://{url}"


#: Sockets refuse more, about 24 days.
_MAX_TIMEOUT = 2_000_000.0


def _checked_timeout(seconds: Optional[float]) -> Optional[float]:
    if seconds is None or seconds > _MAX_TIMEOUT:
        return None
    if not seconds > 0:
        raise ValueError("timeout must be more than 0 seconds; None waits without limit")
    return seconds


class _Pool:
    """The idle connections to a server, for all threads."""

    #: Servers close idle connections; svc does so after 30 seconds.
    IDLE_SECONDS = 10.0

    def __init__(self, origin: _Origin) -> None:
        self.origin = origin
        self._lock = threading.Lock()
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        self._process = os.getpid()
        # Also runs when the program ends.
        weakref.finalize(self, _close_all, self._idle)

    def take(self, timeout: Optional[float]) -> http.client.HTTPConnection:
        """An idle connection, or a new one that is not open yet."""
        connection = self._reuse() or self.origin.connect()
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection

    def _reuse(self) -> Optional[http.client.HTTPConnection]:
        while True:
            with self._lock:
                if self._process != os.getpid():
                    # A forked process must not share the connections of its parent.
                    _close_all(self._idle)
                    self._process = os.getpid()
                if not self._idle:
                    return None
                since, connection = self._idle.pop()
            is_old = time.monotonic() - since > self.IDLE_SECONDS
            if not is_old and not _has_ended(connection):
                return connection
            connection.close()

    def give(self, connection: http.client.HTTPConnection) -> None:
        """Keeps a connection whose response was read to its end."""
        if connection.sock is not None:
            with self._lock:
                self._idle.append((time.monotonic(), connection))

    def drop(self, connection: http.client.HTTPConnection) -> None:
        """Closes a connection whose response was not read to its end."""
        connection.close()

    def close(self) -> None:
        with self._lock:
            _close_all(self._idle)


def _close_all(idle: list[tuple[float, http.client.HTTPConnection]]) -> None:
    while idle:
        idle.pop()[1].close()


def _has_ended(connection: http.client.HTTPConnection) -> bool:
    """Whether the server closed an idle connection: only then there is something to read."""
    if connection.sock is None:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))


class _Calls:
    def __init__(self, svc: Svc) -> None:
        self._svc = svc


class AccountCalls(_Calls):
    def current_user(self) -> CurrentUser:
        """Get the signed-in user.

        Returns:
            `id`, `email`, `onboarding_completed`, `email_verified`, `display_name`, `avatar_url`,
            `is_admin`.

        Raises:
            NotFound: `user_not_found`: User not found.
        """
        return self._svc.call("GET", "/api/auth/me", result=CurrentUser, repeatable=True)

    def me(self) -> Me:
        """Get the caller with tier, credential and organization.

        Returns:
            `id`, `email`, `onboarding_completed`, `email_verified`, `display_name`, `avatar_url`,
            `is_admin`, `tier`, and others.
        """
        return self._svc.call("GET", "/api/me", result=Me, repeatable=True)

    def refresh(self) -> AccessToken:
        """Exchange the refresh cookie for a new access token.

        It uses the refresh token of the sign-in.

        Returns:
            `access_token`, `token_type`.

        Raises:
            Forbidden: `origin_not_allowed`: Origin not allowed.
        """
        return self._svc.call("POST", "/api/auth/refresh", result=AccessToken, auth="cookie")

    def set_onboarding(self, *, completed: bool) -> None:
        """Record whether the user has completed or dismissed the first steps."""
        return self._svc.call(
            "PUT",
            "/api/me/onboarding",
            body={"completed": completed},
            repeatable=True,
        )

    def sign_in(self, *, email: str, password: str) -> Union[TokenResponse, MfaPending]:
        """Sign in with email and password.

        Raises:
            BadRequest: `no_password`: This account signs in through a provider and has no password.
            Unauthorized: `wrong_credentials`: Invalid email or password.
            Forbidden: `account_disabled`: This account is disabled.
            RateLimited: `auth_rate_limited`: Too many requests. Please try again later.
            RateLimited: `sign_in_locked`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/signin",
            body={"email": email, "password": password},
            result=dict,
            auth="none",
        )

    def sign_out(self) -> SignedOut:
        """End the session of the refresh cookie and clear it.

        It uses the refresh token of the sign-in.

        Returns:
            `message`, `logout_url`.

        Raises:
            Forbidden: `origin_not_allowed`: Origin not allowed.
        """
        return self._svc.call("POST", "/api/auth/signout", result=SignedOut, auth="cookie")

    def sign_up(self, *, email: str, password: str, confirm_password: str) -> TokenResponse:
        """Create an account and sign in.

        Args:
            email: Case-insensitive. Disposable domains are rejected.
            password: Any 8-128 characters.
            confirm_password: The same password again.

        Returns:
            `access_token`, `token_type`, `user`, `refused_orgs`.

        Raises:
            BadRequest: `passwords_do_not_match`: Passwords do not match.
            BadRequest: `invalid_email`: Invalid email address.
            BadRequest: `disposable_email`: Disposable email addresses are not allowed.
            BadRequest: `unreachable_email`: The mail server of this service reaches only addresses
                with a to z, digits and signs before the @.
            BadRequest: `common_password`: This password is among the 10,000 most common; choose
                another one.
            Forbidden: `sign_up_closed`: This server takes no new accounts; ask its operator for
                one.
            Forbidden: `sign_up_needs_invite`: A new account needs an invitation to this address.
            Forbidden: `sign_up_domain`: Accounts of this server need an address at one of its
                domains.
            Conflict: `email_taken`: Email already registered.
            RateLimited: `auth_rate_limited`: Too many requests. Please try again later.
        """
        return self._svc.call(
            "POST",
            "/api/auth/signup",
            body={
                "email": email,
                "password": password,
                "confirm_password": confirm_password,
            },
            result=TokenResponse,
            auth="none",
        )

    def mail_sign_in_code(self, *, email: str) -> MailedCodeRequest:
        """Mail a code to sign in with if the account exists; the response does not reveal it.

        Returns:
            `attempt_token`, `expires_in`.

        Raises:
            BadRequest: `invalid_email`: Invalid email address.
            RateLimited: `auth_rate_limited`: Too many requests. Please try again later.
        """
        return self._svc.call(
            "POST",
            "/api/auth/code",
            body={"email": email},
            result=MailedCodeRequest,
            auth="none",
        )

    def sign_in_with_code(
        self,
        *,
        attempt_token: str,
        code: str,
    ) -> Union[TokenResponse, MfaPending]:
        """Sign in with a mailed code; a second factor is asked for as after a password.

        Args:
            code: The 6 digits from the email; spaces are ignored.

        Raises:
            Unauthorized: `mailed_code_wrong`: This code is wrong or has expired.
            Forbidden: `account_disabled`: This account is disabled.
            RateLimited: `auth_rate_limited`: Too many requests. Please try again later.
            RateLimited: `sign_in_locked`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/code/signin",
            body={"attempt_token": attempt_token, "code": code},
            result=dict,
            auth="none",
        )

    def audit_log(self, *, limit: int = OMIT, cursor: str = OMIT, action: str = OMIT) -> AuditLog:
        """List the audit events of the account, newest first.

        It needs a sign-in; an API key is refused.

        Args:
            limit: Maximum number of results. Default: `50`.
            action: Only events whose action starts with this.

        Returns:
            `entries`, `next_cursor`.
        """
        return self._svc.call(
            "GET",
            "/api/auth/audit",
            query={"limit": limit, "cursor": cursor, "action": action},
            result=AuditLog,
            repeatable=True,
        )

    def audit_log_all(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
        action: str = OMIT,
    ) -> Iterator[AuditEntry]:
        """List the audit events of the account, newest first: the items of all pages.

        It has the arguments of `audit_log`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.audit_log(limit=limit, cursor=position, action=action),
            cursor,
            lambda page: page["entries"],
            lambda page: page["next_cursor"],
        )

    def delete_account(self, *, password: str = OMIT, confirm: str = OMIT) -> MessageResponse:
        """Delete the account and everything it owns.

        It needs a sign-in; an API key is refused.

        Args:
            confirm: The email address, for an account without a password.

        Returns:
            `message`.

        Raises:
            BadRequest: `deletion_password_missing`: Password is required.
            BadRequest: `deletion_password_wrong`: Password is wrong.
            BadRequest: `deletion_not_confirmed`: Confirm with the email address of the account.
            Conflict: `sole_org_owner`.
            RateLimited: `password_checks_rate_limited`.
        """
        return self._svc.call(
            "DELETE",
            "/api/auth/delete-account",
            body={"password": password, "confirm": confirm},
            result=MessageResponse,
            repeatable=True,
        )

    def change_password(self, *, current_password: str, new_password: str) -> MessageResponse:
        """Change the password; ends all other sessions.

        It needs a sign-in; an API key is refused.

        Args:
            new_password: At least 8 characters. The most common passwords are rejected.

        Returns:
            `message`.

        Raises:
            BadRequest: `bad_request_value`.
            BadRequest: `current_password_wrong`: Current password is wrong.
            BadRequest: `common_password`: This password is among the 10,000 most common; choose
                another one.
            RateLimited: `password_checks_rate_limited`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/change-password",
            body={"current_password": current_password, "new_password": new_password},
            result=MessageResponse,
        )

    def forgot_password(self, *, email: str) -> MessageResponse:
        """Send a reset link if the account exists; the response does not reveal it.

        Returns:
            `message`.

        Raises:
            BadRequest: `bad_request_value`.
            BadRequest: `invalid_email`: Invalid email address.
            RateLimited: `auth_rate_limited`: Too many requests. Please try again later.
        """
        return self._svc.call(
            "POST",
            "/api/auth/forgot-password",
            body={"email": email},
            result=MessageResponse,
            auth="none",
        )

    def remove_password(self, *, current_password: str) -> MessageResponse:
        """Remove the password of an account with a passkey and recovery codes; ends all other
        sessions.

        It needs a sign-in; an API key is refused.

        Returns:
            `message`.

        Raises:
            BadRequest: `bad_request_value`.
            BadRequest: `current_password_wrong`: Current password is wrong.
            BadRequest: `password_needed`: Add a passkey and turn on the second factor first: its
                recovery codes are needed.
            RateLimited: `password_checks_rate_limited`.
        """
        return self._svc.call(
            "DELETE",
            "/api/auth/password",
            body={"current_password": current_password},
            result=MessageResponse,
            repeatable=True,
        )

    def reset_password(self, *, token: str, password: str) -> MessageResponse:
        """Set a new password with the token of a reset link; ends all sessions.

        Args:
            token: The token from the reset link.
            password: At least 8 characters. The most common passwords are rejected.

        Returns:
            `message`.

        Raises:
            BadRequest: `bad_request_value`.
            BadRequest: `reset_link_invalid`: This reset link is invalid or has expired.
            BadRequest: `common_password`: This password is among the 10,000 most common; choose
                another one.
            RateLimited: `auth_rate_limited`: Too many requests. Please try again later.
        """
        return self._svc.call(
            "POST",
            "/api/auth/reset-password",
            body={"token": token, "password": password},
            result=MessageResponse,
            auth="none",
        )

    def sign_up_policy(self) -> SignUpPolicy:
        """Get who can create an account on this server.

        Returns:
            `mode`, `has_domains`.
        """
        return self._svc.call(
            "GET",
            "/api/auth/signup",
            result=SignUpPolicy,
            auth="none",
            repeatable=True,
        )


class SessionsCalls(_Calls):
    def list_sessions(self) -> list[Session]:
        """List the sessions of the account.

        It needs a sign-in; an API key is refused.

        Returns:
            A list of Session.
        """
        return self._svc.call("GET", "/api/auth/sessions", result=list, repeatable=True)

    def revoke_all_sessions(self, *, keep_current: bool = OMIT) -> MessageResponse:
        """End all sessions of the account, or all others.

        It needs a sign-in; an API key is refused.

        Args:
            keep_current: Keep the session of the request. Default: `False`.

        Returns:
            `message`.
        """
        return self._svc.call(
            "DELETE",
            "/api/auth/sessions",
            query={"keep_current": keep_current},
            result=MessageResponse,
            repeatable=True,
        )

    def revoke_session(self, session_id: str) -> None:
        """End one session.

        It needs a sign-in; an API key is refused.

        Raises:
            NotFound: `session_not_found`: Session not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/auth/sessions/{session_id}", session_id=session_id),
            repeatable=True,
        )

    def exchange_handoff(self, *, token: str) -> HandoffSignIn:
        """Exchange a handoff token for an access token, from the origin it was created for.

        Returns:
            `user_id`, `email`, `access_token`.

        Raises:
            BadRequest: `bad_request_value`.
            BadRequest: `invalid_handoff_token`: Invalid handoff token.
            Forbidden: `account_disabled`: This account is disabled.
        """
        return self._svc.call(
            "POST",
            "/api/auth/handoff/exchange",
            body={"token": token},
            result=HandoffSignIn,
            auth="none",
        )

    def list_consents(self) -> list[AppConsent]:
        """List the apps that the user signs in to with svc, the last used first.

        It needs a sign-in; an API key is refused.

        Returns:
            A list of AppConsent.
        """
        return self._svc.call("GET", "/api/auth/consents", result=list, repeatable=True)

    def revoke_consent(self, consent_id: str) -> None:
        """Withdraw a consent; all tokens of the app end.

        It needs a sign-in; an API key is refused.

        Raises:
            NotFound: `consent_not_found`: Consent not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/auth/consents/{consent_id}", consent_id=consent_id),
            repeatable=True,
        )


class MfaCalls(_Calls):
    def disable_mfa(self, *, code: str) -> MessageResponse:
        """Disable MFA.

        It needs a sign-in; an API key is refused.

        Returns:
            `message`.

        Raises:
            BadRequest: `wrong_code`: Invalid code.
            BadRequest: `mfa_not_enabled`: No second factor is enabled.
            RateLimited: `sign_in_locked`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/mfa/disable",
            body={"code": code},
            result=MessageResponse,
        )

    def enable_mfa(self, *, code: str) -> RecoveryCodes:
        """Enable MFA.

        It needs a sign-in; an API key is refused.

        Returns:
            `recovery_codes`.

        Raises:
            BadRequest: `wrong_code`: Invalid code.
            BadRequest: `mfa_not_set_up`: Set up a second factor first.
            Forbidden: `org_policy`.
            Conflict: `mfa_already_enabled`: A second factor is already enabled.
        """
        return self._svc.call(
            "POST",
            "/api/auth/mfa/enable",
            body={"code": code},
            result=RecoveryCodes,
        )

    def mfa_status(self) -> MfaStatus:
        """Get whether MFA is enabled, and the number of unused recovery codes.

        It needs a sign-in; an API key is refused.

        Returns:
            `enabled`, `recovery_codes_remaining`.
        """
        return self._svc.call("GET", "/api/auth/mfa/status", result=MfaStatus, repeatable=True)

    def renew_recovery_codes(self, *, code: str) -> RecoveryCodes:
        """Replace the recovery codes with ten new ones.

        It needs a sign-in; an API key is refused.

        Returns:
            `recovery_codes`.

        Raises:
            BadRequest: `wrong_code`: Invalid code.
            BadRequest: `mfa_not_enabled`: No second factor is enabled.
            RateLimited: `sign_in_locked`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/mfa/codes",
            body={"code": code},
            result=RecoveryCodes,
        )

    def setup_mfa(self) -> MfaSetup:
        """Create a TOTP secret for an authenticator app; it takes effect once enabled.

        It needs a sign-in; an API key is refused.

        Returns:
            `secret`, `otpauth_url`, `qr_svg`.

        Raises:
            Conflict: `mfa_already_enabled`: A second factor is already enabled.
        """
        return self._svc.call("POST", "/api/auth/mfa/setup", result=MfaSetup)

    def verify_mfa(self, *, partial_token: str, code: str) -> TokenResponse:
        """Complete a sign-in with a TOTP code or a recovery code.

        Returns:
            `access_token`, `token_type`, `user`, `refused_orgs`.

        Raises:
            Unauthorized: `wrong_sign_in_code`: Invalid code.
            Unauthorized: `challenge_ended`: Could not validate credentials.
            Forbidden: `account_disabled`: This account is disabled.
            RateLimited: `sign_in_locked`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/mfa/verify",
            body={"partial_token": partial_token, "code": code},
            result=TokenResponse,
            auth="none",
        )


class PasskeysCalls(_Calls):
    def add_passkey(self, *, name: str, response: RegistrationResponse) -> Passkey:
        """Add a passkey that the browser created.

        It needs a sign-in; an API key is refused.

        Args:
            name: A label for the passkey.
            response: The `RegistrationResponseJSON` of the browser (Web Authentication Level 3).

        Returns:
            `id`, `name`, `is_synced`, `created_at`, `last_used_at`.

        Raises:
            BadRequest: `passkey_invalid`.
            BadRequest: `passkey_challenge_ended`: This request for a passkey has expired or was
                used already. Try again.
            Forbidden: `org_policy`.
            Conflict: `passkey_exists`: This passkey belongs to an account already.
            Conflict: `cap_reached`.
            Conflict: `passkeys_unavailable`: Passkeys need a host name: SVC_BASE_URL has an IP
                address.
        """
        return self._svc.call(
            "POST",
            "/api/auth/passkeys",
            body={"name": name, "response": response},
            result=Passkey,
        )

    def list_passkeys(self) -> list[Passkey]:
        """List the caller’s passkeys, newest first.

        It needs a sign-in; an API key is refused.

        Returns:
            A list of Passkey.
        """
        return self._svc.call("GET", "/api/auth/passkeys", result=list, repeatable=True)

    def remove_passkey(self, passkey_id: str) -> None:
        """Remove a passkey, unless it is the only sign-in method.

        It needs a sign-in; an API key is refused.

        Raises:
            BadRequest: `last_sign_in_method`: This is the only way to sign in; set a password
                first.
            Forbidden: `org_policy`.
            NotFound: `passkey_not_found`: Passkey not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/auth/passkeys/{passkey_id}", passkey_id=passkey_id),
            repeatable=True,
        )

    def rename_passkey(self, passkey_id: str, *, name: str) -> Passkey:
        """Rename a passkey.

        It needs a sign-in; an API key is refused.

        Args:
            name: A label for the passkey.

        Returns:
            `id`, `name`, `is_synced`, `created_at`, `last_used_at`.

        Raises:
            NotFound: `passkey_not_found`: Passkey not found.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/auth/passkeys/{passkey_id}", passkey_id=passkey_id),
            body={"name": name},
            result=Passkey,
        )

    def sign_in_with_passkey(self, *, response: AuthenticationResponse) -> TokenResponse:
        """Sign in with a passkey; it needs no second factor.

        Args:
            response: The `AuthenticationResponseJSON` of the browser (Web Authentication Level 3).

        Returns:
            `access_token`, `token_type`, `user`, `refused_orgs`.

        Raises:
            Unauthorized: `passkey_refused`.
            Unauthorized: `passkey_copied`: A copy of this passkey may exist, because its counter
                went back. Sign in another way and remove it.
            Forbidden: `account_disabled`: This account is disabled.
            Conflict: `passkeys_unavailable`: Passkeys need a host name: SVC_BASE_URL has an IP
                address.
            RateLimited: `passkey_sign_ins_rate_limited`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/passkeys/signin",
            body={"response": response},
            result=TokenResponse,
            auth="none",
        )

    def start_passkey_registration(self) -> PasskeyRegistration:
        """Get the options that a browser creates a passkey with.

        It needs a sign-in; an API key is refused.

        Returns:
            `options`.

        Raises:
            Conflict: `passkeys_unavailable`: Passkeys need a host name: SVC_BASE_URL has an IP
                address.
        """
        return self._svc.call("POST", "/api/auth/passkeys/options", result=PasskeyRegistration)

    def start_passkey_sign_in(self) -> PasskeySignIn:
        """Get the options that a browser signs in with a passkey with.

        Returns:
            `options`.

        Raises:
            Conflict: `passkeys_unavailable`: Passkeys need a host name: SVC_BASE_URL has an IP
                address.
        """
        return self._svc.call(
            "POST",
            "/api/auth/passkeys/signin/options",
            result=PasskeySignIn,
            auth="none",
        )

    def verify_passkey(
        self,
        *,
        partial_token: str,
        response: AuthenticationResponse,
    ) -> TokenResponse:
        """Complete a sign-in with a passkey instead of a code.

        Args:
            response: The `AuthenticationResponseJSON` of the browser (Web Authentication Level 3).

        Returns:
            `access_token`, `token_type`, `user`, `refused_orgs`.

        Raises:
            Unauthorized: `passkey_refused`.
            Unauthorized: `passkey_copied`: A copy of this passkey may exist, because its counter
                went back. Sign in another way and remove it.
            Unauthorized: `challenge_ended`: Could not validate credentials.
            Forbidden: `account_disabled`: This account is disabled.
            Conflict: `passkeys_unavailable`: Passkeys need a host name: SVC_BASE_URL has an IP
                address.
            RateLimited: `passkey_sign_ins_rate_limited`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/passkeys/verify",
            body={"partial_token": partial_token, "response": response},
            result=TokenResponse,
            auth="none",
        )


class EmailVerificationCalls(_Calls):
    def change_email(self, *, email: str, password: str = OMIT) -> MessageResponse:
        """Change the verified email address; it takes effect when the link at the new address is
        used.

        It needs a sign-in; an API key is refused. The email address of the user must be verified.

        Args:
            password: The password. An account without one needs a session that began in the last 15
                minutes.

        Returns:
            `message`.

        Raises:
            BadRequest: `invalid_email`: Invalid email address.
            BadRequest: `disposable_email`: Disposable email addresses are not allowed.
            BadRequest: `unreachable_email`: The mail server of this service reaches only addresses
                with a to z, digits and signs before the @.
            BadRequest: `email_unchanged`: The account has this address already.
            BadRequest: `email_change_password_missing`: Password is required.
            BadRequest: `current_password_wrong`: Current password is wrong.
            Forbidden: `sign_up_domain`: Accounts of this server need an address at one of its
                domains.
            Forbidden: `email_managed`: Your organization manages this address; ask its
                administrator to change it.
            Forbidden: `recent_sign_in_needed`: Sign in again first: an account without a password
                needs a sign-in of the last 15 minutes.
            RateLimited: `email_links_rate_limited`.
            RateLimited: `password_checks_rate_limited`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/email/change",
            body={"email": email, "password": password},
            result=MessageResponse,
        )

    def confirm_email_change(self, *, token: str) -> MessageResponse:
        """Change the email address with the token of the link at the new address.

        Args:
            token: The token from the link.

        Returns:
            `message`.

        Raises:
            BadRequest: `bad_request_value`.
            BadRequest: `verification_token_malformed`: Invalid verification token.
            BadRequest: `unreachable_email`: The mail server of this service reaches only addresses
                with a to z, digits and signs before the @.
            Forbidden: `sign_up_domain`: Accounts of this server need an address at one of its
                domains.
            Forbidden: `email_managed`: Your organization manages this address; ask its
                administrator to change it.
            Forbidden: `account_disabled`: This account is disabled.
            Conflict: `email_taken`: Email already registered.
            Gone: `verification_link_invalid`: This link has expired or was already used.
        """
        return self._svc.call(
            "POST",
            "/api/auth/email/confirm",
            body={"token": token},
            result=MessageResponse,
            auth="none",
        )

    def undo_email_change(self, *, token: str) -> MessageResponse:
        """Restore the email address with the token of the link at the former address; ends what
        opens the account.

        Args:
            token: The token from the link.

        Returns:
            `message`.

        Raises:
            BadRequest: `bad_request_value`.
            BadRequest: `verification_token_malformed`: Invalid verification token.
            Conflict: `email_taken`: Email already registered.
            Gone: `verification_link_invalid`: This link has expired or was already used.
        """
        return self._svc.call(
            "POST",
            "/api/auth/email/undo",
            body={"token": token},
            result=MessageResponse,
            auth="none",
        )

    def change_verification_email(self, *, email: str) -> MessageResponse:
        """Change an unverified email address; it takes effect when the new link is used.

        It needs a sign-in; an API key is refused.

        Returns:
            `message`.

        Raises:
            BadRequest: `email_already_verified`: The email address is already verified.
            BadRequest: `invalid_email`: Invalid email address.
            BadRequest: `disposable_email`: Disposable email addresses are not allowed.
            BadRequest: `unreachable_email`: The mail server of this service reaches only addresses
                with a to z, digits and signs before the @.
            Forbidden: `sign_up_closed`: This server takes no new accounts; ask its operator for
                one.
            Forbidden: `sign_up_needs_invite`: A new account needs an invitation to this address.
            Forbidden: `sign_up_domain`: Accounts of this server need an address at one of its
                domains.
            Conflict: `email_taken`: Email already registered.
            RateLimited: `email_links_rate_limited`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/change-verification-email",
            body={"email": email},
            result=MessageResponse,
        )

    def email_verification(self) -> EmailVerification:
        """Get whether the address is verified, and how it can be.

        It needs a sign-in; an API key is refused.

        Returns:
            `verified`, `delivery`, `can_verify_here`.
        """
        return self._svc.call(
            "GET",
            "/api/auth/verification",
            result=EmailVerification,
            repeatable=True,
        )

    def resend_verification(self) -> MessageResponse:
        """Send the verification link again.

        It needs a sign-in; an API key is refused.

        Returns:
            `message`.

        Raises:
            BadRequest: `email_already_verified`: The email address is already verified.
            RateLimited: `auth_rate_limited`: Too many requests. Please try again later.
            RateLimited: `email_links_rate_limited`.
        """
        return self._svc.call("POST", "/api/auth/resend-verification", result=MessageResponse)

    def verify_email(self, *, token: str, take_over: bool = OMIT) -> MessageResponse:
        """Verify an email address with the token of a verification link.

        Args:
            token: The token from the verification link.
            take_over: Whether the owner of the address did not create the account: its password,
                API keys and other credentials end.

        Returns:
            `message`.

        Raises:
            BadRequest: `bad_request_value`.
            BadRequest: `verification_token_malformed`: Invalid verification token.
            Conflict: `email_taken`: Email already registered.
            Gone: `verification_link_invalid`: This link has expired or was already used.
        """
        return self._svc.call(
            "POST",
            "/api/auth/verify-email",
            body={"token": token, "take_over": take_over},
            result=MessageResponse,
            auth="none",
        )

    def verify_here(self) -> MessageResponse:
        """Verify the address of the first account of a server on this machine that sends no
        mail.

        It needs a sign-in; an API key is refused.

        Returns:
            `message`.

        Raises:
            BadRequest: `email_already_verified`: The email address is already verified.
            Forbidden: `verification_needs_link`: The address is verified by a link: only the first
                account of a server on this machine that sends no mail needs none.
        """
        return self._svc.call("POST", "/api/auth/verification/here", result=MessageResponse)


class ApiKeysCalls(_Calls):
    def create_key(
        self,
        *,
        name: str,
        org_id: Optional[str] = OMIT,
        expires_at: Optional[Time] = OMIT,
        scopes: Optional[
            list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
        ] = OMIT,
        allowed_addresses: Optional[list[str]] = OMIT,
    ) -> CreatedKey:
        """Create an API key.

        It needs a sign-in; an API key is refused.

        Args:
            name: A label for the key.
            org_id: The organization that the key always acts in.
            expires_at: When the key expires; must be in the future.
            scopes: Everything that the key may do. Default: all.
            allowed_addresses: Addresses and ranges (CIDR) that the key may be used from. Default:
                all.

        Returns:
            `id`, `name`, `key_prefix`, `org_id`, `created_at`, `last_used_at`, `expires_at`,
            `scopes`, and others.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_policy`.
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/api-keys",
            body={
                "name": name,
                "org_id": org_id,
                "expires_at": expires_at,
                "scopes": scopes,
                "allowed_addresses": allowed_addresses,
            },
            result=CreatedKey,
        )

    def delegate_key(
        self,
        *,
        name: str,
        scopes: Optional[
            list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
        ] = OMIT,
        ttl_seconds: int = OMIT,
    ) -> CreatedKey:
        """Create a narrower, shorter key for an agent; it ends with the caller’s key.

        Args:
            name: A label for the key.
            scopes: At most those of the caller. Default: those of the caller.
            ttl_seconds: How long the key is valid. It ends with the caller’s key at the latest.
                Default: `3600`.

        Returns:
            `id`, `name`, `key_prefix`, `org_id`, `created_at`, `last_used_at`, `expires_at`,
            `scopes`, and others.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `api_key_scopes_too_wide`: A key for an agent can have only scopes of the key
                that creates it.
            Forbidden: `org_policy`.
            NotFound: `api_key_not_found`: API key not found.
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/api-keys/delegate",
            body={"name": name, "scopes": scopes, "ttl_seconds": ttl_seconds},
            result=CreatedKey,
        )

    def list_keys(self) -> list[ApiKey]:
        """List the caller’s API keys, newest first.

        It needs a sign-in; an API key is refused.

        Returns:
            A list of ApiKey.
        """
        return self._svc.call("GET", "/api/auth/api-keys", result=list, repeatable=True)

    def revoke_key(self, key_id: str) -> None:
        """Revoke an API key immediately; a key may revoke itself.

        Args:
            key_id: The id of the key, not its prefix.

        Raises:
            Forbidden: `api_key_revokes_only_itself`: An API key can revoke only itself; sign in to
                manage keys.
            Forbidden: `api_key_of_another_user`: This API key belongs to another user.
            NotFound: `api_key_not_found`: API key not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/auth/api-keys/{key_id}", key_id=key_id),
            repeatable=True,
        )

    def update_key(
        self,
        key_id: str,
        *,
        name: str = OMIT,
        scopes: Optional[
            list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
        ] = OMIT,
        allowed_addresses: Optional[list[str]] = OMIT,
        paused: bool = OMIT,
    ) -> ApiKey:
        """Rename, limit, pause or resume an API key, and with it those that it created.

        It needs a sign-in; an API key is refused.

        Args:
            key_id: The id of the key, not its prefix.
            name: A label for the key.
            scopes: Null: all.
            allowed_addresses: Null: all.
            paused: Requests of a paused key get 403 until it is resumed.

        Returns:
            `id`, `name`, `key_prefix`, `org_id`, `created_at`, `last_used_at`, `expires_at`,
            `scopes`, and others.

        Raises:
            Forbidden: `api_key_scopes_too_wide`: A key for an agent can have only scopes of the key
                that creates it.
            NotFound: `api_key_not_found`: API key not found.
            Conflict: `api_key_parent_paused`: The key that created this one is paused; resume that
                one.
            Conflict: `api_key_addresses_of_parent`: A key for an agent has the addresses of the key
                that created it; change that one.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/auth/api-keys/{key_id}", key_id=key_id),
            body={
                "name": name,
                "scopes": scopes,
                "allowed_addresses": allowed_addresses,
                "paused": paused,
            },
            result=ApiKey,
        )


class McpLoginCalls(_Calls):
    def decide_device_login(
        self,
        *,
        user_code: str,
        approve: bool,
        org_id: Optional[str] = OMIT,
    ) -> DeviceDecision:
        """Approve or deny a device login.

        It needs a sign-in; an API key is refused.

        Returns:
            `status`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_policy`.
            NotFound: `user_code_not_found`: No device login is waiting for this code.
            RateLimited: `device_codes_per_user_rate_limited`.
            RateLimited: `device_codes_per_address_rate_limited`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/mcp/authorize",
            body={"user_code": user_code, "approve": approve, "org_id": org_id},
            result=DeviceDecision,
        )

    def pending_device_login(self, *, user_code: str) -> PendingDeviceLogin:
        """Get the device login that waits for approval under a user code.

        It needs a sign-in; an API key is refused.

        Returns:
            `client_name`, `session`, `created_at`, `ip`.

        Raises:
            NotFound: `user_code_not_found`: No device login is waiting for this code.
            RateLimited: `device_codes_per_user_rate_limited`.
            RateLimited: `device_codes_per_address_rate_limited`.
        """
        return self._svc.call(
            "GET",
            "/api/auth/mcp/authorize",
            query={"user_code": user_code},
            result=PendingDeviceLogin,
            repeatable=True,
        )

    def poll_device_login(self, *, device_code: str) -> DeviceLoginResult:
        """Poll for the user’s decision; the API key is returned exactly once.

        Returns:
            `status`, `interval`, `api_key`, `key_id`, `user`, `access_token`, `token_type`.

        Raises:
            BadRequest: `device_code_unknown`: Unknown device code.
            Forbidden: `account_disabled`: This account is disabled.
            Conflict: `cap_reached`.
            Gone: `device_login_expired`: This login has expired; start a new login.
            Gone: `device_login_delivered`: This login was already delivered.
            Gone: `device_approval_revoked`: The approval of this login was revoked; start a new
                login.
        """
        return self._svc.call(
            "POST",
            "/api/auth/mcp/poll",
            body={"device_code": device_code},
            result=DeviceLoginResult,
            auth="none",
        )

    def start_device_login(self, *, client_name: str = OMIT, session: bool = OMIT) -> DeviceLogin:
        """Start a device login (RFC 8628): returns a code for the user and a secret for the
        client.

        Args:
            client_name: Default: `"MCP client"`.
            session: Also request a session, which can manage API keys. The approval page shows
                this. Default: `False`.

        Returns:
            `device_code`, `user_code`, `verification_uri`, `verification_uri_complete`,
            `expires_in`, `interval`.

        Raises:
            RateLimited: `device_logins_rate_limited`.
        """
        return self._svc.call(
            "POST",
            "/api/auth/mcp/start",
            body={"client_name": client_name, "session": session},
            result=DeviceLogin,
            auth="none",
        )


class OauthCalls(_Calls):
    def authorize_oauth(
        self,
        provider: str,
        *,
        frontend_origin: str = OMIT,
    ) -> AuthorizeOAuthResponse:
        """Start a sign-in with a provider.

        Args:
            provider: One of google, github, twitter, or the name of a configured OpenID provider.
            frontend_origin: The allowed origin to return to.

        Returns:
            `authorize_url`, `redirect_uri`.

        Raises:
            BadRequest: `oauth_provider_unknown`: Unknown provider, or not configured.
            BadRequest: `oauth_origin_not_allowed`: Origin not allowed.
            Unavailable: `oauth_provider_unreachable`.
        """
        return self._svc.call(
            "GET",
            _path("/api/auth/oauth/{provider}/authorize", provider=provider),
            query={"frontend_origin": frontend_origin},
            result=AuthorizeOAuthResponse,
            auth="none",
            repeatable=True,
        )

    def connect_oauth(self, provider: str) -> AuthorizeOAuthResponse:
        """Start to connect a provider to the account; ends in the settings of the console.

        It needs a sign-in; an API key is refused.

        Args:
            provider: One of google, github, twitter, or the name of a configured OpenID provider.

        Returns:
            `authorize_url`, `redirect_uri`.

        Raises:
            BadRequest: `oauth_provider_unknown`: Unknown provider, or not configured.
            Unavailable: `oauth_provider_unreachable`.
        """
        return self._svc.call(
            "POST",
            _path("/api/auth/oauth/{provider}/connect", provider=provider),
            result=AuthorizeOAuthResponse,
        )

    def disconnect_oauth(self, provider: str) -> MessageResponse:
        """Disconnect a provider, unless it is the only sign-in method.

        It needs a sign-in; an API key is refused.

        Args:
            provider: One of google, github, twitter, or the name of a configured OpenID provider.

        Returns:
            `message`.

        Raises:
            BadRequest: `oauth_provider_unknown`: Unknown provider, or not configured.
            BadRequest: `last_sign_in_method`: This is the only way to sign in; set a password
                first.
            NotFound: `oauth_provider_not_connected`: Provider not connected.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/auth/oauth/{provider}", provider=provider),
            result=MessageResponse,
            repeatable=True,
        )

    def list_connections(self) -> list[ListConnectionsResponse]:
        """List the providers that are connected to the account.

        It needs a sign-in; an API key is refused.

        Returns:
            A list of ListConnectionsResponse.
        """
        return self._svc.call("GET", "/api/auth/oauth/connections", result=list, repeatable=True)

    def list_oauth_providers(self) -> ListOAuthProvidersResponse:
        """List the providers to sign in with.

        Returns:
            `providers`.
        """
        return self._svc.call(
            "GET",
            "/api/auth/oauth/providers",
            result=ListOAuthProvidersResponse,
            auth="none",
            repeatable=True,
        )


class ProfileCalls(_Calls):
    def delete_avatar(self) -> MessageResponse:
        """Delete the avatar.

        Returns:
            `message`.
        """
        return self._svc.call(
            "DELETE",
            "/api/profile/avatar",
            result=MessageResponse,
            repeatable=True,
        )

    def get_avatar(self, file: str) -> Download:
        """Get an avatar by its unguessable file name, or the default avatar with initials.

        Returns:
            The content, as it arrives.

        Raises:
            NotFound: `picture_not_found`: Picture not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/avatars/{file}", file=file),
            download=True,
            auth="none",
            repeatable=True,
        )

    def get_profile(self) -> Profile:
        """Get the caller’s profile.

        Returns:
            `display_name`, `avatar_url`, `email`, `username`.

        Raises:
            NotFound: `user_not_found`: User not found.
        """
        return self._svc.call("GET", "/api/profile", result=Profile, repeatable=True)

    def update_profile(self, *, display_name: str) -> UpdatedProfile:
        """Change the display name.

        Returns:
            `display_name`, `avatar_url`, `email`.
        """
        return self._svc.call(
            "PUT",
            "/api/profile",
            body={"display_name": display_name},
            result=UpdatedProfile,
            repeatable=True,
        )

    def upload_avatar(self, file: FileInput, *, filename: Optional[str] = None) -> Avatar:
        """Upload an avatar: JPEG, PNG or WebP of up to 5 MB, stored as a 200x200 WebP.

        Args:
            file: The content, a path, or a file that is open for reading bytes.

        Returns:
            `avatar_url`.

        Raises:
            BadRequest: `picture_type_not_allowed`: The picture must be a JPEG, PNG or WebP.
            BadRequest: `picture_too_large`: The picture is larger than 5 MB.
            BadRequest: `picture_not_readable`: The picture cannot be read as a JPEG, PNG or WebP.
            BadRequest: `too_many_pixels`.
            RateLimited: `too_many_pictures`: Too many pictures are waiting. Try again in 10
                seconds.
        """
        return self._svc.call(
            "POST",
            "/api/profile/avatar",
            upload=Upload("file", file, filename),
            result=Avatar,
        )

    def get_preferences(self) -> Preferences:
        """Get all preferences, including defaults.

        Returns:
            `auto_fetch_urls`, `auto_learn_urls`.
        """
        return self._svc.call("GET", "/api/preferences", result=Preferences, repeatable=True)

    def set_preference(self, key: str, *, value: Any) -> Preference:
        """Set one preference.

        Args:
            value: One of the allowed values of the key.

        Returns:
            `key`, `value`.

        Raises:
            NotFound: `unknown_preference`: Unknown preference.
        """
        return self._svc.call(
            "PUT",
            _path("/api/preferences/{key}", key=key),
            body={"value": value},
            result=Preference,
            repeatable=True,
        )

    def get_instructions(self) -> Instructions:
        """Get the caller’s custom instructions.

        Returns:
            `instructions`.
        """
        return self._svc.call("GET", "/api/auth/instructions", result=Instructions, repeatable=True)

    def set_instructions(self, *, instructions: str) -> MessageResponse:
        """Replace the custom instructions.

        Args:
            instructions: Fewer than 2,000 characters after trimming; empty if not set.

        Returns:
            `message`.

        Raises:
            BadRequest: `instructions_too_long`.
        """
        return self._svc.call(
            "PUT",
            "/api/auth/instructions",
            body={"instructions": instructions},
            result=MessageResponse,
            repeatable=True,
        )

    def delete_view(self, name: str) -> None:
        """Delete a saved view; the memories stay.

        Raises:
            NotFound: `view_not_found`: No view with this name.
        """
        return self._svc.call("DELETE", _path("/api/views/{name}", name=name), repeatable=True)

    def list_views(self) -> ListViewsResponse:
        """List the saved views of the list of memories, by name.

        Returns:
            `views`.
        """
        return self._svc.call("GET", "/api/views", result=ListViewsResponse, repeatable=True)

    def save_view(self, name: str, *, query: dict[str, Union[str, bool]]) -> SavedView:
        """Save filters of the list of memories under a name, or change those of this name.

        Args:
            query: The filters by their names, as the client has them; the server does not read
                them.

        Returns:
            `name`, `query`, `created_at`.

        Raises:
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "PUT",
            _path("/api/views/{name}", name=name),
            body={"query": query},
            result=SavedView,
            repeatable=True,
        )


class OrganizationsCalls(_Calls):
    def create_org_domain(self, org_id: str, *, domain: str, joins: bool = OMIT) -> OrgDomain:
        """Add an email domain; the response has the DNS record that verifies it.

        The email address of the user must be verified.

        Args:
            domain: The part of the addresses after the @. Public email providers are refused.
            joins: Whether users with a verified address at exactly this domain join as member,
                without an invite, once the domain is verified. Default: `False`.

        Returns:
            `id`, `domain`, `joins`, `record`, `verified_at`, `checked_at`, `missing_since`,
            `created_at`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            Conflict: `org_domain_exists`: The organization has this domain already.
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            _path("/api/orgs/{org_id}/domains", org_id=org_id),
            body={"domain": domain, "joins": joins},
            result=OrgDomain,
        )

    def delete_org_domain(self, org_id: str, domain_id: str) -> None:
        """Remove an email domain; members who joined by it stay.

        The email address of the user must be verified.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `org_domain_not_found`: Domain not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/orgs/{org_id}/domains/{domain_id}", org_id=org_id, domain_id=domain_id),
            repeatable=True,
        )

    def list_org_domains(self, org_id: str) -> list[OrgDomain]:
        """List the email domains of an organization (owners and admins).

        The email address of the user must be verified.

        Returns:
            A list of OrgDomain.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
        """
        return self._svc.call(
            "GET",
            _path("/api/orgs/{org_id}/domains", org_id=org_id),
            result=list,
            repeatable=True,
        )

    def update_org_domain(self, org_id: str, domain_id: str, *, joins: bool) -> OrgDomain:
        """Set whether users with an address at an email domain join by themselves.

        The email address of the user must be verified.

        Args:
            joins: Whether users with a verified address at exactly this domain join as member,
                without an invite, once the domain is verified.

        Returns:
            `id`, `domain`, `joins`, `record`, `verified_at`, `checked_at`, `missing_since`,
            `created_at`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `org_domain_not_found`: Domain not found.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/orgs/{org_id}/domains/{domain_id}", org_id=org_id, domain_id=domain_id),
            body={"joins": joins},
            result=OrgDomain,
        )

    def verify_org_domain(self, org_id: str, domain_id: str) -> OrgDomain:
        """Look for the DNS record of an email domain now.

        The email address of the user must be verified.

        Returns:
            `id`, `domain`, `joins`, `record`, `verified_at`, `checked_at`, `missing_since`,
            `created_at`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `org_domain_not_found`: Domain not found.
            Conflict: `org_domain_record_missing`: The DNS of the domain has no such TXT record yet.
                New records can take an hour until they are seen; then verify again.
            Conflict: `org_domain_verified_elsewhere`: Another organization has verified this
                domain; remove it there first.
            RateLimited: `domain_checks_rate_limited`.
            ServerError: `org_domain_lookup_failed`: The name servers of the domain did not answer.
                Try again later.
        """
        return self._svc.call(
            "POST",
            _path(
                "/api/orgs/{org_id}/domains/{domain_id}/verify",
                org_id=org_id, domain_id=domain_id,
            ),
            result=OrgDomain,
        )

    def get_org_policies(self, org_id: str) -> OrgPolicies:
        """Get the policies of an organization, and what this session or key lacks for them.

        Returns:
            `second_factor`, `providers`, `session_hours`, `key_scopes`, `managed_sign_in`,
            `missing`, `sign_in_methods`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
        """
        return self._svc.call(
            "GET",
            _path("/api/orgs/{org_id}/policies", org_id=org_id),
            result=OrgPolicies,
            repeatable=True,
        )

    def update_org_policies(
        self,
        org_id: str,
        *,
        second_factor: Literal["none", "any", "passkey"] = OMIT,
        providers: Optional[list[str]] = OMIT,
        session_hours: Optional[int] = OMIT,
        key_scopes: Optional[
            list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
        ] = OMIT,
        managed_sign_in: Optional[list[str]] = OMIT,
    ) -> OrgPolicies:
        """Change the policies of an organization (owners and admins); an admin of the server may
        end them.

        It needs a sign-in; an API key is refused.

        Args:
            second_factor: `any`: a code of an authenticator app or a passkey; `passkey`: a passkey
                only, alone or after a password.
            providers: The methods to sign in with: password, passkey, email_code, google, github,
                twitter, or the name of a configured OpenID provider; null: all.
            session_hours: How long after the sign-in a session may use the organization; null:
                until it ends.
            key_scopes: The scopes that API keys and authorized apps may have in the organization;
                null: all.
            managed_sign_in: The providers that open the accounts which SCIM created at a verified
                domain, by their address and without a step of the user; null: none. Only owners
                change it.

        Returns:
            `second_factor`, `providers`, `session_hours`, `key_scopes`, `managed_sign_in`,
            `missing`, `sign_in_methods`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            Forbidden: `org_owner_required`: Only an owner of the organization can do this.
            Forbidden: `org_policy`.
            Conflict: `org_policy_locks_out`.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/orgs/{org_id}/policies", org_id=org_id),
            body={
                "second_factor": second_factor,
                "providers": providers,
                "session_hours": session_hours,
                "key_scopes": key_scopes,
                "managed_sign_in": managed_sign_in,
            },
            result=OrgPolicies,
        )

    def activate_org(self, org_id: str) -> Organization:
        """Make an organization the default for requests that name none.

        Returns:
            `id`, `name`, `role`, `is_active`, `seats`, `created_at`, `updated_at`, `missing`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_key_not_allowed`: An API key of an organization cannot do this; use an
                API key without an organization.
        """
        return self._svc.call(
            "POST",
            _path("/api/orgs/{org_id}/activate", org_id=org_id),
            result=Organization,
        )

    def change_org_role(self, org_id: str, user_id: str, *, role: OrgRole) -> OrgMember:
        """Change the role of a member (owners; admins only between admin and member).

        Returns:
            `user_id`, `username`, `display_name`, `email`, `avatar_url`, `role`, `joined_at`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            Forbidden: `org_owner_required`: Only an owner of the organization can do this.
            NotFound: `org_member_not_found`: Member not found.
            Conflict: `org_owner_missing`: An organization needs an owner: make another member an
                owner first, or delete the organization.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/orgs/{org_id}/members/{user_id}", org_id=org_id, user_id=user_id),
            body={"role": role},
            result=OrgMember,
        )

    def create_org(self, *, name: str) -> Organization:
        """Create an organization; the caller becomes its owner.

        Returns:
            `id`, `name`, `role`, `is_active`, `seats`, `created_at`, `updated_at`, `missing`.

        Raises:
            Forbidden: `org_key_not_allowed`: An API key of an organization cannot do this; use an
                API key without an organization.
            Conflict: `cap_reached`.
        """
        return self._svc.call("POST", "/api/orgs", body={"name": name}, result=Organization)

    def deactivate_org(self) -> None:
        """Clear the default organization.

        Raises:
            Forbidden: `org_key_not_allowed`: An API key of an organization cannot do this; use an
                API key without an organization.
        """
        return self._svc.call("POST", "/api/orgs/deactivate")

    def delete_org(self, org_id: str) -> None:
        """Delete an organization with its API keys and memories permanently (owners only).

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_key_not_allowed`: An API key of an organization cannot do this; use an
                API key without an organization.
            Forbidden: `org_owner_required`: Only an owner of the organization can do this.
        """
        return self._svc.call("DELETE", _path("/api/orgs/{org_id}", org_id=org_id), repeatable=True)

    def get_org(self, org_id: str) -> Organization:
        """Get an organization of the caller.

        Returns:
            `id`, `name`, `role`, `is_active`, `seats`, `created_at`, `updated_at`, `missing`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
        """
        return self._svc.call(
            "GET",
            _path("/api/orgs/{org_id}", org_id=org_id),
            result=Organization,
            repeatable=True,
        )

    def list_org_members(self, org_id: str) -> list[OrgMember]:
        """List the members of an organization in the order in which they joined.

        Returns:
            A list of OrgMember.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
        """
        return self._svc.call(
            "GET",
            _path("/api/orgs/{org_id}/members", org_id=org_id),
            result=list,
            repeatable=True,
        )

    def list_orgs(self) -> list[Organization]:
        """List the organizations of the caller.

        Returns:
            A list of Organization.
        """
        return self._svc.call("GET", "/api/orgs", result=list, repeatable=True)

    def remove_org_member(self, org_id: str, user_id: str) -> None:
        """Remove a member and their API keys of the organization, or leave it.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            Forbidden: `org_owner_required`: Only an owner of the organization can do this.
            NotFound: `org_member_not_found`: Member not found.
            Conflict: `org_owner_missing`: An organization needs an owner: make another member an
                owner first, or delete the organization.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/orgs/{org_id}/members/{user_id}", org_id=org_id, user_id=user_id),
            repeatable=True,
        )

    def update_org(self, org_id: str, *, name: str) -> Organization:
        """Rename an organization (owners only).

        Returns:
            `id`, `name`, `role`, `is_active`, `seats`, `created_at`, `updated_at`, `missing`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_owner_required`: Only an owner of the organization can do this.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/orgs/{org_id}", org_id=org_id),
            body={"name": name},
            result=Organization,
        )

    def accept_invite(self, *, token: str) -> Organization:
        """Accept an invite that was sent to the caller’s email address.

        The email address of the user must be verified.

        Args:
            token: The token from the invite link.

        Returns:
            `id`, `name`, `role`, `is_active`, `seats`, `created_at`, `updated_at`, `missing`.

        Raises:
            PaymentRequired: `no_seat_to_join`.
            Forbidden: `invite_for_other_address`: This invitation is for another email address.
            Forbidden: `org_key_not_allowed`: An API key of an organization cannot do this; use an
                API key without an organization.
            Conflict: `cap_reached`.
            Gone: `invite_not_open`: This invitation has expired, was withdrawn, or was answered
                already.
        """
        return self._svc.call(
            "POST",
            "/api/invites/accept",
            body={"token": token},
            result=Organization,
        )

    def create_invite(
        self,
        org_id: str,
        *,
        email: str,
        role: Literal["admin", "member"] = OMIT,
    ) -> OrgInvite:
        """Invite a user by email; replaces a pending invite to the same address.

        The email address of the user must be verified.

        Args:
            role: Default: `"member"`.

        Returns:
            `id`, `email`, `role`, `created_at`, `expires_at`, `invite_url`.

        Raises:
            PaymentRequired: `no_seat_to_invite`.
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            Conflict: `already_org_member`: A member already has this email address.
            RateLimited: `invites_per_recipient_rate_limited`.
            RateLimited: `invites_per_user_rate_limited`.
        """
        return self._svc.call(
            "POST",
            _path("/api/orgs/{org_id}/invites", org_id=org_id),
            body={"email": email, "role": role},
            result=OrgInvite,
        )

    def decline_invite(self, *, token: str) -> None:
        """Decline an invite; needs only the token of its link.

        Args:
            token: The token from the invite link.

        Raises:
            Gone: `invite_not_open`: This invitation has expired, was withdrawn, or was answered
                already.
        """
        return self._svc.call("POST", "/api/invites/decline", body={"token": token}, auth="none")

    def list_invites(self, org_id: str) -> list[OrgInvite]:
        """List the pending invites (owners and admins).

        The email address of the user must be verified.

        Returns:
            A list of OrgInvite.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
        """
        return self._svc.call(
            "GET",
            _path("/api/orgs/{org_id}/invites", org_id=org_id),
            result=list,
            repeatable=True,
        )

    def withdraw_invite(self, org_id: str, invite_id: str) -> None:
        """Withdraw an invite; its link stops working.

        The email address of the user must be verified.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `invite_not_found`: Invite not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/orgs/{org_id}/invites/{invite_id}", org_id=org_id, invite_id=invite_id),
            repeatable=True,
        )

    def create_org_webhook(
        self,
        org_id: str,
        *,
        url: str,
        types: Optional[
            list[
                Literal[
                    "organization.updated",
                    "member.invited",
                    "member.invite_withdrawn",
                    "member.joined",
                    "member.removed",
                    "member.role_changed",
                    "key.created",
                    "key.changed",
                    "key.revoked",
                    "app.authorized",
                ]
            ]
        ] = OMIT,
        description: str = OMIT,
    ) -> NewEventWebhook:
        """Create a webhook of an organization; its secret is returned once.

        It needs a sign-in; an API key is refused.

        Args:
            url: A web address on the public internet.
            types: The events that it gets; null or absent: all.

        Returns:
            `webhook_id`, `url`, `types`, `description`, `enabled`, `disabled_reason`, `created_at`,
            `secret`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            _path("/api/orgs/{org_id}/webhooks", org_id=org_id),
            body={"url": url, "types": types, "description": description},
            result=NewEventWebhook,
        )

    def delete_org_webhook(self, org_id: str, webhook_id: str) -> None:
        """Delete a webhook of an organization with its deliveries.

        It needs a sign-in; an API key is refused.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "DELETE",
            _path(
                "/api/orgs/{org_id}/webhooks/{webhook_id}",
                org_id=org_id, webhook_id=webhook_id,
            ),
            repeatable=True,
        )

    def list_org_deliveries(
        self,
        org_id: str,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "failed"] = OMIT,
        type: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> EventDeliveries:
        """List the deliveries of a webhook in the last 30 days, newest first.

        Args:
            type: Only events of this type.
            limit: Maximum number of results. Default: `50`.
            cursor: `next_cursor` of the previous page.

        Returns:
            `deliveries`, `next_cursor`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "GET",
            _path(
                "/api/orgs/{org_id}/webhooks/{webhook_id}/deliveries",
                org_id=org_id, webhook_id=webhook_id,
            ),
            query={"state": state, "type": type, "limit": limit, "cursor": cursor},
            result=EventDeliveries,
            repeatable=True,
        )

    def list_org_deliveries_all(
        self,
        org_id: str,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "failed"] = OMIT,
        type: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> Iterator[EventDelivery]:
        """List the deliveries of a webhook in the last 30 days, newest first: the items of all
        pages.

        It has the arguments of `list_org_deliveries`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_org_deliveries(
                org_id,
                webhook_id,
                state=state,
                type=type,
                limit=limit,
                cursor=position,
            ),
            cursor,
            lambda page: page["deliveries"],
            lambda page: page["next_cursor"],
        )

    def list_org_webhooks(self, org_id: str) -> list[EventWebhook]:
        """List the webhooks of an organization that get its events.

        Returns:
            A list of EventWebhook.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
        """
        return self._svc.call(
            "GET",
            _path("/api/orgs/{org_id}/webhooks", org_id=org_id),
            result=list,
            repeatable=True,
        )

    def renew_org_webhook_secret(self, org_id: str, webhook_id: str) -> NewEventWebhook:
        """Replace the signing secret; the new one is returned once.

        It needs a sign-in; an API key is refused.

        Returns:
            `webhook_id`, `url`, `types`, `description`, `enabled`, `disabled_reason`, `created_at`,
            `secret`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "POST",
            _path(
                "/api/orgs/{org_id}/webhooks/{webhook_id}/secret",
                org_id=org_id, webhook_id=webhook_id,
            ),
            result=NewEventWebhook,
        )

    def replay_org_deliveries(
        self,
        org_id: str,
        webhook_id: str,
        *,
        since: Time,
    ) -> ReplayOrgDeliveriesResponse:
        """Send the events again that could not be delivered since a time.

        It needs a sign-in; an API key is refused.

        Args:
            since: Failed deliveries of events since this time.

        Returns:
            `count`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "POST",
            _path(
                "/api/orgs/{org_id}/webhooks/{webhook_id}/replay",
                org_id=org_id, webhook_id=webhook_id,
            ),
            body={"since": since},
            result=ReplayOrgDeliveriesResponse,
        )

    def replay_org_delivery(self, org_id: str, webhook_id: str, event_id: str) -> EventDelivery:
        """Send an event again, whatever became of it.

        It needs a sign-in; an API key is refused.

        Returns:
            `event_id`, `type`, `state`, `attempts`, `status`, `error`, `created_at`,
            `next_attempt_at`, and others.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `webhook_not_found`: Webhook not found.
            NotFound: `delivery_not_found`: Delivery not found.
        """
        return self._svc.call(
            "POST",
            _path(
                "/api/orgs/{org_id}/webhooks/{webhook_id}/deliveries/{event_id}/replay",
                org_id=org_id, webhook_id=webhook_id, event_id=event_id,
            ),
            result=EventDelivery,
        )

    def test_org_webhook(self, org_id: str, webhook_id: str) -> EventDelivery:
        """Send an event `webhook.test`.

        It needs a sign-in; an API key is refused.

        Returns:
            `event_id`, `type`, `state`, `attempts`, `status`, `error`, `created_at`,
            `next_attempt_at`, and others.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "POST",
            _path(
                "/api/orgs/{org_id}/webhooks/{webhook_id}/test",
                org_id=org_id, webhook_id=webhook_id,
            ),
            result=EventDelivery,
        )

    def update_org_webhook(
        self,
        org_id: str,
        webhook_id: str,
        *,
        url: str = OMIT,
        types: Optional[
            list[
                Literal[
                    "organization.updated",
                    "member.invited",
                    "member.invite_withdrawn",
                    "member.joined",
                    "member.removed",
                    "member.role_changed",
                    "key.created",
                    "key.changed",
                    "key.revoked",
                    "app.authorized",
                ]
            ]
        ] = OMIT,
        description: str = OMIT,
        enabled: bool = OMIT,
    ) -> EventWebhook:
        """Change a webhook of an organization.

        It needs a sign-in; an API key is refused.

        Args:
            url: A web address on the public internet.
            types: The events that it gets; null or absent: all.
            enabled: A webhook that is disabled gets no events, also not later.

        Returns:
            `webhook_id`, `url`, `types`, `description`, `enabled`, `disabled_reason`, `created_at`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "PATCH",
            _path(
                "/api/orgs/{org_id}/webhooks/{webhook_id}",
                org_id=org_id, webhook_id=webhook_id,
            ),
            body={
                "url": url,
                "types": types,
                "description": description,
                "enabled": enabled,
            },
            result=EventWebhook,
        )

    def get_allowed_clients(self, org_id: str) -> AllowedClients:
        """Get the apps that may act in an organization.

        Returns:
            `client_ids`, `known`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
        """
        return self._svc.call(
            "GET",
            _path("/api/orgs/{org_id}/allowed-clients", org_id=org_id),
            result=AllowedClients,
            repeatable=True,
        )

    def set_allowed_clients(
        self,
        org_id: str,
        *,
        client_ids: Optional[list[str]],
    ) -> AllowedClients:
        """Set the apps that may act in an organization (owners only); others lose access at
        once.

        Args:
            client_ids: The apps that may act in the organization; null: all.

        Returns:
            `client_ids`, `known`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_owner_required`: Only an owner of the organization can do this.
        """
        return self._svc.call(
            "PUT",
            _path("/api/orgs/{org_id}/allowed-clients", org_id=org_id),
            body={"client_ids": client_ids},
            result=AllowedClients,
            repeatable=True,
        )

    def create_scim_token(
        self,
        org_id: str,
        *,
        name: str,
        expires_at: Optional[Time] = OMIT,
    ) -> NewScimToken:
        """Create a SCIM token for an identity provider (owners only); it is returned once.

        It needs a sign-in; an API key is refused.

        Args:
            name: A label, such as the name of the identity provider.
            expires_at: When the token expires; must be in the future.

        Returns:
            `id`, `name`, `created_at`, `last_used_at`, `expires_at`, `token`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_owner_required`: Only an owner of the organization can do this.
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            _path("/api/orgs/{org_id}/scim/tokens", org_id=org_id),
            body={"name": name, "expires_at": expires_at},
            result=NewScimToken,
        )

    def list_scim_tokens(self, org_id: str) -> ScimOverview:
        """Get the SCIM address of an organization, its tokens, and how many users they
        provisioned.

        Returns:
            `base_url`, `user_count`, `group_count`, `tokens`.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
        """
        return self._svc.call(
            "GET",
            _path("/api/orgs/{org_id}/scim/tokens", org_id=org_id),
            result=ScimOverview,
            repeatable=True,
        )

    def revoke_scim_token(self, org_id: str, token_id: str) -> None:
        """Revoke a SCIM token; what it provisioned stays.

        It needs a sign-in; an API key is refused.

        Raises:
            Forbidden: `not_org_member`: Not a member of this organization.
            Forbidden: `org_manager_required`: Only an owner or an admin of the organization can do
                this.
            NotFound: `scim_token_not_found`: SCIM token not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/orgs/{org_id}/scim/tokens/{token_id}", org_id=org_id, token_id=token_id),
            repeatable=True,
        )


class AdminCalls(_Calls):
    def create_server_webhook(
        self,
        *,
        url: str,
        types: Optional[
            list[
                Literal[
                    "user.created",
                    "user.deleted",
                    "user.disabled",
                    "user.enabled",
                    "user.tier_changed",
                    "user.email_verified",
                    "user.email_changed",
                    "session.created",
                    "session.failed",
                    "session.revoked",
                    "key.created",
                    "key.changed",
                    "key.revoked",
                    "password.changed",
                    "mfa.enabled",
                    "mfa.disabled",
                    "passkey.added",
                    "passkey.removed",
                    "provider.connected",
                    "provider.disconnected",
                    "app.authorized",
                    "organization.created",
                    "organization.updated",
                    "organization.deleted",
                    "member.invited",
                    "member.invite_withdrawn",
                    "member.joined",
                    "member.removed",
                    "member.role_changed",
                ]
            ]
        ] = OMIT,
        description: str = OMIT,
    ) -> NewEventWebhook:
        """Create a webhook of the server; its secret is returned once.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            url: A web address on the public internet.
            types: The events that it gets; null or absent: all.

        Returns:
            `webhook_id`, `url`, `types`, `description`, `enabled`, `disabled_reason`, `created_at`,
            `secret`.

        Raises:
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            "/api/admin/webhooks",
            body={"url": url, "types": types, "description": description},
            result=NewEventWebhook,
        )

    def delete_server_webhook(self, webhook_id: str) -> None:
        """Delete a webhook of the server with its deliveries.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Raises:
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/admin/webhooks/{webhook_id}", webhook_id=webhook_id),
            repeatable=True,
        )

    def list_server_deliveries(
        self,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "failed"] = OMIT,
        type: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> EventDeliveries:
        """List the deliveries of a webhook in the last 30 days, newest first.

        Only admins may call it.

        Args:
            type: Only events of this type.
            limit: Maximum number of results. Default: `50`.
            cursor: `next_cursor` of the previous page.

        Returns:
            `deliveries`, `next_cursor`.

        Raises:
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/admin/webhooks/{webhook_id}/deliveries", webhook_id=webhook_id),
            query={"state": state, "type": type, "limit": limit, "cursor": cursor},
            result=EventDeliveries,
            repeatable=True,
        )

    def list_server_deliveries_all(
        self,
        webhook_id: str,
        *,
        state: Literal["waiting", "delivered", "failed"] = OMIT,
        type: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> Iterator[EventDelivery]:
        """List the deliveries of a webhook in the last 30 days, newest first: the items of all
        pages.

        It has the arguments of `list_server_deliveries`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_server_deliveries(
                webhook_id,
                state=state,
                type=type,
                limit=limit,
                cursor=position,
            ),
            cursor,
            lambda page: page["deliveries"],
            lambda page: page["next_cursor"],
        )

    def list_server_webhooks(self) -> list[EventWebhook]:
        """List the webhooks of the server that get its events.

        Only admins may call it.

        Returns:
            A list of EventWebhook.
        """
        return self._svc.call("GET", "/api/admin/webhooks", result=list, repeatable=True)

    def renew_server_webhook_secret(self, webhook_id: str) -> NewEventWebhook:
        """Replace the signing secret; the new one is returned once.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Returns:
            `webhook_id`, `url`, `types`, `description`, `enabled`, `disabled_reason`, `created_at`,
            `secret`.

        Raises:
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/webhooks/{webhook_id}/secret", webhook_id=webhook_id),
            result=NewEventWebhook,
        )

    def replay_server_deliveries(
        self,
        webhook_id: str,
        *,
        since: Time,
    ) -> ReplayServerDeliveriesResponse:
        """Send the events again that could not be delivered since a time.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            since: Failed deliveries of events since this time.

        Returns:
            `count`.

        Raises:
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/webhooks/{webhook_id}/replay", webhook_id=webhook_id),
            body={"since": since},
            result=ReplayServerDeliveriesResponse,
        )

    def replay_server_delivery(self, webhook_id: str, event_id: str) -> EventDelivery:
        """Send an event again, whatever became of it.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Returns:
            `event_id`, `type`, `state`, `attempts`, `status`, `error`, `created_at`,
            `next_attempt_at`, and others.

        Raises:
            NotFound: `webhook_not_found`: Webhook not found.
            NotFound: `delivery_not_found`: Delivery not found.
        """
        return self._svc.call(
            "POST",
            _path(
                "/api/admin/webhooks/{webhook_id}/deliveries/{event_id}/replay",
                webhook_id=webhook_id, event_id=event_id,
            ),
            result=EventDelivery,
        )

    def test_server_webhook(self, webhook_id: str) -> EventDelivery:
        """Send an event `webhook.test`.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Returns:
            `event_id`, `type`, `state`, `attempts`, `status`, `error`, `created_at`,
            `next_attempt_at`, and others.

        Raises:
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/webhooks/{webhook_id}/test", webhook_id=webhook_id),
            result=EventDelivery,
        )

    def update_server_webhook(
        self,
        webhook_id: str,
        *,
        url: str = OMIT,
        types: Optional[
            list[
                Literal[
                    "user.created",
                    "user.deleted",
                    "user.disabled",
                    "user.enabled",
                    "user.tier_changed",
                    "user.email_verified",
                    "user.email_changed",
                    "session.created",
                    "session.failed",
                    "session.revoked",
                    "key.created",
                    "key.changed",
                    "key.revoked",
                    "password.changed",
                    "mfa.enabled",
                    "mfa.disabled",
                    "passkey.added",
                    "passkey.removed",
                    "provider.connected",
                    "provider.disconnected",
                    "app.authorized",
                    "organization.created",
                    "organization.updated",
                    "organization.deleted",
                    "member.invited",
                    "member.invite_withdrawn",
                    "member.joined",
                    "member.removed",
                    "member.role_changed",
                ]
            ]
        ] = OMIT,
        description: str = OMIT,
        enabled: bool = OMIT,
    ) -> EventWebhook:
        """Change a webhook of the server.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            url: A web address on the public internet.
            types: The events that it gets; null or absent: all.
            enabled: A webhook that is disabled gets no events, also not later.

        Returns:
            `webhook_id`, `url`, `types`, `description`, `enabled`, `disabled_reason`, `created_at`.

        Raises:
            NotFound: `webhook_not_found`: Webhook not found.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/admin/webhooks/{webhook_id}", webhook_id=webhook_id),
            body={
                "url": url,
                "types": types,
                "description": description,
                "enabled": enabled,
            },
            result=EventWebhook,
        )

    def list_engines(self) -> CognitiveEngines:
        """List the engines that process memories in the background, with their queue lengths.

        Only admins may call it.

        Returns:
            `engines`.
        """
        return self._svc.call(
            "GET",
            "/api/admin/cognitive_engines",
            result=CognitiveEngines,
            repeatable=True,
        )

    def switch_engine(self, engine: str, *, enabled: bool, reason: str) -> None:
        """Enable or disable an engine; while it is disabled its work is queued.

        Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit log.

        Raises:
            NotFound: `engine_not_found`: Engine not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/cognitive_engines/{engine}/state", engine=engine),
            body={"enabled": enabled, "reason": reason},
        )

    def list_registry(
        self,
        *,
        registry_type: RegistryType,
        include_disabled: bool = OMIT,
    ) -> RegistryListing:
        """List the automation handlers of a type.

        Only admins may call it.

        Args:
            include_disabled: Include disabled handlers. Default: `False`.

        Returns:
            `registry_type`, `count`, `entries`.
        """
        return self._svc.call(
            "GET",
            "/api/admin/registry",
            query={"registry_type": registry_type, "include_disabled": include_disabled},
            result=RegistryListing,
            repeatable=True,
        )

    def switch_handler(self, registry_type: str, name: str, *, enabled: bool, reason: str) -> None:
        """Enable or disable a handler; reflexes wait while it is disabled.

        Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit log.

        Raises:
            NotFound: `handler_not_found`: Handler not found.
        """
        return self._svc.call(
            "POST",
            _path(
                "/api/admin/registry/{registry_type}/{name}/state",
                registry_type=registry_type, name=name,
            ),
            body={"enabled": enabled, "reason": reason},
        )

    def admin_stats(self) -> AdminStats:
        """Get counts of users, data and queued work.

        Only admins may call it.

        Returns:
            `users`, `sessions`, `api_keys`, `organizations`, `memories`, `messages`, `emails`,
            `jobs`, and others.
        """
        return self._svc.call("GET", "/api/admin/stats", result=AdminStats, repeatable=True)

    def create_user(self, *, email: str, reason: str) -> AdminUser:
        """Create a user, who gets a link by email to choose a password.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit logs of the admin and of the user.

        Returns:
            `id`, `email`, `username`, `display_name`, `tier`, `is_admin`, `email_verified`,
            `created_at`, and others.

        Raises:
            BadRequest: `invalid_email`: Invalid email address.
            BadRequest: `disposable_email`: Disposable email addresses are not allowed.
            BadRequest: `unreachable_email`: The mail server of this service reaches only addresses
                with a to z, digits and signs before the @.
            Forbidden: `admin_revoked`: Admin access required.
            Conflict: `email_taken`: Email already registered.
            Conflict: `address_of_admin`: SVC_ADMIN_EMAILS makes this address an admin.
        """
        return self._svc.call(
            "POST",
            "/api/admin/users",
            body={"email": email, "reason": reason},
            result=AdminUser,
        )

    def delete_user(self, user_id: str, *, reason: str) -> None:
        """Delete a user and everything the account owns.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit logs of the admin and of the user.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `administered_user_not_found`: User not found.
            Conflict: `administers_self`: This is your own account.
            Conflict: `administers_admin`: The account of an admin cannot be changed by another;
                revoke the role first.
            Conflict: `sole_org_owner`.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/admin/users/{user_id}", user_id=user_id),
            body={"reason": reason},
            repeatable=True,
        )

    def disable_user(self, user_id: str, *, reason: str) -> AdminUser:
        """Disable a user: end their sessions, pause their API keys and background work.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit logs of the admin and of the user.

        Returns:
            `id`, `email`, `username`, `display_name`, `tier`, `is_admin`, `email_verified`,
            `created_at`, and others.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `administered_user_not_found`: User not found.
            Conflict: `last_admin`: This is the last admin; make another user an admin first.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/users/{user_id}/disable", user_id=user_id),
            body={"reason": reason},
            result=AdminUser,
        )

    def enable_user(self, user_id: str, *, reason: Optional[str] = OMIT) -> AdminUser:
        """Enable a disabled user.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit logs of the admin and of the user.

        Returns:
            `id`, `email`, `username`, `display_name`, `tier`, `is_admin`, `email_verified`,
            `created_at`, and others.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `administered_user_not_found`: User not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/users/{user_id}/enable", user_id=user_id),
            body={"reason": reason},
            result=AdminUser,
        )

    def get_user(self, user_id: str) -> AdminUser:
        """Get a user.

        Only admins may call it.

        Returns:
            `id`, `email`, `username`, `display_name`, `tier`, `is_admin`, `email_verified`,
            `created_at`, and others.

        Raises:
            NotFound: `administered_user_not_found`: User not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/admin/users/{user_id}", user_id=user_id),
            result=AdminUser,
            repeatable=True,
        )

    def list_users(self, *, q: str = OMIT, limit: int = OMIT, cursor: str = OMIT) -> AdminUsers:
        """List or search users, newest first.

        Only admins may call it.

        Args:
            q: A part of the email address, the username or the display name.
            limit: Maximum number of results. Default: `50`.
            cursor: The last user of the previous page.

        Returns:
            `users`, `next_cursor`.
        """
        return self._svc.call(
            "GET",
            "/api/admin/users",
            query={"q": q, "limit": limit, "cursor": cursor},
            result=AdminUsers,
            repeatable=True,
        )

    def list_users_all(
        self,
        *,
        q: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> Iterator[AdminUser]:
        """List or search users, newest first: the items of all pages.

        It has the arguments of `list_users`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_users(q=q, limit=limit, cursor=position),
            cursor,
            lambda page: page["users"],
            lambda page: page["next_cursor"],
        )

    def reset_second_factor(self, user_id: str, *, reason: str) -> AdminUser:
        """Remove the second factor and the passkeys of a user, and end their sessions.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit logs of the admin and of the user.

        Returns:
            `id`, `email`, `username`, `display_name`, `tier`, `is_admin`, `email_verified`,
            `created_at`, and others.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `administered_user_not_found`: User not found.
            Conflict: `administers_self`: This is your own account.
            Conflict: `administers_admin`: The account of an admin cannot be changed by another;
                revoke the role first.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/users/{user_id}/reset-second-factor", user_id=user_id),
            body={"reason": reason},
            result=AdminUser,
        )

    def set_user_admin(
        self,
        user_id: str,
        *,
        is_admin: bool,
        reason: Optional[str] = OMIT,
    ) -> AdminUser:
        """Grant or revoke admin rights.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit logs of the admin and of the user.

        Returns:
            `id`, `email`, `username`, `display_name`, `tier`, `is_admin`, `email_verified`,
            `created_at`, and others.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `administered_user_not_found`: User not found.
            Conflict: `last_admin`: This is the last admin; make another user an admin first.
            Conflict: `admin_by_configuration`: SVC_ADMIN_EMAILS makes this account an admin; remove
                its address there.
        """
        return self._svc.call(
            "PUT",
            _path("/api/admin/users/{user_id}/admin", user_id=user_id),
            body={"is_admin": is_admin, "reason": reason},
            result=AdminUser,
            repeatable=True,
        )

    def set_user_email(self, user_id: str, *, email: str, reason: str) -> AdminUser:
        """Change the email address of a user; it counts as verified.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            reason: The reason. It is recorded in the audit logs of the admin and of the user.

        Returns:
            `id`, `email`, `username`, `display_name`, `tier`, `is_admin`, `email_verified`,
            `created_at`, and others.

        Raises:
            BadRequest: `invalid_email`: Invalid email address.
            BadRequest: `disposable_email`: Disposable email addresses are not allowed.
            BadRequest: `unreachable_email`: The mail server of this service reaches only addresses
                with a to z, digits and signs before the @.
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `administered_user_not_found`: User not found.
            Conflict: `administers_self`: This is your own account.
            Conflict: `administers_admin`: The account of an admin cannot be changed by another;
                revoke the role first.
            Conflict: `email_taken`: Email already registered.
            Conflict: `address_of_admin`: SVC_ADMIN_EMAILS makes this address an admin.
        """
        return self._svc.call(
            "PUT",
            _path("/api/admin/users/{user_id}/email", user_id=user_id),
            body={"email": email, "reason": reason},
            result=AdminUser,
            repeatable=True,
        )

    def set_user_tier(
        self,
        user_id: str,
        *,
        tier: Optional[Tier],
        reason: Optional[str] = OMIT,
    ) -> AdminUser:
        """Set the tier of a user.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            tier: Overrides the tier of the subscription; null removes the override.
            reason: The reason. It is recorded in the audit logs of the admin and of the user.

        Returns:
            `id`, `email`, `username`, `display_name`, `tier`, `is_admin`, `email_verified`,
            `created_at`, and others.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `administered_user_not_found`: User not found.
        """
        return self._svc.call(
            "PUT",
            _path("/api/admin/users/{user_id}/tier", user_id=user_id),
            body={"tier": tier, "reason": reason},
            result=AdminUser,
            repeatable=True,
        )

    def import_users(
        self,
        file: FileInput,
        *,
        format: UserImportFormat = OMIT,
        dry_run: bool = OMIT,
    ) -> UserImportReport:
        """Import users with their password hashes: NDJSON, or an export of Supabase,
        better-auth, Firebase or PocketBase.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            file: The content, a path, or a file that is open for reading bytes.
            format: The source of the file; `auto` detects it for each user. Default: `"auto"`.
            dry_run: Check the file and report, but store nothing. Default: `False`.

        Returns:
            `dry_run`, `imported`, `existing`, `skipped_identities`, `skipped_factors`,
            `failed_count`, `failed`.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
        """
        return self._svc.call(
            "POST",
            "/api/admin/users/import",
            query={"format": format, "dry_run": dry_run},
            file=file,
            result=UserImportReport,
        )

    def end_impersonation(self, user_id: str) -> None:
        """End the impersonation of a user by the caller.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Raises:
            NotFound: `administered_user_not_found`: User not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/admin/users/{user_id}/impersonate", user_id=user_id),
            repeatable=True,
        )

    def start_impersonation(
        self,
        user_id: str,
        *,
        reason: str,
        minutes: int = OMIT,
    ) -> StartedImpersonation:
        """See and use the server as a user, for some minutes, without access to the account
        settings.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            reason: The reason. The user gets it by email and in the audit log.
            minutes: When the access ends by itself. Default: `15`.

        Returns:
            `access_token`, `token_type`, `session_id`, `expires_at`.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `administered_user_not_found`: User not found.
            Conflict: `impersonates_self`: This is your own account.
            Conflict: `impersonates_admin`: The account of an admin cannot be used by another.
            Conflict: `impersonates_disabled`: This account is disabled; enable it first.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/users/{user_id}/impersonate", user_id=user_id),
            body={"reason": reason, "minutes": minutes},
            result=StartedImpersonation,
        )

    def admin_audit_log(
        self,
        *,
        action: str = OMIT,
        user_id: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> AdminAuditLog:
        """List the audit events of all users, newest first.

        Only admins may call it.

        Args:
            action: An action such as `key.created`, or a group of actions such as `key`.
            user_id: Only the events of this user.
            since: Only events at or after this time.
            until: Only events before this time.
            limit: Maximum number of results. Default: `50`.
            cursor: `next_cursor` of the previous page.

        Returns:
            `entries`, `next_cursor`.
        """
        return self._svc.call(
            "GET",
            "/api/admin/audit",
            query={
                "action": action,
                "user_id": user_id,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
            result=AdminAuditLog,
            repeatable=True,
        )

    def admin_audit_log_all(
        self,
        *,
        action: str = OMIT,
        user_id: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> Iterator[AdminAuditEntry]:
        """List the audit events of all users, newest first: the items of all pages.

        It has the arguments of `admin_audit_log`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.admin_audit_log(
                action=action,
                user_id=user_id,
                since=since,
                until=until,
                limit=limit,
                cursor=position,
            ),
            cursor,
            lambda page: page["entries"],
            lambda page: page["next_cursor"],
        )

    def admin_configuration(self) -> AdminConfiguration:
        """List the optional parts of the server and whether each is configured.

        Only admins may call it.

        Returns:
            `parts`.
        """
        return self._svc.call(
            "GET",
            "/api/admin/configuration",
            result=AdminConfiguration,
            repeatable=True,
        )

    def admin_history(self, *, days: int = OMIT) -> AdminHistory:
        """Get the number of new users, sign-ins, memories and messages of each day.

        Only admins may call it.

        Args:
            days: Number of days, with today. Default: `30`.

        Returns:
            `days`.
        """
        return self._svc.call(
            "GET",
            "/api/admin/history",
            query={"days": days},
            result=AdminHistory,
            repeatable=True,
        )

    def admin_queues(self) -> AdminQueues:
        """Get the queues of jobs and emails, with their last failures.

        Only admins may call it.

        Returns:
            `jobs`, `failed_jobs`, `outbox`.
        """
        return self._svc.call("GET", "/api/admin/queues", result=AdminQueues, repeatable=True)

    def export_audit(
        self,
        *,
        action: str = OMIT,
        user_id: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
    ) -> Stream[AdminAuditEntry]:
        """Export the audit events of all users as NDJSON, newest first.

        Only admins may call it.

        Args:
            action: An action such as `key.created`, or a group of actions such as `key`.
            user_id: Only the events of this user.
            since: Only events at or after this time.
            until: Only events before this time.

        Returns:
            The values, as they arrive.
        """
        return self._svc.call(
            "GET",
            "/api/admin/audit/export",
            query={"action": action, "user_id": user_id, "since": since, "until": until},
            stream="application/x-ndjson",
            repeatable=True,
        )

    def list_signing_keys(self) -> SigningKeys:
        """List the keys that sign access tokens, the newest first; retired ones for 90 days.

        Only admins may call it.

        Returns:
            `keys`.
        """
        return self._svc.call("GET", "/api/admin/signing-keys", result=SigningKeys, repeatable=True)

    def rotate_signing_keys(self, *, now: bool = OMIT, reason: Optional[str] = OMIT) -> SigningKeys:
        """Publish the next key that signs access tokens; it signs ten minutes later.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            now: For a key that leaked: sign with the new key at once, and end the others with their
                tokens. Clients refresh their access tokens; sessions continue.
            reason: The reason, for the audit log.

        Returns:
            `keys`.

        Raises:
            Conflict: `rotation_in_progress`: The next key is already published and signs soon.
        """
        return self._svc.call(
            "POST",
            "/api/admin/signing-keys/rotate",
            body={"now": now, "reason": reason},
            result=SigningKeys,
        )

    def create_managed_client(
        self,
        *,
        name: str,
        redirect_uris: list[str],
        post_logout_redirect_uris: list[str] = OMIT,
        backchannel_logout_uri: Optional[str] = OMIT,
        scopes: list[
            Literal["openid", "profile", "email", "offline_access", "memory:read", "memory:write"]
        ] = OMIT,
        confidential: bool = OMIT,
        skips_consent: bool = OMIT,
    ) -> CreatedClient:
        """Register an app; its secret is shown once.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            name: The name on the consent page.
            redirect_uris: Redirect URIs: `https`, `http` on a loopback address, or a private-use
                scheme.
            post_logout_redirect_uris: Where the browser may go after a sign-out. Default: `[]`.
            backchannel_logout_uri: Gets a logout token when the session of a user ends; null: none.
                Default: `None`.
            scopes: Default: `["openid","profile","email"]`.
            confidential: Whether the client gets a secret: a web server can keep one; an app in a
                browser or on a device cannot. Default: `True`.
            skips_consent: Users are not asked, because the app is one of the server’s own. Default:
                `False`.

        Returns:
            `client_id`, `name`, `redirect_uris`, `post_logout_redirect_uris`,
            `backchannel_logout_uri`, `scopes`, `skips_consent`, `confidential`, and others.

        Raises:
            Conflict: `too_many_clients`: There are 1,000 apps; delete one first.
        """
        return self._svc.call(
            "POST",
            "/api/admin/clients",
            body={
                "name": name,
                "redirect_uris": redirect_uris,
                "post_logout_redirect_uris": post_logout_redirect_uris,
                "backchannel_logout_uri": backchannel_logout_uri,
                "scopes": scopes,
                "confidential": confidential,
                "skips_consent": skips_consent,
            },
            result=CreatedClient,
        )

    def delete_managed_client(self, client_id: str) -> None:
        """Delete an app with its consents and tokens.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Raises:
            NotFound: `client_not_found`: App not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/admin/clients/{client_id}", client_id=client_id),
            repeatable=True,
        )

    def list_managed_clients(self) -> list[ManagedClient]:
        """List the apps that an admin registered for “Sign in with svc”, by name.

        Only admins may call it.

        Returns:
            A list of ManagedClient.
        """
        return self._svc.call("GET", "/api/admin/clients", result=list, repeatable=True)

    def rotate_client_secret(self, client_id: str) -> RotateClientSecretResponse:
        """Replace the secret of an app; the previous one ends at once.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Returns:
            `client_secret`.

        Raises:
            NotFound: `client_not_found`: App not found.
            Conflict: `client_is_public`: The app has no secret.
        """
        return self._svc.call(
            "POST",
            _path("/api/admin/clients/{client_id}/secret", client_id=client_id),
            result=RotateClientSecretResponse,
        )

    def update_managed_client(
        self,
        client_id: str,
        *,
        name: str = OMIT,
        redirect_uris: list[str] = OMIT,
        post_logout_redirect_uris: list[str] = OMIT,
        backchannel_logout_uri: Optional[str] = OMIT,
        scopes: list[
            Literal["openid", "profile", "email", "offline_access", "memory:read", "memory:write"]
        ] = OMIT,
        skips_consent: bool = OMIT,
    ) -> ManagedClient:
        """Change an app; scopes that it loses end for its tokens too.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            name: The name on the consent page.
            redirect_uris: Redirect URIs: `https`, `http` on a loopback address, or a private-use
                scheme.
            post_logout_redirect_uris: Where the browser may go after a sign-out.
            backchannel_logout_uri: Gets a logout token when the session of a user ends; null: none.
            skips_consent: Users are not asked, because the app is one of the server’s own.

        Returns:
            `client_id`, `name`, `redirect_uris`, `post_logout_redirect_uris`,
            `backchannel_logout_uri`, `scopes`, `skips_consent`, `confidential`, and others.

        Raises:
            NotFound: `client_not_found`: App not found.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/admin/clients/{client_id}", client_id=client_id),
            body={
                "name": name,
                "redirect_uris": redirect_uris,
                "post_logout_redirect_uris": post_logout_redirect_uris,
                "backchannel_logout_uri": backchannel_logout_uri,
                "scopes": scopes,
                "skips_consent": skips_consent,
            },
            result=ManagedClient,
        )

    def change_server_settings(
        self,
        *,
        changes: list[ChangeServerSettingsChanges],
    ) -> ServerSettings:
        """Change settings of the server, without a restart.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            changes: Applied together, or not at all.

        Returns:
            `settings`.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            NotFound: `setting_unknown`.
            Conflict: `setting_changed`.
            Conflict: `setting_fixed`.
        """
        return self._svc.call(
            "PATCH",
            "/api/admin/settings",
            body={"changes": changes},
            result=ServerSettings,
        )

    def list_server_settings(self) -> ServerSettings:
        """List the settings that can change while the server runs.

        Only admins may call it.

        Returns:
            `settings`.
        """
        return self._svc.call("GET", "/api/admin/settings", result=ServerSettings, repeatable=True)

    def test_server_settings(
        self,
        *,
        group: Literal["mail", "models", "transcription", "sign_in", "backup"],
        values: list[TestServerSettingsValues] = OMIT,
    ) -> ServerSettingTests:
        """Try settings before they are stored.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            values: Values that are tested instead of those that are set.

        Returns:
            `tests`.

        Raises:
            NotFound: `setting_unknown`.
            Conflict: `setting_fixed`.
        """
        return self._svc.call(
            "POST",
            "/api/admin/settings/test",
            body={"group": group, "values": values},
            result=ServerSettingTests,
        )

    def list_server_backups(self) -> ServerBackups:
        """List the backups that the running server made.

        Only admins may call it.

        Returns:
            `backups`, `next_at`.
        """
        return self._svc.call("GET", "/api/admin/backups", result=ServerBackups, repeatable=True)

    def start_server_backup(self) -> ServerBackup:
        """Back up the server now, in the background.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Returns:
            `id`, `state`, `scheduled`, `encrypted`, `path`, `host`, `present`, `size_bytes`, and
            others.

        Raises:
            Forbidden: `admin_revoked`: Admin access required.
            Conflict: `backup_running`: A backup is being made already; wait until it ends.
        """
        return self._svc.call("POST", "/api/admin/backups", result=ServerBackup)

    def read_logs(
        self,
        *,
        level: Literal["trace", "debug", "info", "warn", "error", "fatal"] = OMIT,
        q: str = OMIT,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> LogLines:
        """Read the last lines of the log, newest first.

        It needs a sign-in; an API key is refused. Only admins may call it.

        Args:
            level: The lowest level. Default: `"trace"`.
            q: Words that a line must contain.
            limit: Default: `100`.
            before: `next_before` of the previous page.

        Returns:
            `lines`, `processes`, `next_before`.
        """
        return self._svc.call(
            "GET",
            "/api/admin/logs",
            query={"level": level, "q": q, "limit": limit, "before": before},
            result=LogLines,
            repeatable=True,
        )

    def read_logs_all(
        self,
        *,
        level: Literal["trace", "debug", "info", "warn", "error", "fatal"] = OMIT,
        q: str = OMIT,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> Iterator[LogLine]:
        """Read the last lines of the log, newest first: the items of all pages.

        It has the arguments of `read_logs`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.read_logs(level=level, q=q, limit=limit, before=position),
            before,
            lambda page: page["lines"],
            lambda page: page["next_before"],
        )


class BillingCalls(_Calls):
    def get_balance(self) -> Balance:
        """Get the credit balance.

        Returns:
            `balance_credits`, `balance_usd`, `low_balance`, `depleted`.
        """
        return self._svc.call("GET", "/api/billing/balance", result=Balance, repeatable=True)

    def get_billing(self) -> BillingMe:
        """Get the tier, the subscription and the pay-as-you-go settings.

        Returns:
            `tier`, `subscription`, `payg`.
        """
        return self._svc.call("GET", "/api/billing/me", result=BillingMe, repeatable=True)

    def get_payg_cap(self) -> PaygCap:
        """Get the monthly spending cap of pay as you go.

        Returns:
            `cap_usd`, `spent_usd`.
        """
        return self._svc.call("GET", "/api/billing/payg-cap", result=PaygCap, repeatable=True)

    def get_tiers(self) -> Tiers:
        """List the tiers with their prices, quotas and features.

        Returns:
            `tiers`, `takes_payments`.
        """
        return self._svc.call(
            "GET",
            "/api/billing/tiers",
            result=Tiers,
            auth="none",
            repeatable=True,
        )

    def get_usage(self) -> Usage:
        """Get this month’s usage and quotas.

        Returns:
            `tier`, `period_start`, `period_end`, `usage`.
        """
        return self._svc.call("GET", "/api/billing/usage", result=Usage, repeatable=True)

    def set_payg(self, *, enabled: bool) -> BillingMe:
        """Turn pay as you go on or off.

        Args:
            enabled: Whether pay as you go applies while no subscription is active.

        Returns:
            `tier`, `subscription`, `payg`.

        Raises:
            Conflict: `payg_without_credits`: Buy credits first, with POST /api/billing/checkout.
        """
        return self._svc.call(
            "PUT",
            "/api/billing/payg",
            body={"enabled": enabled},
            result=BillingMe,
        )

    def set_payg_cap(self, *, cap_usd: Optional[float]) -> PaygCap:
        """Set or clear the monthly spending cap of pay as you go.

        Args:
            cap_usd: US dollars with at most six decimals; null removes the cap.

        Returns:
            `cap_usd`, `spent_usd`.
        """
        return self._svc.call(
            "PUT",
            "/api/billing/payg-cap",
            body={"cap_usd": cap_usd},
            result=PaygCap,
            repeatable=True,
        )

    def usage_history(self, *, months: int = OMIT) -> UsageHistory:
        """List the usage of the last months.

        Args:
            months: Number of months with this one. Default: `12`.

        Returns:
            `months`.
        """
        return self._svc.call(
            "GET",
            "/api/billing/usage/history",
            query={"months": months},
            result=UsageHistory,
            repeatable=True,
        )

    def checkout(
        self,
        *,
        return_to: Literal["pricing", "console"] = OMIT,
        tier: Literal["awakened", "conscious", "payg"] = OMIT,
        credits_usd: float = OMIT,
    ) -> PaymentPage:
        """Create a payment page for a subscription or for credits.

        Args:
            return_to: The page that the payment page leads back to: `/pricing` or `/app/usage`.
                Default: `"pricing"`.
            tier: The tier to subscribe to, or `payg` together with `credits_usd` to pay as you go.
            credits_usd: The amount of credits to buy, in US dollars with at most two decimals.

        Returns:
            `url`.

        Raises:
            Conflict: `tier_granted_by_admin`.
            Conflict: `already_subscribed`.
            Conflict: `tier_not_sold`.
            ServerError: `payment_provider_failed`.
            Unavailable: `payments_not_configured`.
        """
        return self._svc.call(
            "POST",
            "/api/billing/checkout",
            query={"return_to": return_to},
            body={"tier": tier, "credits_usd": credits_usd},
            result=PaymentPage,
        )

    def portal(self, *, return_to: Literal["pricing", "console"] = OMIT) -> PaymentPage:
        """Create a page to change or cancel the subscription.

        Args:
            return_to: The page that the payment page leads back to: `/pricing` or `/app/usage`.
                Default: `"pricing"`.

        Returns:
            `url`.

        Raises:
            Conflict: `nothing_paid_yet`: There is no subscription to change: you have not paid for
                anything yet.
            ServerError: `payment_provider_failed`.
            Unavailable: `payments_not_configured`.
        """
        return self._svc.call(
            "POST",
            "/api/billing/portal",
            query={"return_to": return_to},
            result=PaymentPage,
        )


class MemoriesCalls(_Calls):
    def delete_memory(self, memory_id: str, *, permanent: bool = OMIT) -> None:
        """Delete a memory; it can be restored for 30 days.

        Args:
            permanent: Delete it immediately and permanently, instead of keeping it for 30 days.
                Default: `False`.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/memories/{memory_id}", memory_id=memory_id),
            query={"permanent": permanent},
            repeatable=True,
        )

    def get_memory(self, memory_id: str, *, deleted: bool = OMIT) -> Memory:
        """Get a memory.

        Args:
            deleted: Get a deleted memory that can be restored instead. Default: `False`.

        Returns:
            `memory_id`, `content_text`, `memory_type`, `importance`, `tags`, `thread`, `position`,
            `author`, and others.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/memories/{memory_id}", memory_id=memory_id),
            query={"deleted": deleted},
            result=Memory,
            repeatable=True,
        )

    def memory_history(self, memory_id: str) -> list[MemoryEvent]:
        """List the changes to a memory, oldest first; also for a deleted memory.

        Returns:
            A list of MemoryEvent.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/memories/{memory_id}/history", memory_id=memory_id),
            result=list,
            repeatable=True,
        )

    def remember(
        self,
        *,
        content: str,
        memory_type: MemoryType = OMIT,
        importance: float = OMIT,
        tags: list[str] = OMIT,
        thread: Optional[str] = OMIT,
        position: Optional[int] = OMIT,
        author: Optional[str] = OMIT,
        agent_slug: Optional[str] = OMIT,
        occurred_at: Optional[Time] = OMIT,
        metadata: dict[str, Any] = OMIT,
        supersedes: Optional[str] = OMIT,
    ) -> Remembered:
        """Store a memory; the same content in the same thread is stored once.

        Args:
            content: The text to remember.
            memory_type: `semantic`: a fact; `episodic`: an event; `procedural`: how something is
                done; `preference`: a like or dislike. Default: `"semantic"`.
            importance: How important the memory is, from 0 to 1. Default: `0.5`.
            tags: Labels that recall can filter by. They are compared without regard to case, blanks
                and invisible characters. Default: `[]`.
            thread: The conversation or document that the memory belongs to.
            position: The position in the thread, for memories stored out of order. Default: after
                the last one.
            author: The person who said or wrote it.
            agent_slug: The agent that the memory belongs to.
            occurred_at: When it happened. Default: now.
            metadata: Any JSON object of up to 65,536 characters. It is stored unchanged. Default:
                `{}`.
            supersedes: The memory that this one replaces. It is kept, and recall with `as_of` still
                finds it.

        Returns:
            `memory_id`, `content_text`, `memory_type`, `importance`, `tags`, `thread`, `position`,
            `author`, and others.

        Raises:
            Forbidden: `superseded_is_trusted`: The memory to supersede is trusted more than the one
                that is to replace it; only its user can do this.
            NotFound: `superseded_not_found`: The memory to supersede does not exist.
            Conflict: `superseded_twice`: The memory to supersede was superseded already.
            Conflict: `supersedes_itself`: A memory cannot supersede itself.
        """
        return self._svc.call(
            "POST",
            "/api/remember",
            body={
                "content": content,
                "memory_type": memory_type,
                "importance": importance,
                "tags": tags,
                "thread": thread,
                "position": position,
                "author": author,
                "agent_slug": agent_slug,
                "occurred_at": occurred_at,
                "metadata": metadata,
                "supersedes": supersedes,
            },
            result=Remembered,
            repeatable=not _supersedes(supersedes),
        )

    def remember_batch(self, *, memories: list[Remember]) -> RememberedBatch:
        """Store up to 1,000 memories, all or none.

        Returns:
            `memories`, `count`.

        Raises:
            Forbidden: `superseded_is_trusted`: The memory to supersede is trusted more than the one
                that is to replace it; only its user can do this.
            NotFound: `superseded_not_found`: The memory to supersede does not exist.
            Conflict: `superseded_twice`: The memory to supersede was superseded already.
            Conflict: `supersedes_itself`: A memory cannot supersede itself.
        """
        return self._svc.call(
            "POST",
            "/api/remember/batch",
            body={"memories": memories},
            result=RememberedBatch,
            repeatable=not _supersedes(memories),
        )

    def restore_memory(self, memory_id: str) -> Memory:
        """Restore a memory that was deleted in the last 30 days, or was superseded.

        Returns:
            `memory_id`, `content_text`, `memory_type`, `importance`, `tags`, `thread`, `position`,
            `author`, and others.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
            Conflict: `memory_duplicate`: The same content is remembered already.
        """
        return self._svc.call(
            "POST",
            _path("/api/memories/{memory_id}/restore", memory_id=memory_id),
            result=Memory,
            repeatable=True,
        )

    def update_memory(
        self,
        memory_id: str,
        *,
        content: str = OMIT,
        memory_type: MemoryType = OMIT,
        importance: float = OMIT,
        tags: list[str] = OMIT,
        thread: Optional[str] = OMIT,
        position: Optional[int] = OMIT,
        author: Optional[str] = OMIT,
        agent_slug: Optional[str] = OMIT,
        occurred_at: Optional[Time] = OMIT,
        metadata: dict[str, Any] = OMIT,
        supersedes: str = OMIT,
    ) -> Memory:
        """Update a memory; earlier versions stay in its history.

        Args:
            content: The text to remember.
            memory_type: `semantic`: a fact; `episodic`: an event; `procedural`: how something is
                done; `preference`: a like or dislike.
            importance: How important the memory is, from 0 to 1.
            tags: Labels that recall can filter by. They are compared without regard to case, blanks
                and invisible characters.
            thread: The conversation or document that the memory belongs to.
            position: The position in the thread, for memories stored out of order. Default: after
                the last one.
            author: The person who said or wrote it.
            agent_slug: The agent that the memory belongs to.
            occurred_at: When it happened. Default: now.
            metadata: Any JSON object of up to 65,536 characters. It is stored unchanged.
            supersedes: The memory that this one replaces. It is kept, and recall with `as_of` still
                finds it. This cannot be undone.

        Returns:
            `memory_id`, `content_text`, `memory_type`, `importance`, `tags`, `thread`, `position`,
            `author`, and others.

        Raises:
            Forbidden: `superseded_is_trusted`: The memory to supersede is trusted more than the one
                that is to replace it; only its user can do this.
            NotFound: `memory_not_found`: Memory not found.
            NotFound: `superseded_not_found`: The memory to supersede does not exist.
            Conflict: `memory_superseded`: The memory is superseded; change the memory in
                superseded_by.
            Conflict: `memory_duplicate`: The same content is remembered already.
            Conflict: `superseded_twice`: The memory to supersede was superseded already.
            Conflict: `supersedes_itself`: A memory cannot supersede itself.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/memories/{memory_id}", memory_id=memory_id),
            body={
                "content": content,
                "memory_type": memory_type,
                "importance": importance,
                "tags": tags,
                "thread": thread,
                "position": position,
                "author": author,
                "agent_slug": agent_slug,
                "occurred_at": occurred_at,
                "metadata": metadata,
                "supersedes": supersedes,
            },
            result=Memory,
        )

    def forget_matching(
        self,
        *,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        all: bool = OMIT,
        expected: int = OMIT,
        dry_run: bool = OMIT,
    ) -> ForgottenMemories:
        """Delete all memories that match a filter; they can be restored for 30 days.

        Args:
            memory_type: `semantic`: a fact; `episodic`: an event; `procedural`: how something is
                done; `preference`: a like or dislike.
            tag: Only memories with this tag.
            tags: Only memories that have all of these tags.
            author: Only memories by this author.
            agent_slug: Only memories of this agent.
            client: Only memories captured from this assistant.
            trust: Only memories that are trusted exactly so much.
            min_trust: Only memories that are trusted at least so much.
            since: Only memories of events at or after this time.
            until: Only memories of events before this time.
            all: Required to delete all memories, without a filter. Default: `False`.
            expected: How many are to be deleted; 409 if another number matches now.
            dry_run: Counts them, and deletes none. Default: `False`.

        Returns:
            `count`, `deleted_since`.

        Raises:
            Conflict: `other_memories_match`.
            InvalidInput: `filter_missing`.
        """
        return self._svc.call(
            "POST",
            "/api/memories/forget",
            body={
                "thread": thread,
                "memory_type": memory_type,
                "tag": tag,
                "tags": tags,
                "author": author,
                "agent_slug": agent_slug,
                "client": client,
                "trust": trust,
                "min_trust": min_trust,
                "since": since,
                "until": until,
                "all": all,
                "expected": expected,
                "dry_run": dry_run,
            },
            result=ForgottenMemories,
        )

    def restore_matching(
        self,
        *,
        deleted_since: Time,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
    ) -> RestoredMemories:
        """Restore the memories that match a filter and were deleted at a time or later.

        Args:
            deleted_since: Only memories deleted at this time or later.
            memory_type: `semantic`: a fact; `episodic`: an event; `procedural`: how something is
                done; `preference`: a like or dislike.
            tag: Only memories with this tag.
            tags: Only memories that have all of these tags.
            author: Only memories by this author.
            agent_slug: Only memories of this agent.
            client: Only memories captured from this assistant.
            trust: Only memories that are trusted exactly so much.
            min_trust: Only memories that are trusted at least so much.
            since: Only memories of events at or after this time.
            until: Only memories of events before this time.

        Returns:
            `count`.
        """
        return self._svc.call(
            "POST",
            "/api/memories/restore",
            body={
                "deleted_since": deleted_since,
                "thread": thread,
                "memory_type": memory_type,
                "tag": tag,
                "tags": tags,
                "author": author,
                "agent_slug": agent_slug,
                "client": client,
                "trust": trust,
                "min_trust": min_trust,
                "since": since,
                "until": until,
            },
            result=RestoredMemories,
        )

    def complete_memory_field(
        self,
        *,
        field: Literal["thread", "tag", "author", "memory_id"],
        prefix: str = OMIT,
        limit: int = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
    ) -> MemoryValues:
        """Complete the beginning of a thread, tag, author or id by the caller’s memories, in any
        case of letters. Tags and authors are those of the newest 20,000 memories.

        Args:
            prefix: Empty: all values. Default: `""`.
            limit: Maximum number of results. Default: `20`.
            min_trust: Only memories that are trusted at least so much.

        Returns:
            `values`, `has_more`.
        """
        return self._svc.call(
            "GET",
            "/api/memories/values",
            query={"field": field, "prefix": prefix, "limit": limit, "min_trust": min_trust},
            result=MemoryValues,
            repeatable=True,
        )

    def list_memories(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
        sort: Literal["stored", "happened"] = OMIT,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        deleted: bool = OMIT,
    ) -> MemoryList:
        """List the caller’s memories, newest first.

        Args:
            limit: Maximum number of results. Default: `50`.
            cursor: The `next_cursor` of the previous page.
            sort: `stored`: the last stored first; `happened`: the last event first. Default:
                `"stored"`.
            memory_type: `semantic`: a fact; `episodic`: an event; `procedural`: how something is
                done; `preference`: a like or dislike.
            tag: Only memories with this tag.
            tags: Only memories that have all of these tags.
            author: Only memories by this author.
            agent_slug: Only memories of this agent.
            client: Only memories captured from this assistant.
            trust: Only memories that are trusted exactly so much.
            min_trust: Only memories that are trusted at least so much.
            since: Only memories of events at or after this time.
            until: Only memories of events before this time.
            deleted: The deleted memories that can be restored instead. Default: `False`.

        Returns:
            `memories`, `next_cursor`.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "GET",
            "/api/memories",
            query={
                "limit": limit,
                "cursor": cursor,
                "sort": sort,
                "thread": thread,
                "memory_type": memory_type,
                "tag": tag,
                "tags": tags,
                "author": author,
                "agent_slug": agent_slug,
                "client": client,
                "trust": trust,
                "min_trust": min_trust,
                "since": since,
                "until": until,
                "deleted": deleted,
            },
            result=MemoryList,
            repeatable=True,
        )

    def list_memories_all(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
        sort: Literal["stored", "happened"] = OMIT,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        deleted: bool = OMIT,
    ) -> Iterator[Memory]:
        """List the caller’s memories, newest first: the items of all pages.

        It has the arguments of `list_memories`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_memories(
                limit=limit,
                cursor=position,
                sort=sort,
                thread=thread,
                memory_type=memory_type,
                tag=tag,
                tags=tags,
                author=author,
                agent_slug=agent_slug,
                client=client,
                trust=trust,
                min_trust=min_trust,
                since=since,
                until=until,
                deleted=deleted,
            ),
            cursor,
            lambda page: page["memories"],
            lambda page: page["next_cursor"],
        )

    def memory_changes(self, *, cursor: str = OMIT) -> MemoryChanges:
        """Get the memories that changed since an earlier request, up to 63 changes.

        Args:
            cursor: The `next_cursor` of an earlier response. Without one, `reset` is true.

        Returns:
            `reset`, `memories`, `deleted`, `next_cursor`.
        """
        return self._svc.call(
            "GET",
            "/api/memories/changes",
            query={"cursor": cursor},
            result=MemoryChanges,
            repeatable=True,
        )

    def memory_facets(
        self,
        *,
        limit: int = OMIT,
        thread: str = OMIT,
        memory_type: MemoryType = OMIT,
        tag: str = OMIT,
        tags: list[str] = OMIT,
        author: str = OMIT,
        agent_slug: str = OMIT,
        client: str = OMIT,
        trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        min_trust: Literal["user", "assistant", "imported", "external"] = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        deleted: bool = OMIT,
    ) -> MemoryFacets:
        """Count the caller’s memories, in all and by each value that they can be listed by.

        Args:
            limit: Maximum number of results. Default: `20`.
            memory_type: `semantic`: a fact; `episodic`: an event; `procedural`: how something is
                done; `preference`: a like or dislike.
            tag: Only memories with this tag.
            tags: Only memories that have all of these tags.
            author: Only memories by this author.
            agent_slug: Only memories of this agent.
            client: Only memories captured from this assistant.
            trust: Only memories that are trusted exactly so much.
            min_trust: Only memories that are trusted at least so much.
            since: Only memories of events at or after this time.
            until: Only memories of events before this time.
            deleted: The deleted memories that can be restored instead. Default: `False`.

        Returns:
            `total`, `memory_type`, `trust`, `tag`, `author`, `thread`, `agent_slug`, `client`.
        """
        return self._svc.call(
            "GET",
            "/api/memories/facets",
            query={
                "limit": limit,
                "thread": thread,
                "memory_type": memory_type,
                "tag": tag,
                "tags": tags,
                "author": author,
                "agent_slug": agent_slug,
                "client": client,
                "trust": trust,
                "min_trust": min_trust,
                "since": since,
                "until": until,
                "deleted": deleted,
            },
            result=MemoryFacets,
            repeatable=True,
        )

    def recall(
        self,
        *,
        query: str,
        limit: int = OMIT,
        format: Optional[Literal["json", "text"]] = OMIT,
        max_tokens: Optional[int] = OMIT,
        memory_type: Optional[MemoryType] = OMIT,
        tag: Optional[str] = OMIT,
        tags: Optional[list[str]] = OMIT,
        thread: Optional[str] = OMIT,
        author: Optional[str] = OMIT,
        agent_slug: Optional[str] = OMIT,
        scope: Optional[ScopeMode] = OMIT,
        since: Optional[Time] = OMIT,
        until: Optional[Time] = OMIT,
        as_of: Optional[Time] = OMIT,
        min_trust: Optional[Trust] = OMIT,
        explain: bool = OMIT,
    ) -> RecallResult:
        """Find the memories that best answer a question, best first.

        Args:
            query: A question or keywords.
            limit: Maximum number of results. Default: 10, with `max_tokens` 100.
            format: `json` returns the memories; `text` returns them as one compact text for a
                model, and `memories` is empty. Default: `json`.
            max_tokens: The budget of the results, in tokens, estimated on the safe side. Default:
                none, for a text 4000.
            memory_type: Only memories of this type.
            tag: Only memories with this tag.
            tags: Only memories that have all of these tags.
            thread: Only memories of this conversation or document.
            author: Only memories by this author.
            agent_slug: Only memories of this agent.
            scope: The memories to search: `tiered` ranks those of the agent first, then the user’s,
                then the organization’s; `agent`, `personal` and `org` search only one of these;
                `all` ranks all of them by score. Default: the user’s memories, or those of the
                organization that the user acts in.
            since: Only memories of events at or after this time.
            until: Only memories of events before this time.
            as_of: Only memories that were valid at this time, including those superseded since.
            min_trust: Only memories that are trusted at least so much.
            explain: Return the parts of each score. Default: `False`.

        Returns:
            `memories`, `count`, `text`, `memory_ids`, `tokens`.
        """
        return self._svc.call(
            "POST",
            "/api/recall",
            body={
                "query": query,
                "limit": limit,
                "format": format,
                "max_tokens": max_tokens,
                "memory_type": memory_type,
                "tag": tag,
                "tags": tags,
                "thread": thread,
                "author": author,
                "agent_slug": agent_slug,
                "scope": scope,
                "since": since,
                "until": until,
                "as_of": as_of,
                "min_trust": min_trust,
                "explain": explain,
            },
            result=RecallResult,
            repeatable=True,
        )

    def context(
        self,
        *,
        query: str,
        thread: Optional[str] = OMIT,
        session: Optional[str] = OMIT,
        compacted: bool = OMIT,
        max_tokens: int = OMIT,
        project: Optional[str] = OMIT,
        min_trust: Optional[Trust] = OMIT,
    ) -> ContextResult:
        """Get what a model should know before it answers a message.

        Args:
            query: The message that a model is about to answer.
            thread: The thread of the conversation. Its memories are left out.
            session: The conversation that the text is for. Each memory is returned once for it, and
                what identifies the user and the project with the first message. Default: nothing is
                left out.
            compacted: Whether the conversation was compacted or cleared since the last request: its
                model no longer has what it was given, so that nothing counts as returned before.
            max_tokens: The budget of the text, in tokens, estimated on the safe side. Default:
                `600`.
            project: The project of the conversation, from the git remote or the folder.
            min_trust: Only memories that are trusted at least so much.

        Returns:
            `text`, `memories`, `tokens`.
        """
        return self._svc.call(
            "POST",
            "/api/context",
            body={
                "query": query,
                "thread": thread,
                "session": session,
                "compacted": compacted,
                "max_tokens": max_tokens,
                "project": project,
                "min_trust": min_trust,
            },
            result=ContextResult,
            repeatable=True,
        )

    def export_memories(self) -> Stream[ExportedMemory]:
        """Export all of the caller’s memories as NDJSON, oldest first.

        Returns:
            The values, as they arrive.
        """
        return self._svc.call(
            "GET",
            "/api/memories/export",
            stream="application/x-ndjson",
            repeatable=True,
        )

    def import_memories(self, file: FileInput, *, format: ImportFormat = OMIT) -> ImportReport:
        """Import memories from a file: an export of svc, ChatGPT, Claude, mem0 or the MCP memory
        server.

        Args:
            file: The content, a path, or a file that is open for reading bytes.
            format: The source of the file; `auto` detects it for each record. Default: `"auto"`.

        Returns:
            `imported`, `deduplicated`, `failed_count`, `failed`, `trust_lowered`.
        """
        return self._svc.call(
            "POST",
            "/api/memories/import",
            query={"format": format},
            file=file,
            result=ImportReport,
        )

    def memory_facts(self, memory_id: str) -> MemoryFacts:
        """List the facts extracted from a memory: names, homes, work, preferences, dates,
        relations, reminders.

        Returns:
            `facts`, `pending`.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/memories/{memory_id}/facts", memory_id=memory_id),
            result=MemoryFacts,
            repeatable=True,
        )

    def add_feedback(self, memory_id: str, *, question: str) -> MemoryMark:
        """Mark a memory as not relevant to a question: it scores less for this and similar
        questions. The same mark again is returned as it is.

        Args:
            question: The question that it was recalled for. The first 2000 characters are kept.

        Returns:
            `feedback_id`, `memory_id`, `question`, `created_at`.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/memories/{memory_id}/feedback", memory_id=memory_id),
            body={"question": question},
            result=MemoryMark,
        )

    def list_feedback(self, memory_id: str) -> MemoryMarks:
        """List the questions that a memory is marked as not relevant to.

        Returns:
            `feedback`.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/memories/{memory_id}/feedback", memory_id=memory_id),
            result=MemoryMarks,
            repeatable=True,
        )

    def remove_feedback(self, memory_id: str, feedback_id: str) -> None:
        """Remove such a mark.

        Raises:
            NotFound: `feedback_not_found`: No such mark of this memory.
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "DELETE",
            _path(
                "/api/memories/{memory_id}/feedback/{feedback_id}",
                memory_id=memory_id, feedback_id=feedback_id,
            ),
            repeatable=True,
        )

    def related_memories(self, memory_id: str, *, neighbors: int = OMIT) -> RelatedMemories:
        """Get the neighbors of a memory in its thread, its links and its other versions.

        Args:
            neighbors: Maximum number of memories before and after it in its thread. Default: `3`.

        Returns:
            `before`, `after`, `links`, `earlier_versions`, `later_versions`.

        Raises:
            NotFound: `memory_not_found`: Memory not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/memories/{memory_id}/related", memory_id=memory_id),
            query={"neighbors": neighbors},
            result=RelatedMemories,
            repeatable=True,
        )


class CapturesCalls(_Calls):
    def capture(
        self,
        *,
        client: str,
        channel: Literal["hook", "proxy", "import"],
        session: str,
        messages: list[CapturedMessage],
        project: Optional[str] = OMIT,
    ) -> Captured:
        """Store turns of a conversation with an assistant, each once.

        Args:
            client: The assistant or program that the conversation is held with.
            channel: `hook`: taken while the person talks; `proxy`: from requests to a model;
                `import`: read from a transcript.
            session: The id of the conversation in that program. A resumed conversation has the same
                one.
            project: The project of the conversation, from the git remote or the folder.

        Returns:
            `memories`, `count`.
        """
        return self._svc.call(
            "POST",
            "/api/captures",
            body={
                "client": client,
                "channel": channel,
                "session": session,
                "messages": messages,
                "project": project,
            },
            result=Captured,
            repeatable=True,
        )

    def delete_capture(self, *, client: str, session: str) -> DeleteCaptureResponse:
        """Delete the memories of a captured conversation; restorable for 30 days.

        Args:
            client: The assistant or program that the conversation is held with.
            session: The id of the conversation in that program. A resumed conversation has the same
                one.

        Returns:
            `deleted`, `deleted_since`.

        Raises:
            NotFound: `capture_not_found`: No conversation was captured under that session.
        """
        return self._svc.call(
            "DELETE",
            "/api/captures",
            query={"client": client, "session": session},
            result=DeleteCaptureResponse,
            repeatable=True,
        )

    def list_captures(
        self,
        *,
        client: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> ListCapturesResponse:
        """List the conversations that were captured, newest first.

        Args:
            client: Only those of this assistant.
            limit: Maximum number of results. Default: `20`.
            cursor: `next_cursor` of the page before.

        Returns:
            `sessions`, `next_cursor`.

        Raises:
            InvalidInput: `invalid_cursor`.
        """
        return self._svc.call(
            "GET",
            "/api/captures",
            query={"client": client, "limit": limit, "cursor": cursor},
            result=ListCapturesResponse,
            repeatable=True,
        )

    def list_captures_all(
        self,
        *,
        client: str = OMIT,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> Iterator[CaptureSession]:
        """List the conversations that were captured, newest first: the items of all pages.

        It has the arguments of `list_captures`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_captures(client=client, limit=limit, cursor=position),
            cursor,
            lambda page: page["sessions"],
            lambda page: page["next_cursor"],
        )

    def restore_capture(
        self,
        *,
        client: str,
        session: str,
        deleted_since: Optional[Time] = OMIT,
    ) -> RestoreCaptureResponse:
        """Restore the deleted memories of a captured conversation.

        Args:
            client: The assistant or program that the conversation is held with.
            session: The id of the conversation in that program. A resumed conversation has the same
                one.
            deleted_since: Only memories that were deleted at this time or later: that of a
                deletion, to undo it alone. Default: all.

        Returns:
            `restored`.

        Raises:
            NotFound: `capture_not_found`: No conversation was captured under that session.
        """
        return self._svc.call(
            "POST",
            "/api/captures/restore",
            body={"client": client, "session": session, "deleted_since": deleted_since},
            result=RestoreCaptureResponse,
        )


class IdentityCalls(_Calls):
    def list_anchors(self) -> Anchors:
        """List the caller’s identity anchors (name, home, work and more) with earlier values.

        Returns:
            `anchors`.
        """
        return self._svc.call("GET", "/api/identity/anchors", result=Anchors, repeatable=True)

    def list_conflicts(self) -> IdentityConflicts:
        """List contradictions between memories about the caller.

        Returns:
            `conflicts`.
        """
        return self._svc.call(
            "GET",
            "/api/identity/conflicts",
            result=IdentityConflicts,
            repeatable=True,
        )

    def resolve_conflict(self, *, anchor_key: str, chosen_value: Any) -> None:
        """Resolve a contradiction by choosing a value; memories with other values are
        superseded.

        Args:
            chosen_value: One of the values or a new one: a string of up to 200 characters, or a
                number.

        Raises:
            NotFound: `conflict_not_found`: No conflict under that key.
            Conflict: `conflict_memories_changed`: The memories of the conflict changed meanwhile;
                try again.
        """
        return self._svc.call(
            "POST",
            "/api/identity/resolve-conflict/commit",
            body={"anchor_key": anchor_key, "chosen_value": chosen_value},
        )


class IntrospectionCalls(_Calls):
    def bridge_memories(self, *, limit: int = OMIT) -> BridgeMemories:
        """List the memories that connect otherwise distant memories (betweenness centrality).

        The email address of the user must be verified.

        Args:
            limit: Maximum number of results. Default: `10`.

        Returns:
            `user_id`, `bridge_memories`, `total`.
        """
        return self._svc.call(
            "GET",
            "/api/introspect/bridge-memories",
            query={"limit": limit},
            result=BridgeMemories,
            repeatable=True,
        )

    def memory_graph(self, *, limit: int = OMIT) -> MemoryGraph:
        """Get the memory graph for display: the most central and the latest memories.

        The email address of the user must be verified.

        Args:
            limit: Maximum number of memories. Default: `200`.

        Returns:
            `nodes`, `edges`, `node_count`, `edge_count`, `is_sampled`, `computed_at`.
        """
        return self._svc.call(
            "GET",
            "/api/introspect/graph",
            query={"limit": limit},
            result=MemoryGraph,
            repeatable=True,
        )

    def memory_statistics(self) -> MemoryStatistics:
        """Get statistics about the caller’s memories.

        The email address of the user must be verified.

        Returns:
            `memories`, `threads`, `authors`, `tags`, `facts`, `links`, `engines`.
        """
        return self._svc.call(
            "GET",
            "/api/introspect/stats",
            result=MemoryStatistics,
            repeatable=True,
        )


class ProactiveCalls(_Calls):
    def give_feedback(
        self,
        *,
        intent_id: str,
        feedback: Literal["thumbs_up", "thumbs_down", "dismiss", "snooze"],
    ) -> dict[str, Any]:
        """Dismiss, snooze or rate a topic.

        The email address of the user must be verified.

        Raises:
            NotFound: `intent_not_found`: Intent not found.
        """
        return self._svc.call(
            "POST",
            "/api/proactive/feedback",
            body={"intent_id": intent_id, "feedback": feedback},
            result=dict,
        )

    def list_proactive_intents(self, *, limit: int = OMIT) -> list[ProactiveIntent]:
        """List topics to bring up: due reminders, conflicts and open questions.

        The email address of the user must be verified.

        Args:
            limit: Maximum number of results. Default: `20`.

        Returns:
            A list of ProactiveIntent.
        """
        return self._svc.call(
            "GET",
            "/api/proactive/intents",
            query={"limit": limit},
            result=list,
            repeatable=True,
        )

    def list_upcoming_reminders(self, *, limit: int = OMIT) -> list[UpcomingReminder]:
        """List the reminders that are not due yet, next first.

        The email address of the user must be verified.

        Args:
            limit: Maximum number of results. Default: `20`.

        Returns:
            A list of UpcomingReminder.
        """
        return self._svc.call(
            "GET",
            "/api/proactive/upcoming",
            query={"limit": limit},
            result=list,
            repeatable=True,
        )


class SensesCalls(_Calls):
    def create_sense_device(
        self,
        *,
        device_name: str,
        capabilities: Optional[list[str]] = OMIT,
        metadata: Optional[dict[str, Any]] = OMIT,
    ) -> SenseDevice:
        """Create a device.

        The email address of the user must be verified.

        Args:
            capabilities: What the device can measure or report, in free text.
            metadata: Any JSON object of at most 16,384 characters.

        Returns:
            `device_id`, `device_name`, `capabilities`, `metadata`, `last_signal_at`, `created_at`,
            `updated_at`.

        Raises:
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            "/api/senses/devices",
            body={
                "device_name": device_name,
                "capabilities": capabilities,
                "metadata": metadata,
            },
            result=SenseDevice,
        )

    def delete_sense_device(self, device_id: str) -> None:
        """Delete a device and its signals.

        The email address of the user must be verified.

        Raises:
            NotFound: `device_not_found`: Device not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/senses/devices/{device_id}", device_id=device_id),
            repeatable=True,
        )

    def get_sense_device(self, device_id: str) -> SenseDevice:
        """Get a device.

        The email address of the user must be verified.

        Returns:
            `device_id`, `device_name`, `capabilities`, `metadata`, `last_signal_at`, `created_at`,
            `updated_at`.

        Raises:
            NotFound: `device_not_found`: Device not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/senses/devices/{device_id}", device_id=device_id),
            result=SenseDevice,
            repeatable=True,
        )

    def list_sense_devices(self) -> list[SenseDevice]:
        """List the devices that send signals to the caller’s reflexes.

        The email address of the user must be verified.

        Returns:
            A list of SenseDevice.
        """
        return self._svc.call("GET", "/api/senses/devices", result=list, repeatable=True)

    def list_signals(
        self,
        device_id: str,
        *,
        limit: int = OMIT,
        before: str = OMIT,
        signal_type: SignalType = OMIT,
    ) -> list[Signal]:
        """List the signals of a device, newest first.

        The email address of the user must be verified.

        Args:
            limit: Maximum number of results. Default: `50`.
            before: The last signal of the previous page.

        Returns:
            A list of Signal.

        Raises:
            NotFound: `device_not_found`: Device not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/senses/devices/{device_id}/signals", device_id=device_id),
            query={"limit": limit, "before": before, "signal_type": signal_type},
            result=list,
            repeatable=True,
        )

    def list_signals_all(
        self,
        device_id: str,
        *,
        limit: int = OMIT,
        before: str = OMIT,
        signal_type: SignalType = OMIT,
    ) -> Iterator[Signal]:
        """List the signals of a device, newest first: the items of all pages.

        It has the arguments of `list_signals`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_signals(
                device_id,
                limit=limit,
                before=position,
                signal_type=signal_type,
            ),
            before,
            lambda page: page,
            lambda page: page[-1]["signal_id"] if page else None,
        )

    def send_signal(
        self,
        device_id: str,
        *,
        signal_type: SignalType,
        value: Any,
        occurred_at: Optional[Time] = OMIT,
    ) -> ReceivedSignal:
        """Send a signal of a device; matching reflexes fire.

        The email address of the user must be verified.

        Args:
            value: A number, boolean, string or object, depending on the signal type.
            occurred_at: When it was measured. Default: now. A repeated signal with the same time is
                stored once.

        Returns:
            `signal_id`, `device_id`, `signal_type`, `value`, `occurred_at`, `received_at`,
            `deduplicated`.

        Raises:
            NotFound: `device_not_found`: Device not found.
            Conflict: `handler_disabled`.
        """
        return self._svc.call(
            "POST",
            _path("/api/senses/devices/{device_id}/signals", device_id=device_id),
            body={"signal_type": signal_type, "value": value, "occurred_at": occurred_at},
            result=ReceivedSignal,
        )

    def update_sense_device(
        self,
        device_id: str,
        *,
        device_name: Optional[str] = OMIT,
        capabilities: Optional[list[str]] = OMIT,
        metadata: Optional[dict[str, Any]] = OMIT,
    ) -> dict[str, Any]:
        """Update a device; null or omitted fields keep their value.

        The email address of the user must be verified.

        Args:
            capabilities: What the device can measure or report, in free text.
            metadata: Any JSON object of at most 16,384 characters.

        Raises:
            NotFound: `device_not_found`: Device not found.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/senses/devices/{device_id}", device_id=device_id),
            body={
                "device_name": device_name,
                "capabilities": capabilities,
                "metadata": metadata,
            },
            result=dict,
        )


class ReflexesCalls(_Calls):
    def create_reflex(
        self,
        *,
        name: str,
        trigger: Union[
            CreateReflexTriggerSignal,
            CreateReflexTriggerSchedule,
            CreateReflexTriggerMemory,
            CreateReflexTriggerMessage,
        ],
        action: Union[
            CreateReflexActionNotify,
            CreateReflexActionRemember,
            CreateReflexActionWebhook,
        ],
        conditions: list[CreateReflexConditions] = OMIT,
        confirm: bool = OMIT,
        enabled: bool = OMIT,
    ) -> ReflexWithSecret:
        """Create a reflex: an action that runs on a signal, a schedule, a memory or a message.

        The email address of the user must be verified.

        Args:
            conditions: All conditions must be met. Default: `[]`.
            confirm: Whether the user must confirm each firing. Default: `False`.
            enabled: Default: `True`.

        Returns:
            `reflex_id`, `name`, `trigger`, `conditions`, `action`, `confirm`, `enabled`,
            `disabled_reason`, and others.

        Raises:
            Forbidden: `feature_gate_denied`.
            Conflict: `cap_reached`.
            Conflict: `handler_disabled`.
        """
        return self._svc.call(
            "POST",
            "/api/reflexes",
            body={
                "name": name,
                "trigger": trigger,
                "action": action,
                "conditions": conditions,
                "confirm": confirm,
                "enabled": enabled,
            },
            result=ReflexWithSecret,
        )

    def delete_reflex(self, reflex_id: str) -> None:
        """Delete a reflex and its firings.

        The email address of the user must be verified.

        Raises:
            NotFound: `reflex_not_found`: Reflex not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/reflexes/{reflex_id}", reflex_id=reflex_id),
            repeatable=True,
        )

    def get_reflex(self, reflex_id: str) -> Reflex:
        """Get a reflex.

        The email address of the user must be verified.

        Returns:
            `reflex_id`, `name`, `trigger`, `conditions`, `action`, `confirm`, `enabled`,
            `disabled_reason`, and others.

        Raises:
            NotFound: `reflex_not_found`: Reflex not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/reflexes/{reflex_id}", reflex_id=reflex_id),
            result=Reflex,
            repeatable=True,
        )

    def list_firings(
        self,
        reflex_id: str,
        *,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> list[Firing]:
        """List the firings of a reflex with their outcomes, newest first.

        The email address of the user must be verified.

        Args:
            limit: Maximum number of results. Default: `50`.
            before: The last firing of the previous page.

        Returns:
            A list of Firing.

        Raises:
            NotFound: `reflex_not_found`: Reflex not found.
            NotFound: `firing_not_found`: Firing not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/reflexes/{reflex_id}/firings", reflex_id=reflex_id),
            query={"limit": limit, "before": before},
            result=list,
            repeatable=True,
        )

    def list_firings_all(
        self,
        reflex_id: str,
        *,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> Iterator[Firing]:
        """List the firings of a reflex with their outcomes, newest first: the items of all
        pages.

        It has the arguments of `list_firings`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_firings(reflex_id, limit=limit, before=position),
            before,
            lambda page: page,
            lambda page: page[-1]["firing_id"] if page else None,
        )

    def list_reflexes(self) -> list[Reflex]:
        """List the caller’s reflexes.

        The email address of the user must be verified.

        Returns:
            A list of Reflex.
        """
        return self._svc.call("GET", "/api/reflexes", result=list, repeatable=True)

    def renew_webhook_secret(self, reflex_id: str) -> NewWebhookSecret:
        """Replace the webhook signing secret; the new one is returned once.

        The email address of the user must be verified.

        Returns:
            `webhook_secret`.

        Raises:
            NotFound: `reflex_not_found`: Reflex not found.
            Conflict: `reflex_without_webhook`: The reflex has no webhook.
        """
        return self._svc.call(
            "POST",
            _path("/api/reflexes/{reflex_id}/secret", reflex_id=reflex_id),
            result=NewWebhookSecret,
        )

    def test_reflex(self, reflex_id: str, *, event: FiringEvent) -> ReflexTest:
        """Evaluate a reflex with an event, without a firing or effects.

        The email address of the user must be verified.

        Returns:
            `fires`, `triggered`, `conditions`, `preview`.

        Raises:
            NotFound: `reflex_not_found`: Reflex not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/reflexes/{reflex_id}/test", reflex_id=reflex_id),
            body={"event": event},
            result=ReflexTest,
        )

    def update_reflex(
        self,
        reflex_id: str,
        *,
        name: str = OMIT,
        trigger: Union[
            CreateReflexTriggerSignal,
            CreateReflexTriggerSchedule,
            CreateReflexTriggerMemory,
            CreateReflexTriggerMessage,
        ] = OMIT,
        conditions: list[CreateReflexConditions] = OMIT,
        action: Union[
            CreateReflexActionNotify,
            CreateReflexActionRemember,
            CreateReflexActionWebhook,
        ] = OMIT,
        confirm: bool = OMIT,
        enabled: bool = OMIT,
        skip_always: bool = OMIT,
    ) -> ReflexWithSecret:
        """Update a reflex; omitted fields keep their value.

        The email address of the user must be verified.

        Args:
            conditions: All conditions must be met.
            confirm: Whether the user must confirm each firing.
            skip_always: False reverts the decision `skip_always`.

        Returns:
            `reflex_id`, `name`, `trigger`, `conditions`, `action`, `confirm`, `enabled`,
            `disabled_reason`, and others.

        Raises:
            Forbidden: `feature_gate_denied`.
            NotFound: `reflex_not_found`: Reflex not found.
            Conflict: `handler_disabled`.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/reflexes/{reflex_id}", reflex_id=reflex_id),
            body={
                "name": name,
                "trigger": trigger,
                "conditions": conditions,
                "action": action,
                "confirm": confirm,
                "enabled": enabled,
                "skip_always": skip_always,
            },
            result=ReflexWithSecret,
        )

    def decide_confirmation(
        self,
        intent_id: str,
        *,
        decision: Literal["fire", "skip_once", "skip_always"],
    ) -> dict[str, Any]:
        """Confirm a firing, skip it once, or always skip its reflex.

        The email address of the user must be verified.

        Raises:
            NotFound: `confirmation_not_found`: Confirmation not found.
            Conflict: `confirmation_already_decided`.
            Conflict: `confirmation_closed`: The confirmation is no longer open.
        """
        return self._svc.call(
            "POST",
            _path("/api/reflexes/confirmations/{intent_id}/decision", intent_id=intent_id),
            body={"decision": decision},
            result=dict,
        )

    def list_confirmations(self, *, limit: int = OMIT, before: str = OMIT) -> list[Confirmation]:
        """List the firings that wait for confirmation, newest first.

        The email address of the user must be verified.

        Args:
            limit: Maximum number of results. Default: `50`.
            before: The last confirmation of the previous page.

        Returns:
            A list of Confirmation.

        Raises:
            NotFound: `confirmation_not_found`: Confirmation not found.
        """
        return self._svc.call(
            "GET",
            "/api/reflexes/confirmations",
            query={"limit": limit, "before": before},
            result=list,
            repeatable=True,
        )

    def list_confirmations_all(
        self,
        *,
        limit: int = OMIT,
        before: str = OMIT,
    ) -> Iterator[Confirmation]:
        """List the firings that wait for confirmation, newest first: the items of all pages.

        It has the arguments of `list_confirmations`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_confirmations(limit=limit, before=position),
            before,
            lambda page: page,
            lambda page: page[-1]["intent_id"] if page else None,
        )


class ConversationsCalls(_Calls):
    def chat(
        self,
        *,
        message: str,
        provider: str = OMIT,
        file_ids: list[str] = OMIT,
        content_blocks: list[ContentBlock] = OMIT,
        tools: list[str] = OMIT,
        url_snapshot_hash: Optional[str] = OMIT,
        deep: bool = OMIT,
        depth: Optional[Depth] = OMIT,
        existing_reflex_id: Optional[str] = OMIT,
        geo_lat: Optional[float] = OMIT,
        geo_lon: Optional[float] = OMIT,
        session_id: Optional[str] = OMIT,
    ) -> ChatAnswer:
        """Send a message and get the complete answer.

        The email address of the user must be verified.

        Args:
            message: The text of the message. It may be empty if files or content blocks are
                attached.
            provider: The provider of the answer: `openrouter`, `openai`, `ollama` or `local`. If it
                is not configured, a configured one answers. Default: `"openrouter"`.
            file_ids: Uploaded files whose text or image is attached to the message. Default: `[]`.
            content_blocks: Further parts of the message. Default: `[]`.
            tools: The tools that the model may use: `recall`, `remember`, `fetch_url`. Other names
                are ignored. Default: `[]`.
            url_snapshot_hash: The `snapshot_hash` of a page read by `POST /api/url`; its text is
                attached to the message.
            deep: The same as `depth: deep`. Default: `False`.
            depth: How much is recalled, and how often. Default: `quick`.
            existing_reflex_id: The reflex that the message is about.
            geo_lat: The latitude of the user, in degrees north.
            geo_lon: The longitude of the user, in degrees east.
            session_id: Default: a new session.

        Returns:
            `session_id`, `message`, `memories`.

        Raises:
            Forbidden: `tier_insufficient`.
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `file_not_found`: File not found.
            NotFound: `attached_file_not_found`: File not found.
            NotFound: `attached_page_not_found`: Page not found.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
            ServerError: `model_failed`.
            Unavailable: `model_unavailable`.
            ServerError: `model_timed_out`.
        """
        return self._svc.call(
            "POST",
            "/api/chat",
            body={
                "message": message,
                "provider": provider,
                "file_ids": file_ids,
                "content_blocks": content_blocks,
                "tools": tools,
                "url_snapshot_hash": url_snapshot_hash,
                "deep": deep,
                "depth": depth,
                "existing_reflex_id": existing_reflex_id,
                "geo_lat": geo_lat,
                "geo_lon": geo_lon,
                "session_id": session_id,
            },
            result=ChatAnswer,
        )

    def chat_stream(
        self,
        *,
        message: str,
        provider: str = OMIT,
        file_ids: list[str] = OMIT,
        content_blocks: list[ContentBlock] = OMIT,
        tools: list[str] = OMIT,
        url_snapshot_hash: Optional[str] = OMIT,
        deep: bool = OMIT,
        depth: Optional[Depth] = OMIT,
        existing_reflex_id: Optional[str] = OMIT,
        geo_lat: Optional[float] = OMIT,
        geo_lon: Optional[float] = OMIT,
        session_id: Optional[str] = OMIT,
    ) -> Stream[ChatStreamEvent]:
        """Send a message and stream the answer.

        The email address of the user must be verified.

        Args:
            message: The text of the message. It may be empty if files or content blocks are
                attached.
            provider: The provider of the answer: `openrouter`, `openai`, `ollama` or `local`. If it
                is not configured, a configured one answers. Default: `"openrouter"`.
            file_ids: Uploaded files whose text or image is attached to the message. Default: `[]`.
            content_blocks: Further parts of the message. Default: `[]`.
            tools: The tools that the model may use: `recall`, `remember`, `fetch_url`. Other names
                are ignored. Default: `[]`.
            url_snapshot_hash: The `snapshot_hash` of a page read by `POST /api/url`; its text is
                attached to the message.
            deep: The same as `depth: deep`. Default: `False`.
            depth: How much is recalled, and how often. Default: `quick`.
            existing_reflex_id: The reflex that the message is about.
            geo_lat: The latitude of the user, in degrees north.
            geo_lon: The longitude of the user, in degrees east.
            session_id: Default: a new session.

        Returns:
            The events, as they arrive.

        Raises:
            Forbidden: `tier_insufficient`.
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `file_not_found`: File not found.
            NotFound: `attached_file_not_found`: File not found.
            NotFound: `attached_page_not_found`: Page not found.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
            ServerError: `model_failed`.
            Unavailable: `model_unavailable`.
            ServerError: `model_timed_out`.
        """
        return self._svc.call(
            "POST",
            "/api/chat/stream",
            body={
                "message": message,
                "provider": provider,
                "file_ids": file_ids,
                "content_blocks": content_blocks,
                "tools": tools,
                "url_snapshot_hash": url_snapshot_hash,
                "deep": deep,
                "depth": depth,
                "existing_reflex_id": existing_reflex_id,
                "geo_lat": geo_lat,
                "geo_lon": geo_lon,
                "session_id": session_id,
            },
            stream="text/event-stream",
            last="done",
        )

    def list_chat_models(self) -> ListChatModelsResponse:
        """List the models that can answer, by the `provider` that selects them.

        The email address of the user must be verified.

        Returns:
            `models`.
        """
        return self._svc.call(
            "GET",
            "/api/chat/models",
            result=ListChatModelsResponse,
            repeatable=True,
        )

    def regenerate(
        self,
        *,
        message: str,
        session_id: str,
        provider: str = OMIT,
        file_ids: list[str] = OMIT,
        content_blocks: list[ContentBlock] = OMIT,
        tools: list[str] = OMIT,
        url_snapshot_hash: Optional[str] = OMIT,
        deep: bool = OMIT,
        depth: Optional[Depth] = OMIT,
        existing_reflex_id: Optional[str] = OMIT,
        geo_lat: Optional[float] = OMIT,
        geo_lon: Optional[float] = OMIT,
    ) -> None:
        """Regenerate the last answer of a session; the old one is kept as a version.

        The email address of the user must be verified.

        Args:
            message: The text of the message. It may be empty if files or content blocks are
                attached.
            session_id: The session whose last answer is regenerated.
            provider: The provider of the answer: `openrouter`, `openai`, `ollama` or `local`. If it
                is not configured, a configured one answers. Default: `"openrouter"`.
            file_ids: Uploaded files whose text or image is attached to the message. Default: `[]`.
            content_blocks: Further parts of the message. Default: `[]`.
            tools: The tools that the model may use: `recall`, `remember`, `fetch_url`. Other names
                are ignored. Default: `[]`.
            url_snapshot_hash: The `snapshot_hash` of a page read by `POST /api/url`; its text is
                attached to the message.
            deep: The same as `depth: deep`. Default: `False`.
            depth: How much is recalled, and how often. Default: `quick`.
            existing_reflex_id: The reflex that the message is about.
            geo_lat: The latitude of the user, in degrees north.
            geo_lon: The longitude of the user, in degrees east.

        Raises:
            Forbidden: `tier_insufficient`.
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `file_not_found`: File not found.
            NotFound: `attached_file_not_found`: File not found.
            NotFound: `attached_page_not_found`: Page not found.
            Conflict: `nothing_to_regenerate`: This session has no question to answer again.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
            ServerError: `model_failed`.
            Unavailable: `model_unavailable`.
            ServerError: `model_timed_out`.
        """
        return self._svc.call(
            "POST",
            "/api/chat/regenerate",
            body={
                "message": message,
                "session_id": session_id,
                "provider": provider,
                "file_ids": file_ids,
                "content_blocks": content_blocks,
                "tools": tools,
                "url_snapshot_hash": url_snapshot_hash,
                "deep": deep,
                "depth": depth,
                "existing_reflex_id": existing_reflex_id,
                "geo_lat": geo_lat,
                "geo_lon": geo_lon,
            },
        )

    def regenerate_stream(
        self,
        *,
        message: str,
        session_id: str,
        provider: str = OMIT,
        file_ids: list[str] = OMIT,
        content_blocks: list[ContentBlock] = OMIT,
        tools: list[str] = OMIT,
        url_snapshot_hash: Optional[str] = OMIT,
        deep: bool = OMIT,
        depth: Optional[Depth] = OMIT,
        existing_reflex_id: Optional[str] = OMIT,
        geo_lat: Optional[float] = OMIT,
        geo_lon: Optional[float] = OMIT,
    ) -> Stream[ChatStreamEvent]:
        """Regenerate the last answer of a session; the old one is kept as a version.

        The email address of the user must be verified. The answer is streamed.

        Args:
            message: The text of the message. It may be empty if files or content blocks are
                attached.
            session_id: The session whose last answer is regenerated.
            provider: The provider of the answer: `openrouter`, `openai`, `ollama` or `local`. If it
                is not configured, a configured one answers. Default: `"openrouter"`.
            file_ids: Uploaded files whose text or image is attached to the message. Default: `[]`.
            content_blocks: Further parts of the message. Default: `[]`.
            tools: The tools that the model may use: `recall`, `remember`, `fetch_url`. Other names
                are ignored. Default: `[]`.
            url_snapshot_hash: The `snapshot_hash` of a page read by `POST /api/url`; its text is
                attached to the message.
            deep: The same as `depth: deep`. Default: `False`.
            depth: How much is recalled, and how often. Default: `quick`.
            existing_reflex_id: The reflex that the message is about.
            geo_lat: The latitude of the user, in degrees north.
            geo_lon: The longitude of the user, in degrees east.

        Returns:
            The events, as they arrive.

        Raises:
            Forbidden: `tier_insufficient`.
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `file_not_found`: File not found.
            NotFound: `attached_file_not_found`: File not found.
            NotFound: `attached_page_not_found`: Page not found.
            Conflict: `nothing_to_regenerate`: This session has no question to answer again.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
            ServerError: `model_failed`.
            Unavailable: `model_unavailable`.
            ServerError: `model_timed_out`.
        """
        return self._svc.call(
            "POST",
            "/api/chat/regenerate",
            body={
                "message": message,
                "session_id": session_id,
                "provider": provider,
                "file_ids": file_ids,
                "content_blocks": content_blocks,
                "tools": tools,
                "url_snapshot_hash": url_snapshot_hash,
                "deep": deep,
                "depth": depth,
                "existing_reflex_id": existing_reflex_id,
                "geo_lat": geo_lat,
                "geo_lon": geo_lon,
            },
            stream="text/event-stream",
            last="done",
        )

    def talk(
        self,
        *,
        message: str,
        agent_slug: Optional[str] = OMIT,
        current_task: Optional[str] = OMIT,
        scope_mode: ScopeMode = OMIT,
        proposed_self_definition: Optional[str] = OMIT,
        proposed_mandate: Optional[str] = OMIT,
        proposed_boundaries: Optional[list[str]] = OMIT,
        proposed_agent_type: Optional[str] = OMIT,
    ) -> TalkAnswer:
        """Send a message as an agent and get the complete answer.

        Args:
            message: The message of the agent.
            agent_slug: The agent that sends the message. Default: `default`.
            current_task: The current task of the agent.
            scope_mode: The memories to search: `tiered` ranks those of the agent first, then the
                user’s, then the organization’s; `agent`, `personal` and `org` search only one of
                these; `all` ranks all of them by score. Default: `"tiered"`.
            proposed_self_definition: The agent’s description of itself.
            proposed_mandate: The purpose of the agent.
            proposed_boundaries: Things that the agent must not do.
            proposed_agent_type: The kind of agent.

        Returns:
            `agent_slug`, `icog_response`, `memories`, `created_at`.

        Raises:
            Conflict: `cap_reached`.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
            ServerError: `model_failed`.
            Unavailable: `model_unavailable`.
            ServerError: `model_timed_out`.
        """
        return self._svc.call(
            "POST",
            "/api/talk",
            body={
                "message": message,
                "agent_slug": agent_slug,
                "current_task": current_task,
                "scope_mode": scope_mode,
                "proposed_self_definition": proposed_self_definition,
                "proposed_mandate": proposed_mandate,
                "proposed_boundaries": proposed_boundaries,
                "proposed_agent_type": proposed_agent_type,
            },
            result=TalkAnswer,
        )

    def talk_stream(
        self,
        *,
        message: str,
        progress: bool = OMIT,
        agent_slug: Optional[str] = OMIT,
        current_task: Optional[str] = OMIT,
        scope_mode: ScopeMode = OMIT,
        proposed_self_definition: Optional[str] = OMIT,
        proposed_mandate: Optional[str] = OMIT,
        proposed_boundaries: Optional[list[str]] = OMIT,
        proposed_agent_type: Optional[str] = OMIT,
    ) -> Stream[TalkStreamEvent]:
        """Send a message as an agent and stream the answer.

        Args:
            message: The message of the agent.
            progress: Send `memories` before the model is asked, as the first event. If no model
                answers, the stream ends with `error` instead of a status of its own. Default:
                `False`.
            agent_slug: The agent that sends the message. Default: `default`.
            current_task: The current task of the agent.
            scope_mode: The memories to search: `tiered` ranks those of the agent first, then the
                user’s, then the organization’s; `agent`, `personal` and `org` search only one of
                these; `all` ranks all of them by score. Default: `"tiered"`.
            proposed_self_definition: The agent’s description of itself.
            proposed_mandate: The purpose of the agent.
            proposed_boundaries: Things that the agent must not do.
            proposed_agent_type: The kind of agent.

        Returns:
            The events, as they arrive.

        Raises:
            Conflict: `cap_reached`.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
            ServerError: `model_failed`.
            Unavailable: `model_unavailable`.
            ServerError: `model_timed_out`.
        """
        return self._svc.call(
            "POST",
            "/api/talk/stream",
            query={"progress": progress},
            body={
                "message": message,
                "agent_slug": agent_slug,
                "current_task": current_task,
                "scope_mode": scope_mode,
                "proposed_self_definition": proposed_self_definition,
                "proposed_mandate": proposed_mandate,
                "proposed_boundaries": proposed_boundaries,
                "proposed_agent_type": proposed_agent_type,
            },
            stream="text/event-stream",
            last="done",
        )

    def suggest(self) -> Suggestions:
        """Suggest next messages based on recent memories and conversations.

        The email address of the user must be verified.

        Returns:
            `suggestions`.
        """
        return self._svc.call("GET", "/api/suggest", result=Suggestions, repeatable=True)

    def transcribe(
        self,
        file: FileInput,
        *,
        language: str = OMIT,
        filename: Optional[str] = None,
    ) -> Transcription:
        """Transcribe an audio file of up to 25 MB.

        The email address of the user must be verified.

        Args:
            file: The content, a path, or a file that is open for reading bytes.
            language: The spoken language (ISO 639). Default: detected by the model.

        Returns:
            `text`, `language`, `duration`.

        Raises:
            BadRequest: `audio_empty`: The audio is empty.
            BadRequest: `audio_type_unsupported`: The file must be audio.
            TooLarge: `audio_too_large`: The audio is larger than 25 MB.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
            ServerError: `transcription_failed`.
            Unavailable: `transcription_not_configured`: No transcription endpoint is configured:
                set SVC_TRANSCRIBE_URL.
        """
        return self._svc.call(
            "POST",
            "/api/transcribe",
            query={"language": language},
            upload=Upload("file", file, filename),
            result=Transcription,
        )

    def read_url(self, *, url: str) -> UrlPage:
        """Read the text of a public web page, PDF or text file.

        The email address of the user must be verified.

        Args:
            url: A public http or https URL without credentials.

        Returns:
            `url`, `title`, `text`, `excerpt`, `word_count`, `snapshot_hash`.

        Raises:
            BadRequest: `url_forbidden`.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
            ServerError: `url_unreadable`.
        """
        return self._svc.call("POST", "/api/url", body={"url": url}, result=UrlPage)


class ChatSessionsCalls(_Calls):
    def archive_chat_session(self, session_id: str) -> ChatSession:
        """Archive or unarchive a chat session.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
        """
        return self._svc.call(
            "PUT",
            _path("/api/sessions/{session_id}/archive", session_id=session_id),
            result=ChatSession,
        )

    def branch_chat_session(
        self,
        session_id: str,
        *,
        message_id: str,
        is_included: bool = OMIT,
    ) -> ChatSession:
        """Copy a chat session up to a message into a new one, to go on differently from there.

        Args:
            message_id: The last message to copy.
            is_included: `false` copies those before the message only. Default: `True`.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `chat_message_not_found`: Message not found.
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            _path("/api/sessions/{session_id}/branch", session_id=session_id),
            body={"message_id": message_id, "is_included": is_included},
            result=ChatSession,
        )

    def create_chat_session(self, *, title: Optional[str] = OMIT) -> ChatSession:
        """Create a chat session.

        Args:
            title: Default: derived from the first message.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            Conflict: `cap_reached`.
        """
        return self._svc.call("POST", "/api/sessions", body={"title": title}, result=ChatSession)

    def delete_chat_session(self, session_id: str) -> None:
        """Delete a chat session and its messages permanently.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/sessions/{session_id}", session_id=session_id),
            repeatable=True,
        )

    def get_chat_session(self, session_id: str) -> ChatSession:
        """Get a chat session without its messages.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/sessions/{session_id}", session_id=session_id),
            result=ChatSession,
            repeatable=True,
        )

    def list_chat_sessions(
        self,
        *,
        q: str = OMIT,
        category_id: str = OMIT,
        archived: bool = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> list[ChatSession]:
        """List chat sessions, pinned ones first, then the most recently changed.

        Args:
            q: Words to find in the title or in one message, in any order.
            archived: Return only archived sessions. Default: `False`.
            before: The last session of the previous page.
            limit: Maximum number of results. Default: `50`.

        Returns:
            A list of ChatSession.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
        """
        return self._svc.call(
            "GET",
            "/api/sessions",
            query={
                "q": q,
                "category_id": category_id,
                "archived": archived,
                "before": before,
                "limit": limit,
            },
            result=list,
            repeatable=True,
        )

    def list_chat_sessions_all(
        self,
        *,
        q: str = OMIT,
        category_id: str = OMIT,
        archived: bool = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> Iterator[ChatSession]:
        """List chat sessions, pinned ones first, then the most recently changed: the items of
        all pages.

        It has the arguments of `list_chat_sessions`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_chat_sessions(
                q=q,
                category_id=category_id,
                archived=archived,
                before=position,
                limit=limit,
            ),
            before,
            lambda page: page,
            lambda page: page[-1]["id"] if page else None,
        )

    def move_chat_session(self, session_id: str, *, category_id: Optional[str]) -> ChatSession:
        """Move a chat session into a category, or out of it.

        Args:
            category_id: Null removes the session from its category.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `category_not_found`: Category not found.
        """
        return self._svc.call(
            "PUT",
            _path("/api/sessions/{session_id}/move", session_id=session_id),
            body={"category_id": category_id},
            result=ChatSession,
            repeatable=True,
        )

    def pin_chat_session(self, session_id: str) -> ChatSession:
        """Pin or unpin a chat session.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
        """
        return self._svc.call(
            "PUT",
            _path("/api/sessions/{session_id}/pin", session_id=session_id),
            result=ChatSession,
        )

    def read_chat_session(self, session_id: str) -> ChatSession:
        """Mark a chat session as read.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/sessions/{session_id}/read", session_id=session_id),
            result=ChatSession,
            repeatable=True,
        )

    def title_chat_session(self, session_id: str) -> ChatSession:
        """Let a model name a chat session by its first messages. Without a model, and for a
        session that the user named, nothing changes.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
            RateLimited: `chat_titles_rate_limited`.
        """
        return self._svc.call(
            "POST",
            _path("/api/sessions/{session_id}/title", session_id=session_id),
            result=ChatSession,
        )

    def update_chat_session(self, session_id: str, *, title: str) -> ChatSession:
        """Change the title of a chat session.

        Returns:
            `id`, `title`, `provider`, `model`, `created_at`, `updated_at`, `message_count`,
            `last_message_preview`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/sessions/{session_id}", session_id=session_id),
            body={"title": title},
            result=ChatSession,
        )

    def get_message_context(self, session_id: str, message_id: str) -> MessageContext:
        """Get what the model was given for an answer.

        Returns:
            `window`, `tokens`, `memories_found`, `memories_given`, `messages_given`,
            `messages_left_out`, `instructions`, `tools`, and others.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `chat_message_not_found`: Message not found.
            NotFound: `context_not_found`: No model wrote this message.
        """
        return self._svc.call(
            "GET",
            _path(
                "/api/sessions/{session_id}/messages/{message_id}/context",
                session_id=session_id, message_id=message_id,
            ),
            result=MessageContext,
            repeatable=True,
        )

    def list_chat_messages(
        self,
        session_id: str,
        *,
        q: str = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> list[ChatMessage]:
        """List the latest messages of a chat session, oldest first.

        Args:
            q: Only messages that contain this text, in any case of its letters.
            before: The first message of the page that follows this one.
            limit: Maximum number of results. Default: `50`.

        Returns:
            A list of ChatMessage.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `chat_message_not_found`: Message not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/sessions/{session_id}/messages", session_id=session_id),
            query={"q": q, "before": before, "limit": limit},
            result=list,
            repeatable=True,
        )

    def list_chat_messages_all(
        self,
        session_id: str,
        *,
        q: str = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> Iterator[ChatMessage]:
        """List the latest messages of a chat session, oldest first: the items of all pages.

        It has the arguments of `list_chat_messages`, and requests a page when it is needed. The
        items are newest first.
        """
        return _all_items(
            lambda position: self.list_chat_messages(session_id, q=q, before=position, limit=limit),
            before,
            lambda page: page[::-1],
            lambda page: page[0]["id"] if page else None,
        )

    def create_session_category(
        self,
        *,
        name: str,
        color: Optional[str] = OMIT,
        icon: Optional[str] = OMIT,
    ) -> SessionCategory:
        """Create a category.

        Args:
            color: Any color value that your app understands.
            icon: Any icon name or emoji that your app understands.

        Returns:
            `id`, `name`, `position`, `color`, `icon`, `created_at`, `updated_at`.

        Raises:
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            "/api/sessions/categories",
            body={"name": name, "color": color, "icon": icon},
            result=SessionCategory,
        )

    def delete_session_category(self, category_id: str) -> None:
        """Delete a category; its sessions are kept without one.

        Raises:
            NotFound: `category_not_found`: Category not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/sessions/categories/{category_id}", category_id=category_id),
            repeatable=True,
        )

    def list_session_categories(self) -> list[SessionCategory]:
        """List the categories of chat sessions.

        Returns:
            A list of SessionCategory.
        """
        return self._svc.call("GET", "/api/sessions/categories", result=list, repeatable=True)

    def update_session_category(
        self,
        category_id: str,
        *,
        name: Optional[str] = OMIT,
        color: Optional[str] = OMIT,
        icon: Optional[str] = OMIT,
    ) -> SessionCategory:
        """Update a category; null or omitted fields keep their value.

        Args:
            color: Any color value that your app understands.
            icon: Any icon name or emoji that your app understands.

        Returns:
            `id`, `name`, `position`, `color`, `icon`, `created_at`, `updated_at`.

        Raises:
            NotFound: `category_not_found`: Category not found.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/sessions/categories/{category_id}", category_id=category_id),
            body={"name": name, "color": color, "icon": icon},
            result=SessionCategory,
        )


class AgentsCalls(_Calls):
    def agent_timeline(self, slug: str, *, page: int = OMIT, limit: int = OMIT) -> Timeline:
        """List an agent’s messages and the responses, newest first.

        Args:
            page: The page number, from 1; newest entries first. Default: `1`.
            limit: Maximum number of results. Default: `20`.

        Returns:
            `slug`, `entries`, `total`, `has_more`, `page`, `limit`.

        Raises:
            NotFound: `agent_not_found`: Agent not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/agents/{slug}/timeline", slug=slug),
            query={"page": page, "limit": limit},
            result=Timeline,
            repeatable=True,
        )

    def agent_timeline_all(
        self,
        slug: str,
        *,
        page: int = OMIT,
        limit: int = OMIT,
    ) -> Iterator[TimelineEntry]:
        """List an agent’s messages and the responses, newest first: the items of all pages.

        It has the arguments of `agent_timeline`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.agent_timeline(slug, page=position, limit=limit),
            page,
            lambda page: page["entries"],
            lambda page: page["page"] + 1 if page["has_more"] else None,
        )

    def delete_agent(self, slug: str) -> None:
        """Delete an agent and its timeline; its memories are kept.

        Raises:
            NotFound: `agent_not_found`: Agent not found.
        """
        return self._svc.call("DELETE", _path("/api/agents/{slug}", slug=slug), repeatable=True)

    def get_agent(self, slug: str) -> Agent:
        """Get an agent’s definition and its open proposal.

        Returns:
            `slug`, `self_definition`, `mandate`, `boundaries`, `agent_type`, `proposal`,
            `exchange_count`, `last_exchange_at`, and others.

        Raises:
            NotFound: `agent_not_found`: Agent not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/agents/{slug}", slug=slug),
            result=Agent,
            repeatable=True,
        )

    def list_agents(self) -> list[Agent]:
        """List the caller’s agents, most recently active first.

        Returns:
            A list of Agent.
        """
        return self._svc.call("GET", "/api/agents", result=list, repeatable=True)

    def update_agent(
        self,
        slug: str,
        *,
        accept: bool = OMIT,
        self_definition: Optional[str] = OMIT,
        mandate: Optional[str] = OMIT,
        boundaries: Optional[list[str]] = OMIT,
        agent_type: Optional[str] = OMIT,
    ) -> Agent:
        """Accept or decline an agent’s proposal, or change its definition.

        Args:
            accept: True accepts the proposal, false declines it.
            self_definition: The agent’s description of itself.
            mandate: The purpose of the agent.
            boundaries: Things that the agent must not do.
            agent_type: The kind of agent.

        Returns:
            `slug`, `self_definition`, `mandate`, `boundaries`, `agent_type`, `proposal`,
            `exchange_count`, `last_exchange_at`, and others.

        Raises:
            NotFound: `agent_not_found`: Agent not found.
            Conflict: `agent_proposal_not_found`: This agent proposes nothing.
        """
        return self._svc.call(
            "PATCH",
            _path("/api/agents/{slug}", slug=slug),
            body={
                "accept": accept,
                "self_definition": self_definition,
                "mandate": mandate,
                "boundaries": boundaries,
                "agent_type": agent_type,
            },
            result=Agent,
        )


class FilesCalls(_Calls):
    def delete_file(self, file_id: str) -> None:
        """Delete a file permanently.

        Raises:
            NotFound: `file_not_found`: File not found.
        """
        return self._svc.call(
            "DELETE",
            _path("/api/files/{file_id}", file_id=file_id),
            repeatable=True,
        )

    def get_file(self, file_id: str) -> StoredFile:
        """Get the metadata of a file.

        Returns:
            `id`, `name`, `type`, `size`, `has_text`, `created_at`.

        Raises:
            NotFound: `file_not_found`: File not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/files/{file_id}", file_id=file_id),
            result=StoredFile,
            repeatable=True,
        )

    def get_file_content(self, file_id: str) -> Download:
        """Download a file.

        Returns:
            The content, as it arrives.

        Raises:
            NotFound: `file_not_found`: File not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/files/{file_id}/content", file_id=file_id),
            download=True,
            repeatable=True,
        )

    def list_files(self, *, before: str = OMIT, limit: int = OMIT) -> list[StoredFile]:
        """List the caller’s files, newest first.

        Args:
            before: The last file of the previous page.
            limit: Maximum number of results. Default: `50`.

        Returns:
            A list of StoredFile.
        """
        return self._svc.call(
            "GET",
            "/api/files",
            query={"before": before, "limit": limit},
            result=list,
            repeatable=True,
        )

    def list_files_all(self, *, before: str = OMIT, limit: int = OMIT) -> Iterator[StoredFile]:
        """List the caller’s files, newest first: the items of all pages.

        It has the arguments of `list_files`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_files(before=position, limit=limit),
            before,
            lambda page: page,
            lambda page: page[-1]["id"] if page else None,
        )

    def upload_file(self, file: FileInput, *, filename: Optional[str] = None) -> StoredFile:
        """Upload a text file, PDF or image of up to 25 MB to attach to a conversation.

        Args:
            file: The content, a path, or a file that is open for reading bytes.

        Returns:
            `id`, `name`, `type`, `size`, `has_text`, `created_at`.

        Raises:
            BadRequest: `file_empty`: The file is empty.
            BadRequest: `file_type_unsupported`: The file must be text, a PDF, a JPEG, PNG, WebP or
                GIF.
            Conflict: `cap_reached`.
            TooLarge: `file_too_large`: The file is larger than 25 MB.
            TooLarge: `file_storage_full`: Your files would be larger than 1 GB together; delete
                some first.
        """
        return self._svc.call(
            "POST",
            "/api/files",
            upload=Upload("file", file, filename),
            result=StoredFile,
        )


class EmailCalls(_Calls):
    def get_email_thread(
        self,
        thread_id: str,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> EmailThreadDetail:
        """Get the messages of a thread with the delivery state of each email.

        The email address of the user must be verified.

        Args:
            limit: Maximum number of results. Default: `20`.
            cursor: The last item of the previous page.

        Returns:
            `thread_id`, `subject`, `message_count`, `created_at`, `last_message_at`, `queued`,
            `sent`, `failed`, and others.

        Raises:
            NotFound: `email_thread_not_found`: Email thread not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/email/threads/{thread_id}", thread_id=thread_id),
            query={"limit": limit, "cursor": cursor},
            result=EmailThreadDetail,
            repeatable=True,
        )

    def get_email_thread_all(
        self,
        thread_id: str,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> Iterator[EmailMessage]:
        """Get the messages of a thread with the delivery state of each email: the items of all
        pages.

        It has the arguments of `get_email_thread`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.get_email_thread(thread_id, limit=limit, cursor=position),
            cursor,
            lambda page: page["messages"],
            lambda page: page["next_cursor"],
        )

    def list_email_threads(self, *, limit: int = OMIT, cursor: str = OMIT) -> EmailThreads:
        """List the caller’s email threads, most recent message first.

        The email address of the user must be verified.

        Args:
            limit: Maximum number of results. Default: `20`.
            cursor: The last item of the previous page.

        Returns:
            `threads`, `next_cursor`.
        """
        return self._svc.call(
            "GET",
            "/api/email/threads",
            query={"limit": limit, "cursor": cursor},
            result=EmailThreads,
            repeatable=True,
        )

    def list_email_threads_all(
        self,
        *,
        limit: int = OMIT,
        cursor: str = OMIT,
    ) -> Iterator[EmailThread]:
        """List the caller’s email threads, most recent message first: the items of all pages.

        It has the arguments of `list_email_threads`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_email_threads(limit=limit, cursor=position),
            cursor,
            lambda page: page["threads"],
            lambda page: page["next_cursor"],
        )

    def send_email(
        self,
        *,
        to: list[str],
        subject: str,
        text: str,
        html: Optional[str] = OMIT,
        reply_to_thread: Optional[str] = OMIT,
    ) -> dict[str, Any]:
        """Send an email to up to 50 recipients, each as a separate email.

        The email address of the user must be verified.

        Args:
            to: Email addresses without names or groups. Each recipient gets a separate email.
            subject: A single line.
            html: The HTML version of the text. It is sent unchanged.
            reply_to_thread: The thread of the caller that this email continues.

        Raises:
            NotFound: `email_thread_not_found`: Email thread not found.
            RateLimited: `quota_exceeded`.
            RateLimited: `credits_depleted`.
            RateLimited: `spend_cap_reached`.
        """
        return self._svc.call(
            "POST",
            "/api/email/send",
            body={
                "to": to,
                "subject": subject,
                "text": text,
                "html": html,
                "reply_to_thread": reply_to_thread,
            },
            result=dict,
        )


class DirectMessagesCalls(_Calls):
    def archive_direct_thread(self, thread_id: str) -> DirectThread:
        """Archive or unarchive a thread for the caller.

        The email address of the user must be verified.

        Returns:
            `thread_id`, `peer_user_id`, `peer_username`, `peer_display_name`, `peer_avatar_url`,
            `peer_online`, `last_message`, `unread`, and others.

        Raises:
            NotFound: `dm_thread_not_found`: Thread not found.
        """
        return self._svc.call(
            "PUT",
            _path("/api/dm/threads/{thread_id}/archive", thread_id=thread_id),
            result=DirectThread,
        )

    def list_direct_messages(
        self,
        thread_id: str,
        *,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> list[DirectMessage]:
        """List the latest messages of a thread, oldest first.

        The email address of the user must be verified.

        Args:
            before: The first message of the page that follows this one.
            limit: Maximum number of results. Default: `50`.

        Returns:
            A list of DirectMessage.

        Raises:
            NotFound: `dm_thread_not_found`: Thread not found.
            NotFound: `dm_message_not_found`: Message not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/dm/threads/{thread_id}/messages", thread_id=thread_id),
            query={"before": before, "limit": limit},
            result=list,
            repeatable=True,
        )

    def list_direct_messages_all(
        self,
        thread_id: str,
        *,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> Iterator[DirectMessage]:
        """List the latest messages of a thread, oldest first: the items of all pages.

        It has the arguments of `list_direct_messages`, and requests a page when it is needed. The
        items are newest first.
        """
        return _all_items(
            lambda position: self.list_direct_messages(thread_id, before=position, limit=limit),
            before,
            lambda page: page[::-1],
            lambda page: page[0]["id"] if page else None,
        )

    def list_direct_threads(
        self,
        *,
        include_archived: bool = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> list[DirectThread]:
        """List the caller’s threads, most recent message first.

        The email address of the user must be verified.

        Args:
            include_archived: Default: `False`.
            before: The last thread of the previous page.
            limit: Maximum number of results. Default: `100`.

        Returns:
            A list of DirectThread.

        Raises:
            NotFound: `dm_thread_not_found`: Thread not found.
        """
        return self._svc.call(
            "GET",
            "/api/dm/threads",
            query={"include_archived": include_archived, "before": before, "limit": limit},
            result=list,
            repeatable=True,
        )

    def list_direct_threads_all(
        self,
        *,
        include_archived: bool = OMIT,
        before: str = OMIT,
        limit: int = OMIT,
    ) -> Iterator[DirectThread]:
        """List the caller’s threads, most recent message first: the items of all pages.

        It has the arguments of `list_direct_threads`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_direct_threads(
                include_archived=include_archived,
                before=position,
                limit=limit,
            ),
            before,
            lambda page: page,
            lambda page: page[-1]["thread_id"] if page else None,
        )

    def read_direct_thread(self, thread_id: str) -> DirectThread:
        """Mark a thread as read.

        The email address of the user must be verified.

        Returns:
            `thread_id`, `peer_user_id`, `peer_username`, `peer_display_name`, `peer_avatar_url`,
            `peer_online`, `last_message`, `unread`, and others.

        Raises:
            NotFound: `dm_thread_not_found`: Thread not found.
        """
        return self._svc.call(
            "POST",
            _path("/api/dm/threads/{thread_id}/read", thread_id=thread_id),
            result=DirectThread,
            repeatable=True,
        )

    def send_direct_message(
        self,
        thread_id: str,
        *,
        content: str,
        reply_to_message_id: Optional[str] = OMIT,
    ) -> DirectMessage:
        """Send a direct message.

        The email address of the user must be verified.

        Args:
            content: Mention `@icog` to get an answer of the service in the thread.
            reply_to_message_id: A message of the same thread.

        Returns:
            `id`, `thread_id`, `author_id`, `author_username`, `author_display_name`,
            `author_avatar_url`, `content`, `mentions_icog`, and others.

        Raises:
            NotFound: `dm_thread_not_found`: Thread not found.
            NotFound: `dm_message_not_found`: Message not found.
            Conflict: `dm_peer_deleted`: The other user has deleted their account.
            RateLimited: `direct_messages_rate_limited`.
        """
        return self._svc.call(
            "POST",
            _path("/api/dm/threads/{thread_id}/messages", thread_id=thread_id),
            body={"content": content, "reply_to_message_id": reply_to_message_id},
            result=DirectMessage,
        )

    def start_direct_thread(self, *, username: str) -> DirectThread:
        """Create a thread with a user, or return the existing one.

        The email address of the user must be verified.

        Args:
            username: The username of the other user, case-insensitive, with or without a leading @.

        Returns:
            `thread_id`, `peer_user_id`, `peer_username`, `peer_display_name`, `peer_avatar_url`,
            `peer_online`, `last_message`, `unread`, and others.

        Raises:
            BadRequest: `dm_to_self`: You cannot write to yourself.
            NotFound: `username_not_found`: No user has this username.
            RateLimited: `new_threads_rate_limited`.
        """
        return self._svc.call(
            "POST",
            "/api/dm/threads",
            body={"username": username},
            result=DirectThread,
        )


class SharesCalls(_Calls):
    def create_share(self, *, session_id: str, message_id: Optional[str] = OMIT) -> Share:
        """Share a snapshot of a chat session, or of its messages up to one, by link.

        The email address of the user must be verified.

        Args:
            message_id: The last message to share. Default: all messages.

        Returns:
            `token`, `url`.

        Raises:
            NotFound: `chat_session_not_found`: Session not found.
            NotFound: `chat_message_not_found`: Message not found.
            Conflict: `cap_reached`.
        """
        return self._svc.call(
            "POST",
            "/api/shares",
            body={"session_id": session_id, "message_id": message_id},
            result=Share,
        )

    def delete_share(self, token: str) -> None:
        """Delete a share; its link stops working.

        The email address of the user must be verified.

        Raises:
            NotFound: `share_not_found`: Share not found.
        """
        return self._svc.call("DELETE", _path("/api/shares/{token}", token=token), repeatable=True)

    def get_share(self, token: str, *, cursor: int = OMIT, limit: int = OMIT) -> SharedConversation:
        """Get a shared conversation (public).

        Args:
            cursor: The `next_cursor` of the previous page. Default: `0`.
            limit: Maximum number of results. Default: `100`.

        Returns:
            `title`, `message_count`, `created_at`, `messages`, `next_cursor`.

        Raises:
            NotFound: `share_not_found`: Share not found.
            Gone: `share_closed`: This conversation is no longer shared.
        """
        return self._svc.call(
            "GET",
            _path("/api/shares/{token}", token=token),
            query={"cursor": cursor, "limit": limit},
            result=SharedConversation,
            auth="none",
            repeatable=True,
        )

    def get_share_all(
        self,
        token: str,
        *,
        cursor: int = OMIT,
        limit: int = OMIT,
    ) -> Iterator[SharedMessage]:
        """Get a shared conversation (public): the items of all pages.

        It has the arguments of `get_share`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.get_share(token, cursor=position, limit=limit),
            cursor,
            lambda page: page["messages"],
            lambda page: page["next_cursor"],
        )

    def list_shares(self, *, before: str = OMIT, limit: int = OMIT) -> list[OwnShare]:
        """List the caller’s shares, newest first.

        The email address of the user must be verified.

        Args:
            before: The token of the last share of the previous page.
            limit: Maximum number of results. Default: `50`.

        Returns:
            A list of OwnShare.

        Raises:
            NotFound: `share_not_found`: Share not found.
        """
        return self._svc.call(
            "GET",
            "/api/shares",
            query={"before": before, "limit": limit},
            result=list,
            repeatable=True,
        )

    def list_shares_all(self, *, before: str = OMIT, limit: int = OMIT) -> Iterator[OwnShare]:
        """List the caller’s shares, newest first: the items of all pages.

        It has the arguments of `list_shares`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_shares(before=position, limit=limit),
            before,
            lambda page: page,
            lambda page: page[-1]["token"] if page else None,
        )


class ActivityCalls(_Calls):
    def get_activity(self, event_id: str) -> ActivityDetail:
        """Get one event with its memories and the explanation of their scores.

        Args:
            event_id: The id of the event.

        Returns:
            `id`, `kind`, `created_at`, `user_id`, `key_id`, `client`, `session`, `question`, and
            others.

        Raises:
            NotFound: `event_not_found`: Event not found.
        """
        return self._svc.call(
            "GET",
            _path("/api/events/{event_id}", event_id=event_id),
            result=ActivityDetail,
            repeatable=True,
        )

    def get_activity_settings(self) -> ActivitySettings:
        """Get whether your questions are kept.

        Returns:
            `keeps_questions`, `is_fixed`.
        """
        return self._svc.call(
            "GET",
            "/api/events/settings",
            result=ActivitySettings,
            repeatable=True,
        )

    def list_activity(
        self,
        *,
        kind: str = OMIT,
        client: str = OMIT,
        session: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        before: str = OMIT,
        after: str = OMIT,
        limit: int = OMIT,
    ) -> ActivityPage:
        """List what was read from the memory and written to it, newest first; or follow it.

        Args:
            kind: Only this kind, or with a point at the end, the kinds of this group.
            client: Only of this assistant or program.
            session: Only of this conversation.
            since: Only events at or after this time.
            until: Only events before this time.
            before: Only events before this one.
            after: A stream begins after this event, as with the header `Last-Event-ID`. Default:
                with what happens from now on.
            limit: Maximum number of results. Default: `50`.

        Returns:
            `events`, `next_cursor`.
        """
        return self._svc.call(
            "GET",
            "/api/events",
            query={
                "kind": kind,
                "client": client,
                "session": session,
                "since": since,
                "until": until,
                "before": before,
                "after": after,
                "limit": limit,
            },
            result=ActivityPage,
            repeatable=True,
        )

    def list_activity_stream(
        self,
        *,
        kind: str = OMIT,
        client: str = OMIT,
        session: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        before: str = OMIT,
        after: str = OMIT,
        limit: int = OMIT,
    ) -> Stream[ListActivityEvent]:
        """List what was read from the memory and written to it, newest first; or follow it.

        The answer is streamed.

        Args:
            kind: Only this kind, or with a point at the end, the kinds of this group.
            client: Only of this assistant or program.
            session: Only of this conversation.
            since: Only events at or after this time.
            until: Only events before this time.
            before: Only events before this one.
            after: A stream begins after this event, as with the header `Last-Event-ID`. Default:
                with what happens from now on.
            limit: Maximum number of results. Default: `50`.

        Returns:
            The events, as they arrive.
        """
        return self._svc.call(
            "GET",
            "/api/events",
            query={
                "kind": kind,
                "client": client,
                "session": session,
                "since": since,
                "until": until,
                "before": before,
                "after": after,
                "limit": limit,
            },
            stream="text/event-stream",
            repeatable=True,
        )

    def list_activity_all(
        self,
        *,
        kind: str = OMIT,
        client: str = OMIT,
        session: str = OMIT,
        since: Time = OMIT,
        until: Time = OMIT,
        before: str = OMIT,
        after: str = OMIT,
        limit: int = OMIT,
    ) -> Iterator[ActivityEvent]:
        """List what was read from the memory and written to it, newest first; or follow it: the
        items of all pages.

        It has the arguments of `list_activity`, and requests a page when it is needed.
        """
        return _all_items(
            lambda position: self.list_activity(
                kind=kind,
                client=client,
                session=session,
                since=since,
                until=until,
                before=position,
                after=after,
                limit=limit,
            ),
            before,
            lambda page: page["events"],
            lambda page: page["next_cursor"],
        )

    def set_activity_settings(self, *, keeps_questions: bool) -> ActivitySettings:
        """Choose whether your questions are kept; `false` also erases those that were.

        Returns:
            `keeps_questions`, `is_fixed`.
        """
        return self._svc.call(
            "PUT",
            "/api/events/settings",
            body={"keeps_questions": keeps_questions},
            result=ActivitySettings,
            repeatable=True,
        )

    def activity_days(self, *, days: int = OMIT) -> ActivityDays:
        """Count what was asked, read and written on each day, in the newest 100,000 events.

        Args:
            days: Number of days, with today. Default: `30`.

        Returns:
            `days`, `kept_days`.
        """
        return self._svc.call(
            "GET",
            "/api/events/days",
            query={"days": days},
            result=ActivityDays,
            repeatable=True,
        )

    def list_assistants(self) -> ListAssistantsResponse:
        """Count what each assistant read and wrote, in the newest 100,000 events.

        Returns:
            `assistants`.
        """
        return self._svc.call(
            "GET",
            "/api/events/assistants",
            result=ListAssistantsResponse,
            repeatable=True,
        )


class SystemCalls(_Calls):
    def health(self) -> Health:
        """Report that the process is running.

        Returns:
            `status`.
        """
        return self._svc.call("GET", "/api/health", result=Health, auth="none", repeatable=True)

    def health_detail(self) -> HealthDetail:
        """Report the state and latency of each part; 503 until recall is warm.

        Returns:
            `status`, `version`, `role`, `features`, `uptime_seconds`, `parts`.

        Raises:
            Unavailable: `health_report`.
        """
        return self._svc.call(
            "GET",
            "/api/health/detail",
            result=HealthDetail,
            auth="none",
            repeatable=True,
        )

    def ready(self) -> Ready:
        """Report whether the server can serve requests; 503 while the database is down, or the
        server stops.

        Returns:
            `status`, `parts`.

        Raises:
            Unavailable: `not_ready`.
        """
        return self._svc.call("GET", "/api/ready", result=Ready, auth="none", repeatable=True)


class CurrentUser(TypedDict):
    id: str
    email: str
    onboarding_completed: bool
    email_verified: bool
    display_name: Optional[str]
    avatar_url: Optional[str]
    is_admin: bool


Tier = Literal["amnesiac", "awakened", "conscious", "payg"]


class _PolicyShortfall(TypedDict):
    policy: Literal["second_factor", "providers", "session_hours", "key_scopes"]
    # What the user does about it.
    action: Literal[
        "add_second_factor",
        "add_passkey",
        "use_second_factor",
        "use_passkey",
        "use_provider",
        "sign_in_again",
        "narrow_scopes",
        "use_org_key",
    ]
    # The same in words.
    message: str


class PolicyShortfall(_PolicyShortfall, total=False):
    # The allowed sign-in methods or scopes.
    allowed: list[str]


class _MeOrg(TypedDict):
    id: str
    name: str
    role: str


class MeOrg(_MeOrg, total=False):
    # The things that this session or key lacks for the policies of the organization.
    missing: list[PolicyShortfall]


class Impersonation(TypedDict):
    """Present for an admin who uses the account: why, and until when."""

    reason: str
    expires_at: str


class _Me(TypedDict):
    id: str
    email: str
    onboarding_completed: bool
    email_verified: bool
    display_name: Optional[str]
    avatar_url: Optional[str]
    is_admin: bool
    tier: Tier
    # The kind of credential of this request.
    credential: Literal["jwt", "api_key"]
    org: Optional[MeOrg]


class Me(_Me, total=False):
    # Everything that it may do; absent: all. Empty where the key that created it lost all that it
    # had.
    scopes: list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
    # Present for an admin who uses the account: why, and until when.
    impersonation: Impersonation


class AccessToken(TypedDict):
    # A JWT, valid for 60 minutes.
    access_token: str
    token_type: Literal["bearer"]


class User(TypedDict):
    id: str
    email: str
    created_at: str
    email_verified: bool
    display_name: Optional[str]
    avatar_url: Optional[str]


class OrgPolicyRefusal(TypedDict):
    error: Literal["org_policy"]
    message: str
    org_id: str
    # The things that this session or key lacks for the policies of the organization.
    missing: list[PolicyShortfall]


class _TokenResponse(TypedDict):
    # A JWT, valid for 60 minutes.
    access_token: str
    token_type: Literal["bearer"]
    user: User


class TokenResponse(_TokenResponse, total=False):
    # The organizations whose policies this sign-in does not meet; absent: none.
    refused_orgs: list[OrgPolicyRefusal]


class MfaPending(TypedDict):
    mfa_required: Literal[True]
    # Valid for 5 minutes and five attempts.
    partial_token: str


class _SignedOut(TypedDict):
    message: str


class SignedOut(_SignedOut, total=False):
    # The page that also ends the session at the OpenID provider of the sign-in.
    logout_url: str


class MailedCodeRequest(TypedDict):
    # A secret of the client that asked: the code works together with it only. Keep it until the
    # user has typed the code.
    attempt_token: str
    # Seconds until the code expires.
    expires_in: int


class AuditEntry(TypedDict):
    id: str
    action: str
    # The id of the affected object.
    subject: Optional[str]
    ip: Optional[str]
    details: dict[str, Any]
    created_at: str


class AuditLog(TypedDict):
    entries: list[AuditEntry]
    # Pass it as `cursor` to get the next page; null on the last page.
    next_cursor: Optional[str]


class MessageResponse(TypedDict):
    message: str


class SignUpPolicy(TypedDict):
    # `open`: people create accounts; `invite`: only people whose address an organization has
    # invited, or is at a domain of the server; `closed`: none.
    mode: Literal["open", "invite", "closed"]
    # Whether the server limits accounts to addresses at its domains, and to invited ones.
    has_domains: bool


class _Session(TypedDict):
    id: str
    created_at: str
    # Updated at most every 20 seconds.
    last_seen_at: str
    ip: Optional[str]
    user_agent: Optional[str]
    # Whether this is the session of the request.
    current: bool


class Session(_Session, total=False):
    # Present for a session by which an admin uses the account: why, and until when.
    impersonation: Impersonation


class HandoffSignIn(TypedDict):
    user_id: str
    email: str
    access_token: str


class AppConsentOrg(TypedDict):
    id: str
    name: str


class AppConsent(TypedDict):
    id: str
    # The id of a registered client, or the URL of its metadata document.
    client_id: str
    name: str
    # The organization that the app acts in; null for the user’s own memory.
    org: Optional[AppConsentOrg]
    scopes: list[
        Literal["openid", "profile", "email", "offline_access", "memory:read", "memory:write"]
    ]
    created_at: str
    # When the user last signed in to the app.
    last_used_at: str


class RecoveryCodes(TypedDict):
    # Ten codes. Each can be used once. They are returned only once.
    recovery_codes: list[str]


class MfaStatus(TypedDict):
    enabled: bool
    recovery_codes_remaining: int


class MfaSetup(TypedDict):
    # The TOTP secret in Base32, for manual entry into an authenticator app.
    secret: str
    otpauth_url: str
    # A QR code of `otpauth_url`, as SVG.
    qr_svg: str


class RegistrationResponseResponse(TypedDict):
    clientDataJSON: str
    attestationObject: str


class RegistrationResponse(TypedDict):
    """The `RegistrationResponseJSON` of the browser (Web Authentication Level 3)."""

    id: str
    response: RegistrationResponseResponse


class Passkey(TypedDict):
    id: str
    name: str
    # Whether the authenticator keeps a backup, so that other devices have it too.
    is_synced: bool
    created_at: str
    last_used_at: Optional[str]


class _AuthenticationResponseResponse(TypedDict):
    clientDataJSON: str
    authenticatorData: str
    signature: str


class AuthenticationResponseResponse(_AuthenticationResponseResponse, total=False):
    userHandle: Optional[str]


class AuthenticationResponse(TypedDict):
    """The `AuthenticationResponseJSON` of the browser (Web Authentication Level 3)."""

    id: str
    response: AuthenticationResponseResponse


class PasskeyRegistration(TypedDict):
    # The `PublicKeyCredentialCreationOptionsJSON` for the browser; valid 10 minutes.
    options: dict[str, Any]


class PasskeySignIn(TypedDict):
    # The `PublicKeyCredentialRequestOptionsJSON` for the browser; valid 30 minutes.
    options: dict[str, Any]


class EmailVerification(TypedDict):
    verified: bool
    # `mail`: links are mailed; `outbox`: the server has no mail server, and writes emails to files
    # that its operator reads.
    delivery: Literal["mail", "outbox"]
    # Whether `verifyHere` verifies the address without a link.
    can_verify_here: bool


class _CreatedKey(TypedDict):
    id: str
    name: str
    # The first 8 characters of the key.
    key_prefix: str
    org_id: Optional[str]
    created_at: str
    # Updated at most once a minute.
    last_used_at: Optional[str]
    expires_at: Optional[str]
    # The secret key. It is returned only once.
    key: str


class CreatedKey(_CreatedKey, total=False):
    # Everything that it may do; absent: all. Empty where the key that created it lost all that it
    # had.
    scopes: list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
    # Whether its requests are refused until it is resumed.
    paused: bool
    # Addresses and ranges that it may be used from; absent: all.
    allowed_addresses: list[str]
    # The key that created it for an agent.
    parent_id: str


class _ApiKey(TypedDict):
    id: str
    name: str
    # The first 8 characters of the key.
    key_prefix: str
    org_id: Optional[str]
    created_at: str
    # Updated at most once a minute.
    last_used_at: Optional[str]
    expires_at: Optional[str]


class ApiKey(_ApiKey, total=False):
    # Everything that it may do; absent: all. Empty where the key that created it lost all that it
    # had.
    scopes: list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
    # Whether its requests are refused until it is resumed.
    paused: bool
    # Addresses and ranges that it may be used from; absent: all.
    allowed_addresses: list[str]
    # The key that created it for an agent.
    parent_id: str


class DeviceDecision(TypedDict):
    status: Literal["approved", "denied"]


class PendingDeviceLogin(TypedDict):
    client_name: str
    session: bool
    created_at: str
    ip: Optional[str]


class _DeviceLoginResult(TypedDict):
    status: Literal["pending", "slow_down", "denied", "approved"]


class DeviceLoginResult(_DeviceLoginResult, total=False):
    # Seconds to wait before the next poll.
    interval: int
    # Returned once, after approval.
    api_key: str
    key_id: str
    user: User
    # A JWT, valid for 60 minutes.
    access_token: str
    token_type: Literal["bearer"]


class DeviceLogin(TypedDict):
    # The secret that the client polls with.
    device_code: str
    # The code that the user compares or enters.
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    # Seconds until the codes expire.
    expires_in: int
    # Minimum number of seconds between two polls.
    interval: int


class AuthorizeOAuthResponse(TypedDict):
    # The URL to open in the browser.
    authorize_url: str
    # The URL that the provider redirects to.
    redirect_uri: str


class ListConnectionsResponse(TypedDict):
    # google, github, twitter, or the name of a configured OpenID provider.
    provider: str
    email: Optional[str]
    connected_at: str


class ListOAuthProvidersResponseProviders(TypedDict):
    # google, github, twitter, or the name of a configured OpenID provider.
    name: str
    label: str


class ListOAuthProvidersResponse(TypedDict):
    # The providers that the server is configured for.
    providers: list[ListOAuthProvidersResponseProviders]


class Profile(TypedDict):
    display_name: str
    avatar_url: Optional[str]
    email: str
    username: str


class UpdatedProfile(TypedDict):
    display_name: str
    avatar_url: Optional[str]
    email: str


class Avatar(TypedDict):
    # A path on this server. The content never changes, so it can be cached indefinitely.
    avatar_url: str


class Preferences(TypedDict):
    auto_fetch_urls: Literal["always", "ask", "never"]
    auto_learn_urls: Literal["on", "off"]


class Preference(TypedDict):
    key: str
    value: str


class Instructions(TypedDict):
    # Fewer than 2,000 characters after trimming; empty if not set.
    instructions: str


class SavedView(TypedDict):
    name: str
    # The filters by their names, as the client has them; the server does not read them.
    query: dict[str, Union[str, bool]]
    created_at: str


class ListViewsResponse(TypedDict):
    views: list[SavedView]


class OrgDomainRecord(TypedDict):
    """The DNS record that verifies the domain. It must stay."""

    name: str
    type: Literal["TXT"]
    value: str


class OrgDomain(TypedDict):
    id: str
    # In lower case and ASCII (an internationalized one too).
    domain: str
    # Whether users with a verified address at exactly this domain join as member, without an
    # invite, once the domain is verified.
    joins: bool
    # The DNS record that verifies the domain. It must stay.
    record: OrgDomainRecord
    # Null while the record was not found, and after the verification has ended.
    verified_at: Optional[str]
    # When the record was last looked for.
    checked_at: Optional[str]
    # When a daily check first found no record of the verified domain; the verification ends seven
    # days later.
    missing_since: Optional[str]
    created_at: str


class OrgPoliciesSignInMethods(TypedDict):
    name: str
    label: str


class OrgPolicies(TypedDict):
    # `any`: a code of an authenticator app or a passkey; `passkey`: a passkey only, alone or after
    # a password.
    second_factor: Literal["none", "any", "passkey"]
    # The methods to sign in with: password, passkey, email_code, google, github, twitter, or the
    # name of a configured OpenID provider; null: all.
    providers: Optional[list[str]]
    # How long after the sign-in a session may use the organization; null: until it ends.
    session_hours: Optional[int]
    # The scopes that API keys and authorized apps may have in the organization; null: all.
    key_scopes: Optional[
        list[Literal["memory:read", "memory:write", "chat", "account:read", "account", "admin"]]
    ]
    # The providers that open the accounts which SCIM created at a verified domain, by their address
    # and without a step of the user; null: none. Only owners change it.
    managed_sign_in: Optional[list[str]]
    # The things that this session or key lacks for the policies of the organization.
    missing: list[PolicyShortfall]
    # The methods that this server offers.
    sign_in_methods: list[OrgPoliciesSignInMethods]


class OrganizationSeats(TypedDict):
    # Members and pending invites.
    used: int
    # Determined by the highest tier among the owners; null means no limit.
    limit: Optional[int]


class _Organization(TypedDict):
    id: str
    name: str
    # The role of the caller.
    role: Literal["owner", "admin", "member"]
    # Whether this is the default organization of the caller’s requests.
    is_active: bool
    seats: OrganizationSeats
    created_at: str
    updated_at: str


class Organization(_Organization, total=False):
    # The things that this session or key lacks for the policies of the organization.
    missing: list[PolicyShortfall]


OrgRole = Literal["owner", "admin", "member"]


class OrgMember(TypedDict):
    user_id: str
    username: str
    display_name: Optional[str]
    email: str
    avatar_url: Optional[str]
    role: OrgRole
    joined_at: str


class OrgInvite(TypedDict):
    id: str
    email: str
    role: str
    created_at: str
    # Seven days after creation.
    expires_at: str
    # The link in the email. It opens the page where the invited user joins.
    invite_url: str


class NewEventWebhook(TypedDict):
    webhook_id: str
    url: str
    # The events that it gets; null: all, also those of later versions.
    types: Optional[
        list[
            Literal[
                "user.created",
                "user.deleted",
                "user.disabled",
                "user.enabled",
                "user.tier_changed",
                "user.email_verified",
                "user.email_changed",
                "session.created",
                "session.failed",
                "session.revoked",
                "key.created",
                "key.changed",
                "key.revoked",
                "password.changed",
                "mfa.enabled",
                "mfa.disabled",
                "passkey.added",
                "passkey.removed",
                "provider.connected",
                "provider.disconnected",
                "app.authorized",
                "organization.created",
                "organization.updated",
                "organization.deleted",
                "member.invited",
                "member.invite_withdrawn",
                "member.joined",
                "member.removed",
                "member.role_changed",
            ]
        ]
    ]
    description: str
    enabled: bool
    # Why the server disabled it; null if a person did.
    disabled_reason: Optional[str]
    created_at: str
    # Signs the requests as of Standard Webhooks (HMAC-SHA256). It is returned only once.
    secret: str


class EventDelivery(TypedDict):
    # The header `webhook-id`: the same for each attempt.
    event_id: str
    type: str
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    # The HTTP status of the last response.
    status: Optional[int]
    # Why the last attempt failed.
    error: Optional[str]
    created_at: str
    next_attempt_at: Optional[str]
    delivered_at: Optional[str]
    # The body of the request.
    payload: dict[str, Any]


class EventDeliveries(TypedDict):
    deliveries: list[EventDelivery]
    # Pass it as `cursor`; null on the last page.
    next_cursor: Optional[str]


class EventWebhook(TypedDict):
    webhook_id: str
    url: str
    # The events that it gets; null: all, also those of later versions.
    types: Optional[
        list[
            Literal[
                "user.created",
                "user.deleted",
                "user.disabled",
                "user.enabled",
                "user.tier_changed",
                "user.email_verified",
                "user.email_changed",
                "session.created",
                "session.failed",
                "session.revoked",
                "key.created",
                "key.changed",
                "key.revoked",
                "password.changed",
                "mfa.enabled",
                "mfa.disabled",
                "passkey.added",
                "passkey.removed",
                "provider.connected",
                "provider.disconnected",
                "app.authorized",
                "organization.created",
                "organization.updated",
                "organization.deleted",
                "member.invited",
                "member.invite_withdrawn",
                "member.joined",
                "member.removed",
                "member.role_changed",
            ]
        ]
    ]
    description: str
    enabled: bool
    # Why the server disabled it; null if a person did.
    disabled_reason: Optional[str]
    created_at: str


class ReplayOrgDeliveriesResponse(TypedDict):
    count: int


class AllowedClientsKnown(TypedDict):
    client_id: str
    name: str
    # Whether a member uses it in the organization.
    in_use: bool


class AllowedClients(TypedDict):
    # The apps that may act in the organization; null: all.
    client_ids: Optional[list[str]]
    # The apps of the server, and those that members use in the organization.
    known: list[AllowedClientsKnown]


class NewScimToken(TypedDict):
    id: str
    name: str
    created_at: str
    # Updated at most once a minute.
    last_used_at: Optional[str]
    expires_at: Optional[str]
    # The credential. It is returned only once.
    token: str


class ScimToken(TypedDict):
    id: str
    name: str
    created_at: str
    # Updated at most once a minute.
    last_used_at: Optional[str]
    expires_at: Optional[str]


class ScimOverview(TypedDict):
    # The address that the identity provider needs.
    base_url: str
    # The users that were provisioned.
    user_count: int
    # The groups that were provisioned.
    group_count: int
    tokens: list[ScimToken]


class ReplayServerDeliveriesResponse(TypedDict):
    count: int


class CognitiveEngine(TypedDict):
    engine: str
    # What the engine does.
    about: str
    enabled: bool
    # The reason of the last change.
    reason: Optional[str]
    changed_at: Optional[str]
    # Number of memories in the queue of the engine.
    pending: int


class CognitiveEngines(TypedDict):
    engines: list[CognitiveEngine]


RegistryType = Literal[
    "action_types",
    "trigger_types",
    "channel_types",
    "condition_ops",
    "signal_types",
]


class RegistryEntryCostModel(TypedDict):
    # The quota that is consumed.
    metric: str
    # Units consumed per run.
    units: int


class RegistryEntry(TypedDict):
    name: str
    version: str
    # The topic of the handler.
    category: str
    # The origin of the handler: `builtin` for those of the server.
    handler_kind: str
    # The location of the handler in the server.
    handler_ref: str
    # `user` if every user may use it, otherwise the required tier.
    privilege_level: str
    enabled: bool
    # Null if the handler is free.
    cost_model: Optional[RegistryEntryCostModel]


class RegistryListing(TypedDict):
    registry_type: RegistryType
    count: int
    entries: list[RegistryEntry]


class AdminStatsUsers(TypedDict):
    total: int
    verified: int
    disabled: int
    # Users who used a session or an API key in the last 24 hours.
    active_24h: int
    # Users who used a session or an API key in the last 30 days.
    active_30d: int


class AdminStatsEmails(TypedDict):
    # Emails that the mail server has not accepted yet.
    queued: int
    # Emails that could not be delivered.
    failed: int


class AdminStatsJobs(TypedDict):
    kind: str
    waiting: int
    # Jobs that are running.
    active: int
    # Jobs that failed permanently in the last 7 days.
    failed: int


class AdminStatsEngines(TypedDict):
    engine: str
    enabled: bool
    # Number of memories in the queue of the engine.
    pending: int


class AdminStatsDatabase(TypedDict):
    kind: Literal["embedded", "postgres"]
    size_bytes: int


class AdminStats(TypedDict):
    users: AdminStatsUsers
    # Active sessions.
    sessions: int
    # API keys that have not expired.
    api_keys: int
    organizations: int
    # Memories that are neither deleted nor superseded.
    memories: int
    # Chat messages of users and of the service.
    messages: int
    emails: AdminStatsEmails
    jobs: list[AdminStatsJobs]
    engines: list[AdminStatsEngines]
    database: AdminStatsDatabase


class AdminUser(TypedDict):
    id: str
    email: str
    username: str
    display_name: Optional[str]
    tier: Tier
    is_admin: bool
    email_verified: bool
    created_at: str
    # When a session or an API key was last used, to the minute.
    last_seen_at: Optional[str]
    # When an admin disabled the account.
    disabled_at: Optional[str]


class AdminUsers(TypedDict):
    users: list[AdminUser]
    # Pass it as `cursor` to get the next page; null on the last page.
    next_cursor: Optional[str]


UserImportFormat = Literal["auto", "svc", "supabase", "better-auth", "firebase", "pocketbase"]


class _UserImportReportFailed(TypedDict):
    # The line number, or the index of the element in a JSON array; from 1.
    line: int
    detail: str


class UserImportReportFailed(_UserImportReportFailed, total=False):
    # The field with the problem.
    field: str


class UserImportReport(TypedDict):
    # Whether nothing was stored.
    dry_run: bool
    # Number of new users.
    imported: int
    # Number of users whose address or identity an account has, which was left as it is.
    existing: int
    # Number of identities of new users at providers that svc does not have.
    skipped_identities: int
    # Number of new users whose second factor is not in the file, or of another kind.
    skipped_factors: int
    # Number of users that could not be imported.
    failed_count: int
    # The first 1,000 failures.
    failed: list[UserImportReportFailed]


class StartedImpersonation(TypedDict):
    # A JWT, valid for 60 minutes.
    access_token: str
    token_type: Literal["bearer"]
    session_id: str
    # When the session ends. It cannot be refreshed.
    expires_at: str


class AdminAuditEntry(TypedDict):
    id: str
    action: str
    # The id of the affected object.
    subject: Optional[str]
    ip: Optional[str]
    details: dict[str, Any]
    created_at: str
    # The user whose audit log has the event.
    user_id: str
    # The email address of the user.
    email: Optional[str]


class AdminAuditLog(TypedDict):
    entries: list[AdminAuditEntry]
    # Pass it as `cursor` to get the next page; null on the last page. A page of a filtered list may
    # be short, because each searches 10,000 events at most.
    next_cursor: Optional[str]


class AdminConfigurationParts(TypedDict):
    part: Literal[
        "mail",
        "models",
        "embedding",
        "transcription",
        "oauth",
        "stripe",
        "s3",
        "postgres",
    ]
    configured: bool
    # The configured providers of `models` and `oauth`.
    providers: list[str]


class AdminConfiguration(TypedDict):
    parts: list[AdminConfigurationParts]


class AdminHistoryDays(TypedDict):
    day: str
    # Accounts that were created.
    users: int
    # Sessions that were started.
    sign_ins: int
    # Memories that were stored, also if they were deleted or replaced later.
    memories: int
    # Chat messages of users and of the service.
    messages: int


class AdminHistory(TypedDict):
    # One row for each day in UTC, oldest first.
    days: list[AdminHistoryDays]


class AdminQueuesJobs(TypedDict):
    kind: str
    # Jobs that wait for a worker, for a retry or for their time.
    waiting: int
    # Jobs that are running.
    active: int
    # Jobs that failed permanently in the last 7 days.
    failed: int
    # When the oldest waiting job was due; null if none is due.
    oldest_due_at: Optional[str]


class AdminQueuesFailedJobs(TypedDict):
    kind: str
    failed_at: str
    attempts: int
    # The message of the last error.
    error: Optional[str]


class AdminQueuesOutboxFailures(TypedDict):
    # The domain of the recipient.
    domain: str
    reason: Optional[str]
    failed_at: str


class AdminQueuesOutbox(TypedDict):
    """Emails of users to others."""

    # Emails that the mail server has not accepted yet.
    queued: int
    # Emails that could not be delivered.
    failed: int
    oldest_queued_at: Optional[str]
    # The last 20 failures, newest first.
    failures: list[AdminQueuesOutboxFailures]


class AdminQueues(TypedDict):
    jobs: list[AdminQueuesJobs]
    # The last 20 jobs that failed permanently, newest first.
    failed_jobs: list[AdminQueuesFailedJobs]
    # Emails of users to others.
    outbox: AdminQueuesOutbox


class SigningKey(TypedDict):
    # The `kid` of its tokens and of the key set.
    kid: str
    # `next`: published, and signs soon. `signing`: signs new tokens. `verifying`: its tokens are
    # valid until they expire. `retired`: its tokens have ended.
    state: Literal["next", "signing", "verifying", "retired"]
    published_at: str
    signs_from: str
    # Null for the newest key.
    signs_until: Optional[str]
    # When its last token has expired; null for the newest key.
    verifies_until: Optional[str]


class SigningKeys(TypedDict):
    keys: list[SigningKey]


class _CreatedClient(TypedDict):
    client_id: str
    name: str
    # Redirect URIs: `https`, `http` on a loopback address, or a private-use scheme.
    redirect_uris: list[str]
    # Where the browser may go after a sign-out.
    post_logout_redirect_uris: list[str]
    # Gets a logout token when the session of a user ends; null: none.
    backchannel_logout_uri: Optional[str]
    scopes: list[
        Literal["openid", "profile", "email", "offline_access", "memory:read", "memory:write"]
    ]
    # Users are not asked, because the app is one of the server’s own.
    skips_consent: bool
    # Whether the client has a secret.
    confidential: bool
    created_at: str
    # When a user last signed in.
    last_used_at: Optional[str]


class CreatedClient(_CreatedClient, total=False):
    # Shown once.
    client_secret: str


class ManagedClient(TypedDict):
    client_id: str
    name: str
    # Redirect URIs: `https`, `http` on a loopback address, or a private-use scheme.
    redirect_uris: list[str]
    # Where the browser may go after a sign-out.
    post_logout_redirect_uris: list[str]
    # Gets a logout token when the session of a user ends; null: none.
    backchannel_logout_uri: Optional[str]
    scopes: list[
        Literal["openid", "profile", "email", "offline_access", "memory:read", "memory:write"]
    ]
    # Users are not asked, because the app is one of the server’s own.
    skips_consent: bool
    # Whether the client has a secret.
    confidential: bool
    created_at: str
    # When a user last signed in.
    last_used_at: Optional[str]


class RotateClientSecretResponse(TypedDict):
    # Shown once.
    client_secret: str


class ChangeServerSettingsChanges(TypedDict):
    # The name of the environment variable with the same meaning.
    name: str
    # Null restores the default.
    value: Optional[str]
    # The `version` that the caller has read.
    version: int


class ServerSetting(TypedDict):
    # The name of the environment variable with the same meaning.
    name: str
    group: Literal["mail", "models", "transcription", "sign_in", "server", "backup"]
    about: str
    # The value without a setting; empty: none.
    default: str
    # `environment`: the variable is set, and the setting cannot be changed.
    source: Literal["environment", "stored", "default"]
    # The value that is set. Null for a secret. The user and password of a URL are hidden.
    value: Optional[str]
    is_secret: bool
    # The last four characters of a long secret that is set; null for a passphrase.
    hint: Optional[str]
    # False for a stored value that was encrypted with another secret of the server; the default is
    # used.
    is_readable: bool
    # The accepted values.
    choices: Optional[list[str]]
    # The lowest number.
    minimum: Optional[int]
    # The highest number.
    maximum: Optional[int]
    # Counts the changes; a change names the one that it replaces.
    version: int
    changed_at: Optional[str]
    # The email address of the admin.
    changed_by: Optional[str]


class ServerSettings(TypedDict):
    settings: list[ServerSetting]


class TestServerSettingsValues(TypedDict):
    # The name of the environment variable with the same meaning.
    name: str
    value: Optional[str]


class ServerSettingTestsTests(TypedDict):
    # What was tested.
    target: str
    ok: bool
    # The result, or the reason of a failure.
    message: str


class ServerSettingTests(TypedDict):
    tests: list[ServerSettingTestsTests]


class ServerBackup(TypedDict):
    id: str
    state: Literal["waiting", "running", "done", "failed"]
    # Whether the schedule started it.
    scheduled: bool
    encrypted: bool
    # The file.
    path: Optional[str]
    # The machine that has the file.
    host: Optional[str]
    # Whether the file is still there; null if it is on another machine.
    present: Optional[bool]
    size_bytes: Optional[int]
    progress: Optional[str]
    error: Optional[str]
    # The command that restores it on that machine while svc is stopped.
    restore_command: Optional[str]
    created_at: str
    finished_at: Optional[str]


class ServerBackups(TypedDict):
    # The last 100, newest first.
    backups: list[ServerBackup]
    # When the schedule starts the next one.
    next_at: Optional[str]


class LogLine(TypedDict):
    id: str
    # The machine and the process.
    process: str
    time: str
    level: Literal["trace", "debug", "info", "warn", "error", "fatal"]
    message: str
    # The other fields.
    details: dict[str, Any]


class LogLines(TypedDict):
    # Newest first.
    lines: list[LogLine]
    # The processes of this server whose lines were searched.
    processes: list[str]
    # Pass it as `before` for older lines; null if there are none.
    next_before: Optional[str]


class Balance(TypedDict):
    # 1,000 credits are one US dollar. Negative after a reversed payment.
    balance_credits: float
    balance_usd: float
    # Whether the balance is below one US dollar.
    low_balance: bool
    # Whether the balance is used up.
    depleted: bool


class BillingMeSubscription(TypedDict):
    tier: Tier
    status: str
    current_period_end: Optional[str]
    cancel_at_period_end: bool


class BillingMePaygPricesUsd(TypedDict):
    # Price of one unit in US dollars.
    messages: float
    # Price of one unit in US dollars.
    urls: float
    # Price of one unit in US dollars.
    emails: float
    # Price of one unit in US dollars.
    transcriptions: float


class BillingMePayg(TypedDict):
    # Whether pay as you go is turned on; an active subscription takes precedence.
    enabled: bool
    # 1,000 credits are one US dollar. Negative after a reversed payment.
    balance_credits: float
    balance_usd: float
    # Whether the balance is below one US dollar.
    low_balance: bool
    # Whether the balance is used up.
    depleted: bool
    # The spending cap of pay as you go per calendar month; null means no cap.
    cap_usd: Optional[float]
    # Spent in this calendar month.
    spent_usd: float
    prices_usd: BillingMePaygPricesUsd


class BillingMe(TypedDict):
    tier: Tier
    # The active subscription, or the last one; null if there was none.
    subscription: Optional[BillingMeSubscription]
    payg: BillingMePayg


class PaygCap(TypedDict):
    # The spending cap of pay as you go per calendar month; null means no cap.
    cap_usd: Optional[float]
    # Spent in this calendar month.
    spent_usd: float


class TierTermsQuotas(TypedDict):
    # Null means no limit.
    messages: Optional[int]
    # Null means no limit.
    urls: Optional[int]
    # Null means no limit.
    emails: Optional[int]
    # Null means no limit.
    transcriptions: Optional[int]


class TierTerms(TypedDict):
    name: Tier
    # US dollars per month; 0 for tiers without a subscription.
    price_usd: float
    quotas: TierTermsQuotas
    # Maximum number of members of an organization; null means no limit.
    seats: Optional[int]
    features: list[Literal["deep", "sage", "webhooks"]]


class Tiers(TypedDict):
    tiers: list[TierTerms]
    # Whether Stripe is configured; otherwise an admin sets the tiers of users.
    takes_payments: bool


class UsageUsageMessages(TypedDict):
    used: int
    # Null means no limit.
    limit: Optional[int]
    # Null means no limit.
    remaining: Optional[int]


class UsageUsage(TypedDict):
    messages: UsageUsageMessages
    urls: UsageUsageMessages
    emails: UsageUsageMessages
    transcriptions: UsageUsageMessages


class Usage(TypedDict):
    tier: Tier
    # Start of the calendar month, in UTC.
    period_start: str
    # When the counters reset.
    period_end: str
    usage: UsageUsage


class UsageHistoryMonthsUsage(TypedDict):
    messages: int
    urls: int
    emails: int
    transcriptions: int


class UsageHistoryMonths(TypedDict):
    # Start of the calendar month, in UTC.
    period_start: str
    usage: UsageHistoryMonthsUsage
    # Paid with credits.
    spent_usd: float


class UsageHistory(TypedDict):
    # Oldest first. The last one is this month.
    months: list[UsageHistoryMonths]


class PaymentPage(TypedDict):
    # The URL of a page of the payment provider, to open in a browser.
    url: str


MemoryType = Literal["semantic", "episodic", "procedural", "preference"]

Trust = Literal["user", "assistant", "imported", "external"]


class MemorySource(TypedDict):
    # The kind of writer; for a caller `api_key`, `session`, or `impersonation` for an admin who
    # used the account.
    kind: str
    # The id of the API key or session.
    ref: Optional[str]
    # Who the text comes from, as the server saw it: `user`: the person; `assistant`: an assistant,
    # or a tool that it called; `imported`: a file; `external`: a page, an email, a device or
    # another person.
    trust: Trust


class Memory(TypedDict):
    memory_id: str
    content_text: str
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    importance: float
    tags: list[str]
    thread: Optional[str]
    # The position in the thread, from 1.
    position: Optional[int]
    author: Optional[str]
    agent_slug: Optional[str]
    org_id: Optional[str]
    source: MemorySource
    metadata: dict[str, Any]
    occurred_at: Optional[str]
    created_at: str
    updated_at: str
    valid_from: Optional[str]
    valid_to: Optional[str]
    supersedes: Optional[str]
    superseded_by: Optional[str]


class MemoryEventActor(TypedDict):
    # `api_key`, `session`, `impersonation` or `engine`.
    kind: str
    # The id of the API key or session, or the name of the engine.
    ref: Optional[str]


class _MemoryEventBefore(TypedDict):
    content_text: str
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    importance: float
    tags: list[str]
    thread: Optional[str]
    author: Optional[str]
    agent_slug: Optional[str]
    metadata: dict[str, Any]
    occurred_at: Optional[str]


class MemoryEventBefore(_MemoryEventBefore, total=False):
    position: Optional[int]


class MemoryEvent(TypedDict):
    id: str
    action: Literal["created", "updated", "superseded", "deleted", "restored"]
    actor: MemoryEventActor
    # The memory before the change, for an update.
    before: Optional[MemoryEventBefore]
    created_at: str


class RememberedAdded(TypedDict, total=False):
    """What the stored memory got from this request, where that is something."""

    # Tags that it did not have.
    tags: list[str]
    # The new, greater importance.
    importance: float


class _Remembered(TypedDict):
    memory_id: str
    content_text: str
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    importance: float
    tags: list[str]
    thread: Optional[str]
    # The position in the thread, from 1.
    position: Optional[int]
    author: Optional[str]
    agent_slug: Optional[str]
    org_id: Optional[str]
    source: MemorySource
    metadata: dict[str, Any]
    occurred_at: Optional[str]
    created_at: str
    updated_at: str
    valid_from: Optional[str]
    valid_to: Optional[str]
    supersedes: Optional[str]
    superseded_by: Optional[str]
    # Whether the same content was already stored.
    deduplicated: bool


class Remembered(_Remembered, total=False):
    # What the stored memory got from this request, where that is something.
    added: RememberedAdded


class _Remember(TypedDict):
    # The text to remember.
    content: str


class Remember(_Remember, total=False):
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    # How important the memory is, from 0 to 1.
    importance: float
    # Labels that recall can filter by. They are compared without regard to case, blanks and
    # invisible characters.
    tags: list[str]
    # The conversation or document that the memory belongs to.
    thread: Optional[str]
    # The position in the thread, for memories stored out of order. Default: after the last one.
    position: Optional[int]
    # The person who said or wrote it.
    author: Optional[str]
    # The agent that the memory belongs to.
    agent_slug: Optional[str]
    # When it happened. Default: now.
    occurred_at: Optional[Time]
    # Any JSON object of up to 65,536 characters. It is stored unchanged.
    metadata: dict[str, Any]
    # The memory that this one replaces. It is kept, and recall with `as_of` still finds it.
    supersedes: Optional[str]


class RememberedBatch(TypedDict):
    memories: list[Remembered]
    count: int


class ForgottenMemories(TypedDict):
    # The number that was deleted, or would be.
    count: int
    # For `POST /api/memories/restore`; null where none was deleted.
    deleted_since: Optional[str]


class RestoredMemories(TypedDict):
    count: int


class MemoryValues(TypedDict):
    # Threads in their order, tags and authors by frequency, ids the newest first.
    values: list[str]
    has_more: bool


class MemoryList(TypedDict):
    memories: list[Memory]
    # Pass it as `cursor` to get the next page; null on the last page.
    next_cursor: Optional[str]


class MemoryChanges(TypedDict):
    # The changes since the cursor are not known any more, or there is no cursor: the caller reads
    # all memories after this response (`GET /api/memories/export`).
    reset: bool
    # The memories that were stored, changed or superseded, as they are now, and those that
    # superseded them.
    memories: list[Memory]
    # The ids of the memories that were deleted.
    deleted: list[str]
    # Pass it as `cursor` to get what changes from now on.
    next_cursor: str


class MemoryFacetsMemoryType(TypedDict):
    value: str
    count: int


class MemoryFacets(TypedDict):
    # The number of memories that match.
    total: int
    # The most frequent first.
    memory_type: list[MemoryFacetsMemoryType]
    # The most frequent first.
    trust: list[MemoryFacetsMemoryType]
    # The most frequent first.
    tag: list[MemoryFacetsMemoryType]
    # The most frequent first.
    author: list[MemoryFacetsMemoryType]
    # The most frequent first.
    thread: list[MemoryFacetsMemoryType]
    # The most frequent first.
    agent_slug: list[MemoryFacetsMemoryType]
    # The most frequent first.
    client: list[MemoryFacetsMemoryType]


ScopeMode = Literal["tiered", "agent", "personal", "org", "all"]


class Explanation(TypedDict):
    """score = (words × coverage + thread + semantic + time + fact) × author × dialogue × date ×
    length × similarity × person × preference × feedback"""

    # BM25 score of the words of the question in the memory and its neighbors in the thread; it
    # counts less for a memory with neighbors.
    words: float
    # The share of the question’s words that were found: 0.2-1, or 0 if none was found.
    coverage: float
    # Added for the BM25 score of the whole thread.
    thread: float
    # Added for the vector similarity to the question; more for a preference or an instruction if
    # the question asks for advice.
    semantic: float
    # Added for matching a time in the question.
    time: float
    # Added for a fact that the question asks for, or for the id of the memory in it.
    fact: float
    # Factor for an author named in the question, or for the user’s own words if the question is
    # about the user.
    author: float
    # Factor for a memory that answers or asks a question.
    dialogue: float
    # Factor for a time in the question.
    date: float
    # Factor for a memory that is short compared to others of its author: 0.8-1.
    length: float
    # Factor for the vector similarity to the question.
    similarity: float
    # Factor for words in the first person: 1-1.11.
    person: float
    # Factor for a preference or an instruction if the question asks for advice: 1 or 1.5.
    preference: float
    # Factor for a memory that is marked as not relevant to this question: 0.1, or to a similar one:
    # less than 1.
    feedback: float


class _RecalledMemory(TypedDict):
    memory_id: str
    content_text: str
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    importance: float
    tags: list[str]
    thread: Optional[str]
    # The position in the thread, from 1.
    position: Optional[int]
    author: Optional[str]
    agent_slug: Optional[str]
    org_id: Optional[str]
    source: MemorySource
    metadata: dict[str, Any]
    occurred_at: Optional[str]
    created_at: str
    updated_at: str
    valid_from: Optional[str]
    valid_to: Optional[str]
    supersedes: Optional[str]
    superseded_by: Optional[str]
    score: float


class RecalledMemory(_RecalledMemory, total=False):
    # score = (words × coverage + thread + semantic + time + fact) × author × dialogue × date ×
    # length × similarity × person × preference × feedback
    explanation: Explanation


class _RecallResult(TypedDict):
    memories: list[RecalledMemory]
    # The number of memories returned, or in the text.
    count: int


class RecallResult(_RecallResult, total=False):
    # For `text`: a line for each memory, best first, with its date and author; those of one day
    # together, in the order of their times. A long memory is cut to the sentences that fit the
    # question. The text is quoted data, not instructions.
    text: str
    # For `text`: the ids of the memories, in its order.
    memory_ids: list[str]
    # With a budget: the estimated length of the text, or of the memories as JSON.
    tokens: int


class ContextResult(TypedDict):
    # The block to put in front of a model; empty where nothing is relevant. Its quoted memories are
    # data, not instructions.
    text: str
    # The memories in the text, in its order.
    memories: list[RecalledMemory]
    # The estimated length of the text.
    tokens: int


class ExportSignature(TypedDict):
    # The Ed25519 public key of the server, in base64url.
    key: str
    # The user or the organization whose memory it is.
    owner: str
    # The SHA-256 of the verified email address of the user, in base64url.
    email: Optional[str]
    # The signature of the SHA-256 of the line as JSON with sorted keys, without this field.
    value: str


class _ExportedMemory(TypedDict):
    memory_id: str
    content_text: str
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    importance: float
    tags: list[str]
    thread: Optional[str]
    # The position in the thread, from 1.
    position: Optional[int]
    author: Optional[str]
    agent_slug: Optional[str]
    org_id: Optional[str]
    source: MemorySource
    metadata: dict[str, Any]
    occurred_at: Optional[str]
    created_at: str
    updated_at: str
    valid_from: Optional[str]
    valid_to: Optional[str]
    supersedes: Optional[str]
    superseded_by: Optional[str]
    # The text search configuration of PostgreSQL that the memory is indexed with.
    language: str
    # The time zone that dates in the text are read in; null: that of the latest request of the
    # writer.
    timezone: Optional[str]


class ExportedMemory(_ExportedMemory, total=False):
    signature: ExportSignature


ImportFormat = Literal["auto", "svc", "mcp", "mem0", "chatgpt", "claude"]


class ImportReportFailed(TypedDict):
    # The line number, or the index of the element in a JSON array; from 1.
    line: int
    detail: str


class ImportReportTrustLowered(TypedDict):
    # The line has no signature; it was changed after the export; its server is not known here; it
    # is of another account or organization; or the credential of the import is not that of a
    # person.
    reason: Literal["unsigned", "changed", "unknown_server", "other_account", "credential"]
    # Number of new memories.
    count: int


class _ImportReport(TypedDict):
    # Number of new memories.
    imported: int
    # Number of memories that were already stored.
    deduplicated: int
    # Number of lines that could not be imported.
    failed_count: int
    # The first 1,000 failures.
    failed: list[ImportReportFailed]


class ImportReport(_ImportReport, total=False):
    # The new memories that are trusted less than the file says, if there are any.
    trust_lowered: list[ImportReportTrustLowered]


FactKind = Literal["name", "home", "work", "preference", "date", "relation", "reminder"]


class MemoryFact(TypedDict):
    fact_id: str
    kind: FactKind
    # `self`, or the name of the person as written.
    subject: str
    # The kind of statement about the subject.
    key: str
    value: str
    # For a preference.
    polarity: Optional[Literal["like", "dislike"]]
    # For a reminder with a time.
    due_at: Optional[str]
    # The passage of the memory that states the fact.
    quote: str
    # Who the text comes from, as the server saw it: `user`: the person; `assistant`: an assistant,
    # or a tool that it called; `imported`: a file; `external`: a page, an email, a device or
    # another person.
    trust: Trust
    # `rules`, the name of the model, or `choice` for a value chosen by the user.
    extracted_by: str


class MemoryFacts(TypedDict):
    facts: list[MemoryFact]
    # Whether extraction of the current version is still queued.
    pending: bool


class MemoryMark(TypedDict):
    feedback_id: str
    memory_id: str
    # The question; null where another member of the organization asked it.
    question: Optional[str]
    created_at: str


class MemoryMarks(TypedDict):
    # The newest first.
    feedback: list[MemoryMark]


class RelatedMemoriesLinks(TypedDict):
    memory: Memory
    # `words`: they share rare words; `explicit`: the metadata of one names the other.
    kind: Literal["words", "explicit"]
    weight: float


class RelatedMemories(TypedDict):
    # The memories before it in its thread, in order.
    before: list[Memory]
    # The memories after it in its thread, in order.
    after: list[Memory]
    # The memories that are linked to it, closest first, up to 20.
    links: list[RelatedMemoriesLinks]
    # The memories that it superseded, directly or not, the latest first, up to 50.
    earlier_versions: list[Memory]
    # The memories that supersede it, directly or not, the oldest first, up to 50.
    later_versions: list[Memory]


class _CapturedMessage(TypedDict):
    # The id of the turn, or the ordinal of the prompt in the conversation.
    turn: str
    # Who wrote it.
    role: Literal["user", "assistant"]
    # The text, verbatim. A text over 32,000 characters becomes several memories, split at the ends
    # of paragraphs.
    content: str


class CapturedMessage(_CapturedMessage, total=False):
    # The number of the prompt in the conversation, from 1.
    ordinal: Optional[int]
    # Default: now.
    occurred_at: Optional[Time]


class CapturedMemories(TypedDict):
    memory_id: str
    turn: str
    role: str
    # Whether this turn was already stored.
    deduplicated: bool


class Captured(TypedDict):
    memories: list[CapturedMemories]
    # The number of new memories.
    count: int


class DeleteCaptureResponse(TypedDict):
    deleted: int
    # The start of the deletion. A restore with it leaves what was deleted before.
    deleted_since: str


class CaptureSession(TypedDict):
    client: str
    session: str
    # The thread of its memories.
    thread: str
    project: Optional[str]
    # The number of its memories that are not deleted.
    memories: int
    # The number of its deleted memories.
    deleted: int
    first_at: str
    last_at: str


class ListCapturesResponse(TypedDict):
    sessions: list[CaptureSession]
    next_cursor: Optional[str]


class RestoreCaptureResponse(TypedDict):
    restored: int


class AnchorHistory(TypedDict):
    value: str
    memory_id: str
    # Who the text comes from, as the server saw it: `user`: the person; `assistant`: an assistant,
    # or a tool that it called; `imported`: a file; `external`: a page, an email, a device or
    # another person.
    trust: Trust
    at: str


class Anchor(TypedDict):
    anchor_key: str
    value: str
    # The latest memory that states the value.
    memory_id: str
    # The passage of the memory that states the value.
    quote: str
    # Who the text comes from, as the server saw it: `user`: the person; `assistant`: an assistant,
    # or a tool that it called; `imported`: a file; `external`: a page, an email, a device or
    # another person.
    trust: Trust
    # When the value was first stated after any other value.
    since: str
    # Other values, latest first.
    history: list[AnchorHistory]


class Anchors(TypedDict):
    anchors: list[Anchor]


class IdentityConflictValues(TypedDict):
    value: str
    # The latest memory that states the value.
    memory_id: str
    # The passage of the memory that states the value.
    quote: str
    # Who the text comes from, as the server saw it: `user`: the person; `assistant`: an assistant,
    # or a tool that it called; `imported`: a file; `external`: a page, an email, a device or
    # another person.
    trust: Trust
    # When the value was stated.
    at: str


class IdentityConflict(TypedDict):
    anchor_key: str
    # The contradicting values, latest first. Until the conflict is resolved the latest one of the
    # highest trust is the anchor.
    values: list[IdentityConflictValues]
    # When the first value was contradicted.
    since: str


class IdentityConflicts(TypedDict):
    conflicts: list[IdentityConflict]


class BridgeMemoriesBridgeMemories(TypedDict):
    memory_id: str
    content_text: str
    # Betweenness centrality: the share of shortest paths between other memories that pass through
    # this one, 0-1.
    betweenness_score: float
    importance: float
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    tags: list[str]


class BridgeMemories(TypedDict):
    user_id: str
    bridge_memories: list[BridgeMemoriesBridgeMemories]
    # Number of memories with a betweenness above 0.
    total: int


class MemoryGraphNodes(TypedDict):
    memory_id: str
    # The start of the memory.
    label: str
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    importance: float
    thread: Optional[str]
    # When it happened, or when it was stored if that is unknown.
    time: str
    betweenness: float


MemoryGraphEdges = TypedDict(
    "MemoryGraphEdges",
    {
        "from": str,
        "to": str,
        "kind": Literal["thread", "words", "explicit", "supersedes"],
        # For kind `words`, the rarity of the shared words; otherwise 1.
        "weight": float,
    },
)


class MemoryGraph(TypedDict):
    nodes: list[MemoryGraphNodes]
    # At most 10,000; the weakest of kind `words` are left out.
    edges: list[MemoryGraphEdges]
    # Number of nodes of the whole graph.
    node_count: int
    edge_count: int
    # Whether betweenness is estimated by sampling, because the graph is large.
    is_sampled: bool
    computed_at: Optional[str]


class MemoryStatisticsMemories(TypedDict):
    # Memories that recall searches.
    total: int
    by_type: dict[str, int]
    # By the language that is used for stemming.
    by_language: dict[str, int]
    # Deleted memories that can still be restored.
    forgotten: int
    # Memories that another memory replaced.
    superseded: int
    oldest: Optional[str]
    newest: Optional[str]


class MemoryStatisticsTags(TypedDict):
    tag: str
    count: int


class MemoryStatisticsEngines(TypedDict):
    engine: str
    # Number of memories in the queue of the engine.
    pending: int


class MemoryStatistics(TypedDict):
    memories: MemoryStatisticsMemories
    threads: int
    authors: int
    # The 20 most frequent tags.
    tags: list[MemoryStatisticsTags]
    # Extracted facts by kind.
    facts: dict[str, int]
    # Links between memories, except those by thread.
    links: int
    engines: list[MemoryStatisticsEngines]


ProactiveKind = Literal["reminder", "question", "conflict"]


class ProactiveIntent(TypedDict):
    intent_id: str
    kind: ProactiveKind
    title: str
    # The text of the source memories.
    text: str
    # When the topic became due.
    due_at: str
    memory_ids: list[str]
    # For a conflict.
    anchor_key: Optional[str]
    # For a notification of a reflex.
    reflex_id: Optional[str]
    # The sort key, highest first. Feedback changes it.
    weight: float
    feedback: Optional[Literal["thumbs_up", "thumbs_down"]]
    state: Literal["open"]
    created_at: str


class UpcomingReminder(TypedDict):
    title: str
    # The text of the source memory.
    text: str
    # The next time at which the reminder is due.
    due_at: str
    memory_ids: list[str]


class SenseDevice(TypedDict):
    device_id: str
    device_name: str
    capabilities: list[str]
    metadata: dict[str, Any]
    last_signal_at: Optional[str]
    created_at: str
    updated_at: str


SignalType = Literal[
    "number",
    "boolean",
    "text",
    "readings",
    "location",
    "event",
    "presence",
    "battery",
]


class Signal(TypedDict):
    signal_id: str
    device_id: str
    signal_type: str
    value: Any
    occurred_at: str
    received_at: str


class ReceivedSignal(TypedDict):
    signal_id: str
    device_id: str
    signal_type: str
    value: Any
    occurred_at: str
    received_at: str
    # Whether the signal was already stored.
    deduplicated: bool


class _CreateReflexTriggerSignal(TypedDict):
    type: Literal["signal"]


class CreateReflexTriggerSignal(_CreateReflexTriggerSignal, total=False):
    """Fires on a signal of a device."""

    # Default: every device.
    device_id: Optional[str]
    # Default: every type.
    signal_type: Optional[SignalType]


class _CreateReflexTriggerSchedule(TypedDict):
    type: Literal["schedule"]


class CreateReflexTriggerSchedule(_CreateReflexTriggerSchedule, total=False):
    """Fires at a time: either `at` or `cron`."""

    # A single time.
    at: Optional[str]
    # A recurring time as a cron expression: minute, hour, day of month, month, day of week.
    cron: Optional[str]
    # The time zone of `cron`, and of an `at` without an offset. Default: the time zone of the user.
    timezone: Optional[str]


class _CreateReflexTriggerMemory(TypedDict):
    type: Literal["memory"]


class CreateReflexTriggerMemory(_CreateReflexTriggerMemory, total=False):
    """Fires on a new memory of the user, except imported ones and those written by a reflex."""

    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: Optional[MemoryType]
    # The memory must have all of these tags.
    tags: Optional[list[str]]
    # Only if the text contains these words, case-insensitive.
    contains: Optional[str]


class _CreateReflexTriggerMessage(TypedDict):
    type: Literal["message"]


class CreateReflexTriggerMessage(_CreateReflexTriggerMessage, total=False):
    """Fires on a message."""

    # `chat`: messages of the user; `talk`: messages of the user’s agents; `dm`: direct messages to
    # the user. Default: all of them.
    source: Optional[Literal["chat", "talk", "dm"]]
    # Only if the text contains these words, case-insensitive.
    contains: Optional[str]


class _CreateReflexConditions(TypedDict):
    op: Literal["eq", "ne", "gt", "gte", "lt", "lte", "contains", "in", "exists"]
    # The location in the event: keys and indexes joined by dots, or a JSON pointer (RFC 6901). If
    # nothing is there, the condition is not met.
    path: str


class CreateReflexConditions(_CreateReflexConditions, total=False):
    # The value to compare with: a number, a time or a string; a list for `in`; a boolean for
    # `exists`.
    value: Any


class _CreateReflexActionNotify(TypedDict):
    type: Literal["notify"]
    # `inbox`: a topic of the proactive list; `chat`: a chat session; `email`: an email to the user.
    channel: Literal["inbox", "chat", "email"]
    # The text of the notification. `{{path}}` is replaced by the value at that path of the event.
    text: str


class CreateReflexActionNotify(_CreateReflexActionNotify, total=False):
    """Notifies the user."""

    # The subject. Default: the name of the reflex. `{{path}}` is replaced by the value at that path
    # of the event.
    title: Optional[str]


class _CreateReflexActionRemember(TypedDict):
    type: Literal["remember"]
    # The text of the memory. `{{path}}` is replaced by the value at that path of the event.
    content: str


class CreateReflexActionRemember(_CreateReflexActionRemember, total=False):
    """Stores a memory of the user."""

    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    tags: list[str]


class _CreateReflexActionWebhook(TypedDict):
    type: Literal["webhook"]
    # A public URL.
    url: str


class CreateReflexActionWebhook(_CreateReflexActionWebhook, total=False):
    """Posts the event to a URL, signed (Standard Webhooks)."""

    channel: Literal["webhook"]


class ReflexWithSecret(TypedDict):
    reflex_id: str
    name: str
    trigger: Union[
        CreateReflexTriggerSignal,
        CreateReflexTriggerSchedule,
        CreateReflexTriggerMemory,
        CreateReflexTriggerMessage,
    ]
    conditions: list[CreateReflexConditions]
    action: Union[CreateReflexActionNotify, CreateReflexActionRemember, CreateReflexActionWebhook]
    confirm: bool
    enabled: bool
    # Why the server disabled the reflex; null if the user did.
    disabled_reason: Optional[str]
    # Whether the user decided `skip_always`. The reflex does not run until this is false.
    skip_always: bool
    # When the schedule fires next.
    next_at: Optional[str]
    last_fired_at: Optional[str]
    created_at: str
    updated_at: str
    # The signing secret of the webhook. It is returned only once. Null if the reflex has no
    # webhook.
    webhook_secret: Optional[str]


class Reflex(TypedDict):
    reflex_id: str
    name: str
    trigger: Union[
        CreateReflexTriggerSignal,
        CreateReflexTriggerSchedule,
        CreateReflexTriggerMemory,
        CreateReflexTriggerMessage,
    ]
    conditions: list[CreateReflexConditions]
    action: Union[CreateReflexActionNotify, CreateReflexActionRemember, CreateReflexActionWebhook]
    confirm: bool
    enabled: bool
    # Why the server disabled the reflex; null if the user did.
    disabled_reason: Optional[str]
    # Whether the user decided `skip_always`. The reflex does not run until this is false.
    skip_always: bool
    # When the schedule fires next.
    next_at: Optional[str]
    last_fired_at: Optional[str]
    created_at: str
    updated_at: str


class FiringEvent(TypedDict):
    type: Literal["signal", "schedule", "memory", "message"]


class Firing(TypedDict):
    firing_id: str
    reflex_id: str
    # `pending`: about to run; `waiting`: needs confirmation; `skipped`: skipped by the user;
    # `limited`: over the hourly limit.
    state: Literal["pending", "waiting", "done", "failed", "skipped", "limited"]
    event: FiringEvent
    # Why the firing did not run.
    error: Optional[str]
    # Number of failed attempts.
    attempts: int
    created_at: str
    updated_at: str


class NewWebhookSecret(TypedDict):
    webhook_secret: str


class ReflexTest(TypedDict):
    # Whether the trigger and all conditions match the event.
    fires: bool
    # Whether the trigger matches the event.
    triggered: bool
    # Whether each condition of the reflex is met, in its order.
    conditions: list[bool]
    # What the action would do; null if the reflex does not fire.
    preview: Optional[str]


class Confirmation(TypedDict):
    intent_id: str
    reflex_id: str
    reflex_name: str
    firing_id: str
    # The action that runs if confirmed.
    text: str
    event: FiringEvent
    created_at: str
    # When the firing is skipped automatically.
    expires_at: str


class ContentBlockImageUrl(TypedDict):
    """For type `image_url`."""

    # A `data:` URL of an image.
    url: str


class _ContentBlock(TypedDict):
    type: Literal["text", "image_url", "file"]


class ContentBlock(_ContentBlock, total=False):
    # For type `text`.
    text: str
    # For type `image_url`.
    image_url: ContentBlockImageUrl
    # For type `file`: the id of an uploaded file.
    file_id: str


Depth = Literal["quick", "deep", "sage"]


class TokenUsage(TypedDict):
    input_tokens: int
    output_tokens: int
    # Whether the numbers are estimated from the text, because the provider returned none.
    estimated: bool


class _CitedMemory(TypedDict):
    memory_id: str
    content_text: str


class CitedMemory(_CitedMemory, total=False):
    score: float


class ChatMessageVersion(TypedDict):
    content: str
    provider: Optional[str]
    model: Optional[str]
    is_partial: bool
    created_at: str


class ChatMessage(TypedDict):
    id: str
    session_id: str
    role: Literal["user", "assistant"]
    content: str
    content_blocks: list[ContentBlock]
    file_ids: list[str]
    # The page whose text was attached to the message.
    url_snapshot_hash: Optional[str]
    # The message that this one answers.
    reply_to: Optional[str]
    provider: Optional[str]
    model: Optional[str]
    usage: Optional[TokenUsage]
    # The memories recalled for the answer, except those deleted since.
    memories: list[CitedMemory]
    # Whether the answer is incomplete: the client disconnected or the model failed.
    is_partial: bool
    # The earlier versions of this answer, oldest first.
    versions: list[ChatMessageVersion]
    created_at: str


class ChatAnswer(TypedDict):
    session_id: str
    message: ChatMessage
    # The memories recalled for the answer, best first.
    memories: list[RecalledMemory]


class ChatStreamEventStartData(TypedDict):
    session_id: str
    # The id of the answer.
    message_id: str
    # The provider of the answer.
    provider: str
    # The model of the answer; null for `local`.
    model: Optional[str]


class ChatStreamEventStart(TypedDict):
    event: Literal["start"]
    data: ChatStreamEventStartData


class ChatStreamEventMemoriesData(TypedDict):
    # The memories recalled for the answer, best first.
    memories: list[RecalledMemory]


class ChatStreamEventMemories(TypedDict):
    event: Literal["memories"]
    data: ChatStreamEventMemoriesData


class ChatStreamEventDeltaData(TypedDict):
    # The next part of the answer.
    text: str


class ChatStreamEventDelta(TypedDict):
    event: Literal["delta"]
    data: ChatStreamEventDeltaData


class ToolUse(TypedDict):
    name: str
    # The id of the tool call; all its events carry it.
    id: str
    # `proposed`: a URL in the message that is read once the user agrees.
    state: Literal["running", "done", "failed", "proposed"]
    input: Any


class ChatStreamEventTool(TypedDict):
    event: Literal["tool"]
    data: ToolUse


class ChatStreamEventDoneData(TypedDict):
    message: ChatMessage
    usage: TokenUsage


class ChatStreamEventDone(TypedDict):
    event: Literal["done"]
    data: ChatStreamEventDoneData


ChatStreamEvent = Union[
    ChatStreamEventStart,
    ChatStreamEventMemories,
    ChatStreamEventDelta,
    ChatStreamEventTool,
    ChatStreamEventDone,
]


class ListChatModelsResponseModels(TypedDict):
    provider: str
    # Null for `local`, which quotes memories without a model.
    model: Optional[str]
    # `false` after failures: another one answers meanwhile.
    is_available: bool


class ListChatModelsResponse(TypedDict):
    # In the order in which they answer.
    models: list[ListChatModelsResponseModels]


class TalkAnswer(TypedDict):
    agent_slug: str
    # The answer of the service.
    icog_response: str
    # The memories recalled for the answer, best first.
    memories: list[RecalledMemory]
    created_at: str


class TalkStreamEventStartData(TypedDict):
    agent_slug: str
    # The id of the answer.
    message_id: str
    # The provider of the answer.
    provider: str
    # The model of the answer; null for `local`.
    model: Optional[str]


class TalkStreamEventStart(TypedDict):
    event: Literal["start"]
    data: TalkStreamEventStartData


class TalkStreamEventMemories(TypedDict):
    event: Literal["memories"]
    data: ChatStreamEventMemoriesData


class TalkStreamEventDelta(TypedDict):
    event: Literal["delta"]
    data: ChatStreamEventDeltaData


class TalkStreamEventTool(TypedDict):
    event: Literal["tool"]
    data: ToolUse


class Exchange(TypedDict):
    id: str
    agent_slug: str
    agent_message: str
    icog_response: str
    # The memories recalled for the answer, best first.
    memories: list[RecalledMemory]
    created_at: str


class TalkStreamEventDoneData(TypedDict):
    exchange: Exchange
    usage: TokenUsage


class TalkStreamEventDone(TypedDict):
    event: Literal["done"]
    data: TalkStreamEventDoneData


TalkStreamEvent = Union[
    TalkStreamEventStart,
    TalkStreamEventMemories,
    TalkStreamEventDelta,
    TalkStreamEventTool,
    TalkStreamEventDone,
]


class Suggestions(TypedDict):
    # Three to five short messages that the user could send.
    suggestions: list[str]


class _Transcription(TypedDict):
    text: str


class Transcription(_Transcription, total=False):
    # The language as named by the model.
    language: str
    # Length of the audio in seconds.
    duration: float


class UrlPage(TypedDict):
    # The URL of the page after redirects.
    url: str
    title: str
    # Plain text or Markdown without links and images; at most 200,000 characters.
    text: str
    # The description of the page, or the start of its text.
    excerpt: str
    # Number of words.
    word_count: int
    # The SHA-256 hash of the text in hex. It identifies the stored copy.
    snapshot_hash: str


class ChatSession(TypedDict):
    id: str
    title: str
    # The provider of the last answer.
    provider: Optional[str]
    # The model of the last answer.
    model: Optional[str]
    created_at: str
    # When the messages or the title last changed.
    updated_at: str
    message_count: int
    # The start of the last message, in one line.
    last_message_preview: Optional[str]
    category_id: Optional[str]
    category_name: Optional[str]
    category_color: Optional[str]
    category_icon: Optional[str]
    is_pinned: bool
    is_archived: bool
    # What started the session; null if the user did.
    initiated_by: Optional[str]
    # Whether there are messages that the user has not read.
    unread: bool


class MessageContextTokens(TypedDict):
    # The instructions of svc, of the user and of an agent.
    instructions: int
    # The descriptions of the tools.
    tools: int
    # The message that was answered.
    message: int
    # Its images.
    images: int
    # The recalled memories.
    memories: int
    # The texts of files, pages and notes.
    attachments: int
    # The earlier messages of the chat.
    history: int


class MessageContext(TypedDict):
    # The context window, of which a part is left for the answer.
    window: int
    tokens: MessageContextTokens
    # Memories that were recalled.
    memories_found: int
    # Memories that fitted.
    memories_given: int
    # Earlier messages that fitted.
    messages_given: int
    # Earlier messages that did not.
    messages_left_out: int
    # The custom instructions of the user at that time.
    instructions: str
    # The names of the tools that it could call.
    tools: list[str]
    # The memories that it was given, also by its tools, except those deleted since.
    memories: list[CitedMemory]


class SessionCategory(TypedDict):
    id: str
    name: str
    # From 0, in order of creation.
    position: int
    color: str
    icon: str
    created_at: str
    updated_at: str


class TimelineEntry(TypedDict):
    # Always `exchange`.
    type: str
    agent_message: str
    icog_response: str
    # `semantic`: a fact; `episodic`: an event; `procedural`: how something is done; `preference`: a
    # like or dislike.
    memory_type: MemoryType
    created_at: str


class Timeline(TypedDict):
    slug: str
    entries: list[TimelineEntry]
    total: int
    has_more: bool
    page: int
    limit: int


class _AgentProposal(TypedDict):
    proposed_at: str


class AgentProposal(_AgentProposal, total=False):
    # The agent’s description of itself.
    self_definition: str
    # The purpose of the agent.
    mandate: str
    # Things that the agent must not do.
    boundaries: list[str]
    # The kind of agent.
    agent_type: str


class Agent(TypedDict):
    slug: str
    self_definition: Optional[str]
    mandate: Optional[str]
    boundaries: list[str]
    agent_type: Optional[str]
    # The definition that the agent proposes, until it is accepted or declined.
    proposal: Optional[AgentProposal]
    exchange_count: int
    last_exchange_at: Optional[str]
    created_at: str
    # When the definition last changed.
    updated_at: str


class StoredFile(TypedDict):
    id: str
    name: str
    # The media type, detected from the content.
    type: str
    # Size in bytes.
    size: int
    # Whether text could be extracted.
    has_text: bool
    created_at: str


class EmailMessageRecipients(TypedDict):
    address: str
    # `sent`: accepted by the mail server. `failed`: rejected permanently, or not accepted within a
    # day.
    state: Literal["queued", "sent", "failed"]
    # Why delivery failed, as reported by the mail server.
    reason: Optional[str]
    # When the state last changed.
    updated_at: str


class EmailMessage(TypedDict):
    message_id: str
    subject: str
    text: str
    html: Optional[str]
    created_at: str
    recipients: list[EmailMessageRecipients]


class EmailThreadDetail(TypedDict):
    thread_id: str
    subject: str
    message_count: int
    created_at: str
    last_message_at: str
    # Number of emails that are not yet accepted.
    queued: int
    sent: int
    failed: int
    # Newest first.
    messages: list[EmailMessage]
    # Pass it as `cursor` to get the next page; null on the last page.
    next_cursor: Optional[str]


class EmailThread(TypedDict):
    thread_id: str
    subject: str
    message_count: int
    created_at: str
    last_message_at: str
    # Number of emails that are not yet accepted.
    queued: int
    sent: int
    failed: int


class EmailThreads(TypedDict):
    threads: list[EmailThread]
    # Pass it as `cursor` to get the next page; null on the last page.
    next_cursor: Optional[str]


class DirectMessage(TypedDict):
    id: str
    thread_id: str
    # A fixed id for answers of the service.
    author_id: str
    # `icog` for answers of the service.
    author_username: str
    author_display_name: str
    author_avatar_url: str
    content: str
    # Whether the message mentions the service, which then answers in the thread.
    mentions_icog: bool
    reply_to_message_id: Optional[str]
    created_at: str


class DirectThread(TypedDict):
    thread_id: str
    peer_user_id: str
    # `deleted` after the account was deleted.
    peer_username: str
    peer_display_name: str
    peer_avatar_url: str
    # Whether the user was active in the last 60 seconds.
    peer_online: bool
    last_message: Optional[DirectMessage]
    # Number of messages of the other user since the caller last read the thread.
    unread: int
    # Without messages: when the thread was created.
    last_message_at: str
    # Whether the caller archived the thread; the next message unarchives it.
    archived: bool


class Share(TypedDict):
    # Gives read access to the conversation without an account.
    token: str
    # The public page of the conversation.
    url: str


class SharedMessage(TypedDict):
    role: Literal["user", "assistant"]
    content: str
    # The names of the attached files. The files themselves are not shared.
    files: list[str]
    created_at: str


class SharedConversation(TypedDict):
    title: str
    # Number of messages of the whole conversation.
    message_count: int
    # When it was shared.
    created_at: str
    # Oldest first.
    messages: list[SharedMessage]
    # Pass it as `cursor` to get the next page; null on the last page.
    next_cursor: Optional[int]


class OwnShare(TypedDict):
    # Gives read access to the conversation without an account.
    token: str
    # The public page of the conversation.
    url: str
    # The shared session, also after it was deleted.
    session_id: str
    title: str
    message_count: int
    created_at: str


class _ActivityDetailMemories(TypedDict):
    memory_id: str
    # As it is now; null when it is deleted.
    memory: Optional[Memory]
    # The mark of the memory as not relevant to the question of the event.
    feedback_id: Optional[str]


class ActivityDetailMemories(_ActivityDetailMemories, total=False):
    score: float
    # The parts of the score at that time.
    explanation: dict[str, Any]


class ActivityDetail(TypedDict):
    # Ascending in the order of the events.
    id: str
    kind: Literal[
        "recall",
        "context",
        "memory.stored",
        "memory.changed",
        "memory.superseded",
        "memory.forgotten",
        "memory.erased",
        "memory.restored",
        "fact.found",
        "contradiction.found",
        "reminder.found",
        "conversation.captured",
        "conversation.forgotten",
        "conversation.restored",
        "import.finished",
        "message.received",
        "message.sent",
        "session.started",
        "session.failed",
        "key.created",
        "key.revoked",
        "account.changed",
        "reflex.fired",
        "reflex.failed",
        "confirmation.waiting",
    ]
    created_at: str
    # The user who did it, or whose credential an assistant used.
    user_id: str
    # The API key of the request.
    key_id: Optional[str]
    # The assistant or program, by the name that it gives itself, or that of its API key; null for
    # the user.
    client: Optional[str]
    # The conversation in that program, where it is known.
    session: Optional[str]
    # The question of a recall or the message that context was asked for. Null for other members of
    # an organization, and where questions are not kept.
    question: Optional[str]
    # The name of a reflex, of the other person of a message as it is now (`deleted` after its
    # deletion), or of the fact that a contradiction is about.
    subject: Optional[str]
    # The number of memories read, written or deleted, or of facts found.
    count: int
    # How long the search for memories took, in milliseconds; null for other events.
    took_ms: Optional[float]
    # All of them, at most 100, best first.
    memories: list[ActivityDetailMemories]


class ActivitySettings(TypedDict):
    # Whether the texts of your questions are kept with their events.
    keeps_questions: bool
    # Whether this server keeps no questions, whatever is chosen.
    is_fixed: bool


class _ActivityMemory(TypedDict):
    memory_id: str
    # Its first 300 characters as they are now; null when it is deleted.
    excerpt: Optional[str]


class ActivityMemory(_ActivityMemory, total=False):
    # That of a recall.
    score: float


class ActivityEvent(TypedDict):
    # Ascending in the order of the events.
    id: str
    kind: Literal[
        "recall",
        "context",
        "memory.stored",
        "memory.changed",
        "memory.superseded",
        "memory.forgotten",
        "memory.erased",
        "memory.restored",
        "fact.found",
        "contradiction.found",
        "reminder.found",
        "conversation.captured",
        "conversation.forgotten",
        "conversation.restored",
        "import.finished",
        "message.received",
        "message.sent",
        "session.started",
        "session.failed",
        "key.created",
        "key.revoked",
        "account.changed",
        "reflex.fired",
        "reflex.failed",
        "confirmation.waiting",
    ]
    created_at: str
    # The user who did it, or whose credential an assistant used.
    user_id: str
    # The API key of the request.
    key_id: Optional[str]
    # The assistant or program, by the name that it gives itself, or that of its API key; null for
    # the user.
    client: Optional[str]
    # The conversation in that program, where it is known.
    session: Optional[str]
    # The question of a recall or the message that context was asked for. Null for other members of
    # an organization, and where questions are not kept.
    question: Optional[str]
    # The name of a reflex, of the other person of a message as it is now (`deleted` after its
    # deletion), or of the fact that a contradiction is about.
    subject: Optional[str]
    # The number of memories read, written or deleted, or of facts found.
    count: int
    # How long the search for memories took, in milliseconds; null for other events.
    took_ms: Optional[float]
    # The first three of them.
    memories: list[ActivityMemory]


class ActivityPage(TypedDict):
    events: list[ActivityEvent]
    # Pass it as `before` to get the next page; null on the last page.
    next_cursor: Optional[str]


class ListActivityEventReadyData(TypedDict):
    # The event after which the stream begins.
    after: str
    # Whether this server records events; without, none will follow.
    recorded: bool


class ListActivityEventReady(TypedDict):
    event: Literal["ready"]
    data: ListActivityEventReadyData


class ListActivityEventActivity(TypedDict):
    event: Literal["activity"]
    data: ActivityEvent


ListActivityEvent = Union[ListActivityEventReady, ListActivityEventActivity]


class ActivityDayRecallMs(TypedDict):
    median: float
    # The 95th percentile.
    p95: float


class ActivityDay(TypedDict):
    day: str
    # Questions.
    recalls: int
    # Prompts that were given memories.
    contexts: int
    # Memories that both returned.
    read: int
    # Memories that were remembered, captured or imported.
    written: int
    # Memories that were changed, replaced or restored.
    changed: int
    # Memories that were deleted or erased.
    deleted: int
    # Memories of now that were stored until the end of this day.
    memories: int
    # How long the searches for memories took, in milliseconds; null without any.
    recall_ms: Optional[ActivityDayRecallMs]


class ActivityDays(TypedDict):
    # One row for each day in the time zone of the user, oldest first.
    days: list[ActivityDay]
    # How many days this server keeps events; of earlier days only `memories` is known. 0: it
    # records none.
    kept_days: int


class ActiveAssistant(TypedDict):
    # The name that it gives itself, or that of its API key.
    client: str
    last_seen_at: str
    # Questions that it asked.
    recalls: int
    # Prompts that were given memories for it.
    contexts: int
    # Memories that it was given by both.
    read: int
    # Memories that it remembered, captured or imported.
    written: int
    # Memories that it changed, replaced or restored.
    changed: int
    # Memories that it deleted or erased.
    deleted: int
    # The API keys of its requests.
    key_ids: list[str]


class ListAssistantsResponse(TypedDict):
    # The last seen first.
    assistants: list[ActiveAssistant]


class Health(TypedDict):
    status: Literal["ok"]


class _HealthDetailParts(TypedDict):
    state: Literal["ok", "down", "warming"]
    latency_ms: Optional[float]


class HealthDetailParts(_HealthDetailParts, total=False):
    note: str
    # How the operator fixes the part; only if it is not ok
    action: str


class HealthDetail(TypedDict):
    status: Literal["ok", "warming", "degraded"]
    version: str
    # `SVC_ROLE` of this process
    role: Literal["all", "web", "worker"]
    # Whether each feature is on that `SVC_FEATURES` can turn off
    features: dict[str, bool]
    uptime_seconds: int
    parts: dict[str, HealthDetailParts]


class Ready(TypedDict):
    status: Literal["ready", "not_ready"]
    parts: dict[str, Literal["ok", "down", "warming"]]
