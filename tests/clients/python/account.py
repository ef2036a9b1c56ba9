"""Signs up, uses the sign-in with several threads and as another program, and signs out."""

import sys
import threading

from svc_client import Conflict, Forbidden, NotFound, Svc, Unauthorized

email, password = sys.argv[1:]
tokens = []

with Svc(on_refresh_token=tokens.append) as svc:
    user = svc.sign_up(email, password)["user"]
    assert tokens == [svc.refresh_token]
    assert svc.account.current_user()["id"] == user["id"]
    try:
        svc.sign_up(email, password)
    except Conflict as error:
        assert (error.status, error.reason) == (409, "email_taken"), error.reason
    try:
        svc.sign_in(email, "not the password")
    except Unauthorized as error:
        assert error.reason == "wrong_credentials", error.reason
        assert error.request_id
    assert svc.account.me()["credential"] == "jwt"

    key = svc.api_keys.create_key(name="python")
    with Svc(api_key=key["key"]) as other:
        assert other.account.me()["credential"] == "api_key"
        try:
            other.api_keys.list_keys()
        except Forbidden as error:
            assert error.reason == "api_key_cannot_manage_account", error.reason
            assert "sign_in" in error.fix
    svc.api_keys.revoke_key(key["id"])
    try:
        svc.api_keys.revoke_key(key["id"])
    except NotFound as error:
        assert error.reason == "api_key_not_found", error.reason

    assert svc.profile.set_preference("auto_learn_urls", value="on")["value"] == "on"
    assert svc.profile.get_preferences()["auto_learn_urls"] == "on"
    assert [each["current"] for each in svc.sessions.list_sessions()] == [True]

    # Each thread gets a 401 for the same token; together they renew it once.
    svc._sign_in.access_token = "an.expired.token"
    results = []
    start = threading.Barrier(8)

    def call():
        start.wait()
        results.append(svc.account.me()["email"])

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [email] * 8, results

    # Another program continues the sign-in with the refresh token alone.
    with Svc(refresh_token=tokens[-1], on_refresh_token=tokens.append) as later:
        assert later.account.me()["email"] == email
        later.sign_out()
        try:
            later.account.me()
        except Unauthorized as error:
            assert "sign_in" in str(error), error
        assert later.refresh_token is None

with Svc() as svc:
    svc.sign_in(email, password)
    svc.sessions.revoke_all_sessions()
    try:
        svc.account.me()
    except Unauthorized:
        print("ended")
