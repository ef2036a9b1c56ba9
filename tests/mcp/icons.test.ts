import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newUser, useSharedServer } from '../harness/server.ts'
import { connectCapable, connectCapableOlder } from './capable-client.ts'
import { root } from './client.ts'

const server = useSharedServer()

const favicon = readFileSync(join(root, 'console/favicon.svg'), 'utf8').trim()

/** The drawing of a data URI. Its quotes are single ones. */
const decode = (uri: string): string => {
  const [, text = ''] = /^data:image\/svg\+xml,(.*)$/s.exec(uri) ?? []
  return decodeURIComponent(text).replaceAll("'", '"')
}

for (const [name, connect] of [
  ['current', connectCapable],
  ['older', connectCapableOlder],
] as const) {
  test(`a client of the ${name} revision gets an icon of the server and of each tool, by address over HTTP and as data over stdio`, async () => {
    const { key } = await newUser(server.current)
    await using http = await connect(server.current, key, { over: 'http' })
    await using stdio = await connect(server.current, key, { over: 'stdio' })
    const { baseUrl } = server.current
    const drawing = { mimeType: 'image/svg+xml', sizes: ['any'] }
    expect(http.client.getServerVersion()?.icons).toEqual([
      { src: `${baseUrl}/favicon.svg`, ...drawing },
    ])
    const [own] = stdio.client.getServerVersion()?.icons ?? []
    expect(decode(own?.src ?? '')).toBe(favicon)

    const { tools } = await http.client.listTools()
    const local = (await stdio.client.listTools()).tools
    for (const [i, tool] of tools.entries()) {
      const src = `${baseUrl}/api/mcp/icons/${tool.name}.svg`
      expect(tool.icons).toEqual([{ src, ...drawing }])
      const response = await fetch(new URL(new URL(src).pathname, server.current.url))
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'image/svg+xml',
      ])
      const svg = await response.text()
      expect(svg).toStartWith('<svg ')
      expect(decode(local[i]?.icons?.[0]?.src ?? '')).toBe(svg)
    }
    const sources = [...tools, ...local].map(({ icons }) => icons?.[0]?.src)
    expect(new Set(sources).size).toBe(sources.length)
    expect(JSON.stringify(tools).length).toBeLessThan(18_000)
  })
}

test('an icon that there is not is 404', async () => {
  for (const name of ['other.svg', 'recall', 'constructor.svg', '..%2Frecall.svg', '.svg']) {
    const { status } = await fetch(new URL(`/api/mcp/icons/${name}`, server.current.url))
    expect([name, status]).toEqual([name, 404])
  }
})
