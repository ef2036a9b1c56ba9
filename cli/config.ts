import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { configDirectory } from '../mcp/stdio/local-config.ts'
import type { Runtime, Variables } from './runtime.ts'

/** The environment variables that svc reads, and its folder. An empty variable counts as unset. */
export interface CliEnvironment {
  url: string | undefined
  apiKey: string | undefined
  profile: string | undefined
  /** The tools that `svc mcp run` serves. */
  mcpTools: string | undefined
  /** The passphrase of encrypted backups. */
  backupPassphrase: string | undefined
  configDir: string
  /** The directory in SVC_CONFIG_DIR, as an absolute path. MCP clients must pass it on. */
  explicitConfigDir: string | undefined
  /** Whether color is allowed on a terminal. */
  color: boolean
  /** Whether the terminal supports escape sequences. */
  escapes: boolean
  /** Whether a browser can be opened in front of the user: not over SSH, not in CI. */
  browser: boolean
  /** The command of the text editor. */
  editor: string
  /** The command of the pager; undefined if there is none. */
  pager: string | undefined
  shell: string | undefined
  home: string
  platform: string
  /** The current folder. */
  folder: string
  /** Variables that move the settings and transcripts of assistants. */
  xdgConfigHome: string | undefined
  appData: string | undefined
  codexHome: string | undefined
  claudeConfigDir: string | undefined
  xdgDataHome: string | undefined
}

export const readEnvironment = ({
  env,
  folder,
}: Pick<Runtime, 'env' | 'folder'>): CliEnvironment => {
  const home = env.HOME || homedir()
  const explicitConfigDir = env.SVC_CONFIG_DIR ? resolve(folder, env.SVC_CONFIG_DIR) : undefined
  const escapes = env.TERM !== 'dumb'
  return {
    url: env.SVC_URL || undefined,
    apiKey: env.SVC_API_KEY?.trim() || undefined,
    profile: env.SVC_PROFILE || undefined,
    mcpTools: env.SVC_MCP_TOOLS || undefined,
    backupPassphrase: env.SVC_BACKUP_PASSPHRASE || undefined,
    configDir: explicitConfigDir ?? configDirectory(env),
    explicitConfigDir,
    color: !env.NO_COLOR && escapes,
    escapes,
    browser: !(env.CI || env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT),
    editor: env.VISUAL || env.EDITOR || 'vi',
    pager: escapes ? pagerOf(env) : undefined,
    shell: env.SHELL || undefined,
    home,
    platform: process.platform,
    folder,
    xdgConfigHome: env.XDG_CONFIG_HOME || undefined,
    appData: env.APPDATA || undefined,
    codexHome: env.CODEX_HOME || undefined,
    claudeConfigDir: env.CLAUDE_CONFIG_DIR || undefined,
    xdgDataHome: env.XDG_DATA_HOME || undefined,
  }
}

/** `less` quits if the text fits the screen, passes color on, and leaves the text on the screen. */
const DEFAULT_PAGER = 'less -FRX'

const pagerOf = (env: Variables): string | undefined => {
  const pager = env.SVC_PAGER || env.PAGER || DEFAULT_PAGER
  if (pager === 'cat') return undefined
  return pager === 'less' && !env.LESS ? DEFAULT_PAGER : pager
}

/** The variables of the process. */
export const processVariables = (): Variables => process.env
