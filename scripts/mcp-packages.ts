/**
 * Builds `dist/svc.mcpb`, a bundle that desktop clients install by a double click:
 * `bun scripts/mcp-packages.ts`. `--url https://svc.example.com` also writes `dist/server.json`, which
 * publishes that server in the MCP registry. `--outdir PATH` sets another folder.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../package.json'
import { buildMcpBundle, DESCRIPTION, json, TITLE } from './release/mcp-bundle.ts'

const { values } = parseArgs({
  options: { outdir: { type: 'string', default: 'dist' }, url: { type: 'string' } },
})

/**
 * The entry of a public server. Its name is in the namespace of its domain, which the registry checks.
 * @throws Error for an address that the registry refuses.
 */
const registryEntry = (text: string) => {
  const { hostname, origin, protocol } = new URL(text)
  if (protocol !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, '')) || !hostname.includes('.'))
    throw new Error('--url must be an https address with a domain name')
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${hostname.split('.').reverse().join('.')}/svc`,
    title: TITLE,
    description: DESCRIPTION,
    version,
    websiteUrl: origin,
    icons: [{ src: `${origin}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [{ type: 'streamable-http', url: `${origin}/api/mcp` }],
  }
}

const write = async (name: string, content: string | Uint8Array): Promise<void> => {
  const path = join(values.outdir, name)
  await writeFile(path, content)
  console.log(path)
}

const entry = values.url === undefined ? undefined : registryEntry(values.url)
await mkdir(values.outdir, { recursive: true })
await write('svc.mcpb', await buildMcpBundle())
if (entry) await write('server.json', json(entry))
