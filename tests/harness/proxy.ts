import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Server } from '../../server/start.ts'
import { eventually } from './eventually.ts'
import { quietPort } from './ports.ts'
import { PATH } from './programs.ts'

const DOCS = resolve(import.meta.dir, '../../docs/how-to')

/**
 * A block of a guide in a language, for a proxy that listens on `port` without TLS.
 * @param host the name of the server in the block, which is the first with it.
 */
export const proxyConfig = async (
  guide: string,
  language: 'caddyfile' | 'nginx',
  port: number,
  host = 'svc.example.com',
): Promise<string> => {
  const text = await Bun.file(join(DOCS, guide)).text()
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  const config = [...blocks]
    .map(([, block = '']) => block)
    .find((block) => block.includes(`server_name ${host};`) || block.startsWith(`${host} {`))
  if (!config) throw new Error(`${guide} has no ${language} for ${host}`)
  return config
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/^.*ssl_certificate.*\n/gm, '')
    .replace(`${host} {`, `http://127.0.0.1:${port} {`)
}

const accepts = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

const proxies = {
  Caddy: (directory: string, config: string) => {
    const global = '{\n\tadmin off\n}\n'
    writeFileSync(join(directory, 'Caddyfile'), global + config)
    return ['caddy', 'run', '--config', join(directory, 'Caddyfile')]
  },
  nginx: (directory: string, config: string) => {
    const http = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${directory}/${name};`)
      .join('\n')
    const main = `daemon off;\npid ${directory}/pid;\nevents {}\nhttp {\naccess_log off;\n${http}\n${config}}\n`
    writeFileSync(join(directory, 'nginx.conf'), main)
    return ['nginx', '-e', 'stderr', '-c', join(directory, 'nginx.conf')]
  },
}

/**
 * Starts a proxy. @param configOf returns its configuration for the port that it listens on.
 */
export const startProxy = async (
  name: keyof typeof proxies,
  configOf: (port: number) => Promise<string>,
) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-proxy-'))
  const port = await quietPort()
  const child = Bun.spawn(proxies[name](directory, await configOf(port)), {
    env: { PATH, HOME: directory },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const output = child.stderr.text()
  const failed = child.exited.then(async () => Promise.reject(new Error(await output)))
  failed.catch(() => {})
  await eventually(() => Promise.race([accepts(port), failed]))
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
      rmSync(directory, { recursive: true })
    },
  }
}

/** The path at which `startBelowPath` serves. */
export const BASE_PATH = '/svc'

/**
 * Starts a server below a path, behind a proxy that removes the path, as the guide configures it.
 * @param serve starts the server at the address of the proxy.
 */
export const startBelowPath = async <S extends Pick<Server, 'url'> & AsyncDisposable>(
  name: keyof typeof proxies,
  serve: (env: { SVC_BASE_URL: string }) => Promise<S>,
) => {
  await using opened = new AsyncDisposableStack()
  let server: S | undefined
  opened.use(
    await startProxy(name, async (port) => {
      server = opened.use(await serve({ SVC_BASE_URL: `http://127.0.0.1:${port}${BASE_PATH}` }))
      const language = name === 'nginx' ? 'nginx' : 'caddyfile'
      const config = await proxyConfig('proxy.md', language, port, 'example.com')
      return config.replaceAll('127.0.0.1:3000', new URL(server.url).host)
    }),
  )
  if (!server) throw new Error('no server')
  const moved = opened.move()
  return { server, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
