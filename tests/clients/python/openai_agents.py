import asyncio

from agents import Session

from svc_client import AgentsSession, Svc


async def main():
    with Svc() as svc:
        session = AgentsSession(svc, "agents-42")
        assert isinstance(session, Session)
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.clear_session()

        items = [
            {"role": "user", "content": "Yes"},
            {"role": "assistant", "content": "Yes"},
            {"role": "user", "content": "Yes"},
            {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "18 degrees"},
            {"role": "user", "content": [{"type": "input_text", "text": "And tomorrow?"}]},
            {"role": "developer", "content": "Be brief."},
            {"role": "assistant", "content": "x" * 100_000, "id": "m1", "status": "completed"},
            {"role": "user", "content": ""},
        ]
        await session.add_items([])
        await session.add_items(items)
        assert await session.get_items() == items
        assert await session.get_items(limit=2) == items[-2:]
        assert await session.get_items(limit=0) == []
        assert await session.get_items(limit=100) == items

        assert await session.pop_item() == items[-1]
        assert await session.pop_item() == items[-2]
        await session.add_items(items[-1:])
        assert await session.get_items() == [*items[:-2], items[-1]]

        many = [{"role": "user", "content": f"Message {i}"} for i in range(230)]
        await session.add_items(many)
        assert (await session.get_items())[-230:] == many
        await session.clear_session()
        assert await session.get_items() == []


asyncio.run(main())
