/** Where an entry applies: for the user, or in the current folder. */
export type InstallScope = 'user' | 'project'

/** How a client connects to svc: it starts a process, or uses a URL. */
export type ServerTransport =
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | { kind: 'http'; url: string }

export type ServerEntry = Record<string, string | string[] | Record<string, string>>

/** The properties of the machine that determine where clients store their settings. */
export interface Machine {
  platform: string
  home: string
  /** The current folder. */
  folder: string
  xdgConfigHome?: string | undefined
  appData?: string | undefined
  codexHome?: string | undefined
  claudeConfigDir?: string | undefined
}

/** An MCP client and its settings file. */
export interface McpClient {
  title: string
  format: 'json' | 'toml'
  /** The key of the table of servers. */
  table: string
  /** The parts of the path of the settings file; undefined if the client does not support the scope. */
  file(scope: InstallScope, machine: Machine): string[] | undefined
  /** Another name of the settings file, which is used if only this one exists. */
  otherName?: string
  /** The command that starts the client in a shell, if it has one. */
  program?: string
  /** The entry for svc; undefined if the client does not support the transport. */
  entry(transport: ServerTransport): ServerEntry | undefined
  /** The shell command that adds a URL, if the client has one, and the one that signs in. */
  commands?(url: string): string[]
  /** The address that opens the client and adds an entry, if it has one. */
  link?(entry: ServerEntry): string
}

export const ENTRY_NAME = 'svc'

const stdio = ({
  command,
  args,
  env,
}: Extract<ServerTransport, { kind: 'stdio' }>): ServerEntry => ({
  command,
  args,
  ...(Object.keys(env).length && { env }),
})

/** The directory for application settings of the user. */
const appSupport = ({ platform, home, appData, xdgConfigHome }: Machine): string[] => {
  if (platform === 'darwin') return [home, 'Library', 'Application Support']
  if (platform === 'win32') return appData ? [appData] : [home, 'AppData', 'Roaming']
  return xdgConfigHome ? [xdgConfigHome] : [home, '.config']
}

/** The directory for settings of programs that use the XDG convention on every system. */
export const xdgConfig = ({ home, xdgConfigHome }: Machine): string[] =>
  xdgConfigHome ? [xdgConfigHome] : [home, '.config']

/** The clients with a settings file, by the value of `svc mcp install --client`. */
export const mcpClients = {
  'claude-code': {
    title: 'Claude Code',
    program: 'claude',
    format: 'json',
    table: 'mcpServers',
    file: (scope, { folder, home, claudeConfigDir }) =>
      scope === 'project' ? [folder, '.mcp.json'] : [claudeConfigDir ?? home, '.claude.json'],
    entry: (transport) =>
      transport.kind === 'http'
        ? { type: 'http', url: transport.url }
        : { type: 'stdio', ...stdio(transport) },
    commands: (url) => [`claude mcp add --transport http ${ENTRY_NAME} ${url}`],
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    table: 'mcpServers',
    file: (scope, machine) =>
      scope === 'user'
        ? [...appSupport(machine), 'Claude', 'claude_desktop_config.json']
        : undefined,
    entry: (transport) => (transport.kind === 'http' ? undefined : stdio(transport)),
  },
  cursor: {
    title: 'Cursor',
    program: 'cursor',
    format: 'json',
    table: 'mcpServers',
    file: (scope, { folder, home }) => [scope === 'project' ? folder : home, '.cursor', 'mcp.json'],
    entry: (transport) => (transport.kind === 'http' ? { url: transport.url } : stdio(transport)),
    link: (entry) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
        name: ENTRY_NAME,
        config: btoa(JSON.stringify(entry)),
      })}`,
  },
  vscode: {
    title: 'VS Code',
    program: 'code',
    format: 'json',
    table: 'servers',
    file: (scope, machine) =>
      scope === 'project'
        ? [machine.folder, '.vscode', 'mcp.json']
        : [...appSupport(machine), 'Code', 'User', 'mcp.json'],
    entry: (transport) =>
      transport.kind === 'http'
        ? { type: 'http', url: transport.url }
        : { type: 'stdio', ...stdio(transport) },
    link: (entry) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: ENTRY_NAME, ...entry }))}`,
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    format: 'toml',
    table: 'mcp_servers',
    file: (scope, { folder, home, codexHome }) =>
      scope === 'project'
        ? [folder, '.codex', 'config.toml']
        : [...(codexHome ? [codexHome] : [home, '.codex']), 'config.toml'],
    entry: (transport) => (transport.kind === 'http' ? { url: transport.url } : stdio(transport)),
    commands: (url) => [
      `codex mcp add ${ENTRY_NAME} --url ${url}`,
      `codex mcp login ${ENTRY_NAME}`,
    ],
  },
  opencode: {
    title: 'OpenCode',
    program: 'opencode',
    format: 'json',
    table: 'mcp',
    file: (scope, machine) =>
      scope === 'project'
        ? [machine.folder, 'opencode.json']
        : [...xdgConfig(machine), 'opencode', 'opencode.json'],
    otherName: 'opencode.jsonc',
    entry: (transport) =>
      transport.kind === 'http'
        ? { type: 'remote', url: transport.url }
        : {
            type: 'local',
            command: [transport.command, ...transport.args],
            ...(Object.keys(transport.env).length && { environment: transport.env }),
          },
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    program: 'gemini',
    format: 'json',
    table: 'mcpServers',
    file: (scope, { folder, home }) => [
      scope === 'project' ? folder : home,
      '.gemini',
      'settings.json',
    ],
    entry: (transport) =>
      transport.kind === 'http' ? { httpUrl: transport.url } : stdio(transport),
  },
  windsurf: {
    title: 'Windsurf',
    program: 'windsurf',
    format: 'json',
    table: 'mcpServers',
    file: (scope, { home }) =>
      scope === 'user' ? [home, '.codeium', 'windsurf', 'mcp_config.json'] : undefined,
    entry: (transport) =>
      transport.kind === 'http' ? { serverUrl: transport.url } : stdio(transport),
  },
  zed: {
    title: 'Zed',
    program: 'zed',
    format: 'json',
    table: 'context_servers',
    file: (scope, machine) => {
      if (scope === 'project') return [machine.folder, '.zed', 'settings.json']
      const { platform, home, xdgConfigHome } = machine
      if (platform === 'win32') return [...appSupport(machine), 'Zed', 'settings.json']
      const linuxHome = platform === 'linux' ? xdgConfigHome : undefined
      return [...(linuxHome ? [linuxHome] : [home, '.config']), 'zed', 'settings.json']
    },
    entry: (transport) => (transport.kind === 'http' ? { url: transport.url } : stdio(transport)),
  },
} as const satisfies Record<string, McpClient>

export type ClientName = keyof typeof mcpClients
