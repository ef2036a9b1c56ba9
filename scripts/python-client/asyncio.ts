import type { Method } from './calls.ts'
import { flat, listed, wrapped } from './print.ts'

const ASYNC_TYPES: Record<string, string> = {
  Stream: 'AsyncStream',
  Iterator: 'AsyncItems',
  Download: 'AsyncDownload',
}

const ASYNC_CALLS: Record<string, string> = {
  Stream: 'await self._stream',
  Iterator: 'self._items',
  Download: 'await self._download',
}

/** The same method of the client of asyncio. An iterator over pages sends nothing yet, so it is not awaited. */
export const asyncMethodLines = (method: Method, group: string): string[] => {
  const { name, row, all, parameters, returns, summary } = method
  const head = typeof returns === 'string' ? returns : returns.head
  const kind = ASYNC_TYPES[head]
  const type =
    kind && typeof returns !== 'string' ? `${kind}[${returns.args.map(flat).join(', ')}]` : kind
  const items = [
    `${group}.${name}`,
    ...all.filter(({ place }) => place === 'path').map((each) => each.name),
    ...(row.upload || row.file ? ['file'] : []),
    ...all.filter(({ place }) => place !== 'path').map((each) => `${each.name}=${each.name}`),
    ...(row.upload ? ['filename=filename'] : []),
  ]
  const isPaged = head === 'Iterator'
  const runs = ASYNC_CALLS[head] ?? 'await self._run'
  return [
    '',
    ...listed(
      `${isPaged ? '' : 'async '}def ${name}`,
      parameters,
      ` -> ${type ?? flat(returns)}:`,
      1,
    ),
    ...wrapped(`${summary}"""`, '        """', '        '),
    ...listed(`return ${runs}`, items, '', 2),
  ]
}
