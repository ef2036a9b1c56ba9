import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { request, useSharedServer } from '../harness/server.ts'

setDefaultTimeout(120_000)
const server = useSharedServer()

const get = (path: string) => request(server.current, 'GET', path)

/** Sends a path as it is: `fetch` removes dots from it. */
const statusOf = async (path: string): Promise<string | undefined> => {
  const { hostname, port } = new URL(server.current.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`)
  const [head] = (await Array.fromAsync(socket)).join('').split('\r\n')
  return head?.split(' ')[1]
}

const fileNames = async () => {
  const { text } = await get('/app')
  return [...text.matchAll(/"(\/app\/assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? [])
}

test('the first requests of the console, at the same time, get the same complete build', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, fileNames))
  expect(first?.length).toBeGreaterThan(2)
  for (const names of others) expect(names).toEqual(first ?? [])
  for (const path of first ?? []) {
    const { status, headers } = await get(path)
    expect([status, headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
  }
})

test.each(['br', 'gzip', 'identity'])('a file is the same in the encoding %s', async (encoding) => {
  const [file = ''] = await fileNames()
  const headers = { 'accept-encoding': encoding }
  const response = await fetch(new URL(file, server.current.url), { headers })
  expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
  expect(await response.text()).toBe((await get(file)).text)
})

test('only the files of the build are served', async () => {
  const [file = ''] = await fileNames()
  expect(await statusOf(file)).toBe('200')
  for (const path of [
    `${file}.br`,
    '/app/assets/manifest.json',
    '/app/assets/..%2fmanifest.json',
    '/app/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json',
    '/app/assets/..%5cmanifest.json',
    `${file}%00`,
  ])
    expect([path, await statusOf(path)]).toEqual([path, '404'])
})
