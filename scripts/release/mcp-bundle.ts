import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { DEFAULT_URL } from '../../mcp/stdio/local-config.ts'
import { version } from '../../package.json'
import { zipTime } from './version.ts'

const ENTRY_POINT = 'server/index.js'
/** 512 pixels wide and high. */
const ICON = 'icon.png'
/** The registry of MCP servers allows 100 characters. */
export const DESCRIPTION = 'Long-term memory for assistants, on a server of your own'
export const TITLE = 'svc memory'

/** The stdio server in one file for Node, which desktop clients contain. */
const buildServer = async (): Promise<Uint8Array> => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, '../../mcp/main.ts')],
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
  icon: ICON,
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

export const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** Builds the bundle that desktop clients install by a double click (MCPB 0.3). Equal code has equal bundles. */
export const buildMcpBundle = async (): Promise<Uint8Array> =>
  zipSync(
    {
      'manifest.json': strToU8(json(manifest)),
      // The favicon of the console, in the size that MCPB asks for.
      [ICON]: new Uint8Array(await readFile(join(import.meta.dir, ICON))),
      [ENTRY_POINT]: await buildServer(),
    },
    { mtime: zipTime() },
  )
