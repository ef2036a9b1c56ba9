

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
{{texts}}
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
