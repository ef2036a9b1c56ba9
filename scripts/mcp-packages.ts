/**
 * Builds `dist/svc.mcpb`, a bundle that desktop clients install by a double click:
 * `bun scripts/mcp-packages.ts`. `--url https://svc.example.com` also writes `dist/server.json`, which
 * publishes that server in the MCP registry. `--outdir PATH` sets another folder.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { strToU8, zipSync } from 'fflate'
import { DEFAULT_URL } from '../mcp/stdio/local-config.ts'
import packageJson from '../package.json' with { type: 'json' }

const ENTRY_POINT = 'server/index.js'
/** The registry allows 100 characters. */
const DESCRIPTION = 'Long-term memory for assistants, on a server of your own'
const TITLE = 'svc memory'
const { version } = packageJson

const { values } = parseArgs({
  options: { outdir: { type: 'string', default: 'dist' }, url: { type: 'string' } },
})

/** The stdio server in one file for Node, which desktop clients contain. */
const buildServer = async (): Promise<Uint8Array> => {
  const built = await Bun.build({
    entrypoints: [new URL('../mcp/main.ts', import.meta.url).pathname],
    target: 'node',
    minify: { whitespace: true, syntax: true },
  })
  const [output] = built.outputs
  if (!output) throw new Error('The build has no output')
  return new Uint8Array(await output.arrayBuffer())
}

/** The client replaces it. */
const variable = (name: string): string => `\${${name}}`

const manifest = {
  manifest_version: '0.3',
  name: 'svc',
  display_name: TITLE,
  version,
  description: DESCRIPTION,
  author: { name: 'svc' },
  server: {
    type: 'node',
    entry_point: ENTRY_POINT,
    mcp_config: {
      command: 'node',
      args: [`${variable('__dirname')}/${ENTRY_POINT}`],
      env: { SVC_URL: variable('user_config.url'), SVC_API_KEY: variable('user_config.api_key') },
    },
  },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.0.0' } },
  user_config: {
    url: {
      type: 'string',
      title: 'Server',
      description: 'The address of your svc server.',
      default: DEFAULT_URL,
      required: true,
    },
    api_key: {
      type: 'string',
      title: 'API key',
      description: 'A key from the console, under Connect.',
      sensitive: true,
      required: true,
    },
  },
}

/** The entry of a public server. Its name is in the namespace of its domain, which the registry checks. */
const registryEntry = (text: string) => {
  const { hostname, origin } = new URL(text)
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${hostname.split('.').reverse().join('.')}/svc`,
    title: TITLE,
    description: DESCRIPTION,
    version,
    remotes: [{ type: 'streamable-http', url: `${origin}/api/mcp` }],
  }
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

const write = async (name: string, content: string | Uint8Array): Promise<void> => {
  const path = join(values.outdir, name)
  await writeFile(path, content)
  console.log(path)
}

await mkdir(values.outdir, { recursive: true })
const files = { 'manifest.json': strToU8(json(manifest)), [ENTRY_POINT]: await buildServer() }
await write('svc.mcpb', zipSync(files))
if (values.url) await write('server.json', json(registryEntry(values.url)))
