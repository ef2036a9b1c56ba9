import { join } from 'node:path'
import type { Environment } from '../../config.ts'

/** Where an entry holds: everywhere, or in the folder that svc was called in. */
export type Scope = 'user' | 'project'

/** How a client is to reach svc: by starting it, or at an address. */
export type Way =
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | { kind: 'http'; url: string }

export type Entry = Record<string, string | string[] | Record<string, string>>

/** The machine, as far as clients keep their settings in different places on it. */
export type Machine = Pick<
  Environment,
  'home' | 'xdgConfigHome' | 'appData' | 'codexHome' | 'claudeConfigDir'
> & { platform: NodeJS.Platform; folder: string }

/** A program that speaks MCP, and where and how it is told of servers. */
export interface McpClient {
  title: string
  format: 'json' | 'toml'
  /** The table of its servers. */
  table: string
  /** Its settings; undefined where it knows no such scope. */
  file(scope: Scope, machine: Machine): string | undefined
  /** What it wants to read of a server; undefined where it cannot go that way. */
  entry(way: Way): Entry | undefined
}

const stdio = ({ command, args, env }: Extract<Way, { kind: 'stdio' }>): Entry => ({
  command,
  args,
  ...(Object.keys(env).length && { env }),
})

/** Where programs keep what belongs to a person. */
const appSupport = ({ platform, home, appData, xdgConfigHome }: Machine): string => {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return appData ?? join(home, 'AppData', 'Roaming')
  return xdgConfigHome ?? join(home, '.config')
}

/** Each by the name that `--client` takes. */
export const clients = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    table: 'mcpServers',
    file: (scope, { folder, home, claudeConfigDir }) =>
      scope === 'project'
        ? join(folder, '.mcp.json')
        : join(claudeConfigDir ?? home, '.claude.json'),
    entry: (way) =>
      way.kind === 'http' ? { type: 'http', url: way.url } : { type: 'stdio', ...stdio(way) },
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    table: 'mcpServers',
    file: (scope, machine) =>
      scope === 'user'
        ? join(appSupport(machine), 'Claude', 'claude_desktop_config.json')
        : undefined,
    entry: (way) => (way.kind === 'http' ? undefined : stdio(way)),
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    table: 'mcpServers',
    file: (scope, { folder, home }) =>
      join(scope === 'project' ? folder : home, '.cursor', 'mcp.json'),
    entry: (way) => (way.kind === 'http' ? { url: way.url } : stdio(way)),
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    table: 'servers',
    file: (scope, machine) =>
      scope === 'project'
        ? join(machine.folder, '.vscode', 'mcp.json')
        : join(appSupport(machine), 'Code', 'User', 'mcp.json'),
    entry: (way) =>
      way.kind === 'http' ? { type: 'http', url: way.url } : { type: 'stdio', ...stdio(way) },
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    table: 'mcp_servers',
    file: (scope, { folder, home, codexHome }) =>
      scope === 'project'
        ? join(folder, '.codex', 'config.toml')
        : join(codexHome ?? join(home, '.codex'), 'config.toml'),
    entry: (way) => (way.kind === 'http' ? { url: way.url } : stdio(way)),
  },
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    table: 'mcpServers',
    file: (scope, { home }) =>
      scope === 'user' ? join(home, '.codeium', 'windsurf', 'mcp_config.json') : undefined,
    entry: (way) => (way.kind === 'http' ? { serverUrl: way.url } : stdio(way)),
  },
  zed: {
    title: 'Zed',
    format: 'json',
    table: 'context_servers',
    file: (scope, machine) => {
      if (scope === 'project') return join(machine.folder, '.zed', 'settings.json')
      const { platform, home, xdgConfigHome } = machine
      if (platform === 'win32') return join(appSupport(machine), 'Zed', 'settings.json')
      const linuxHome = platform === 'linux' ? xdgConfigHome : undefined
      return join(linuxHome ?? join(home, '.config'), 'zed', 'settings.json')
    },
    entry: (way) => (way.kind === 'http' ? { url: way.url } : stdio(way)),
  },
} as const satisfies Record<string, McpClient>

export type ClientName = keyof typeof clients

/** What only one of the ways has: it goes when an entry goes the other way from now on. */
export const fieldsOf = {
  stdio: ['command', 'args', 'env', 'cwd'],
  http: ['url', 'serverUrl', 'headers', 'http_headers', 'env_http_headers', 'bearer_token_env_var'],
} as const

/** The name of the entry. */
export const ENTRY_NAME = 'svc'

export const thisMachine = (environment: Environment): Machine => ({
  ...environment,
  platform: process.platform,
  folder: process.cwd(),
})
