"""Signs up, verifies the address, stores a memory, and asks about it in a streamed chat.

    SVC_URL=http://localhost:3000 python3 chat.py ada@example.com "a long password"

The token is at the end of the link in the email.
"""

import sys

from svc_client import Svc

email, password = sys.argv[1:]

with Svc() as svc:
    svc.sign_up(email, password)
    print("Token of the emailed link: ", end="", flush=True)
    svc.email_verification.verify_email(token=sys.stdin.readline().strip())

    svc.memories.remember(content="Ada prefers tea to coffee.")
    with svc.conversation(title="Drinks") as chat:
        answer = chat.ask("What does Ada drink?")
        for text in answer:
            print(text, end="", flush=True)
        print()
        for memory in answer.memories:
            print("-", memory["content_text"])
