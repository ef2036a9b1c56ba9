"""A session of the OpenAI Agents SDK that svc stores, with the key in SVC_API_KEY.

With the SDK: `await Runner.run(agent, "Hello", session=AgentsSession(svc, "support-42"))`.
"""

import asyncio

from svc_client import AgentsSession, Svc


async def main() -> None:
    with Svc() as svc:
        session = AgentsSession(svc, "support-42")
        await session.add_items([{"role": "user", "content": "My printer is on fire."}])
        await session.add_items([{"role": "assistant", "content": "Please leave the room."}])
        for item in await session.get_items():
            print(item["role"], "-", item["content"])
        await session.pop_item()
        print(len(await session.get_items()), "item")


asyncio.run(main())
