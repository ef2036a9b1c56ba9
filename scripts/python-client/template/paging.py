

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
