import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The environment, as far as the command line reads it. An empty variable counts as unset. */
export interface Environment {
  url: string | undefined
  apiKey: string | undefined
  profile: string | undefined
  configDir: string
  /** SVC_CONFIG_DIR, where it was given: whoever starts svc later needs it too. */
  givenConfigDir: string | undefined
  /** Colour is welcome, where the output is a terminal. */
  color: boolean
  /** The terminal, where there is one, knows escape sequences. */
  escapes: boolean
  /** A browser opened here would be in front of the person: not over SSH, not in CI. */
  browser: boolean
  /** The command that edits a file. */
  editor: string
  shell: string | undefined
  home: string
  /** Where other programs keep their settings, as far as variables say. */
  xdgConfigHome: string | undefined
  appData: string | undefined
  codexHome: string | undefined
  claudeConfigDir: string | undefined
}

const readEnvironment = (env: Record<string, string | undefined>): Environment => {
  const home = env.HOME || homedir()
  const escapes = env.TERM !== 'dumb'
  // Assistants start svc in folders of their own.
  const givenConfigDir = env.SVC_CONFIG_DIR ? resolve(env.SVC_CONFIG_DIR) : undefined
  return {
    url: env.SVC_URL || undefined,
    apiKey: env.SVC_API_KEY?.trim() || undefined,
    profile: env.SVC_PROFILE || undefined,
    configDir: givenConfigDir ?? join(env.XDG_CONFIG_HOME || join(home, '.config'), 'svc'),
    givenConfigDir,
    color: !env.NO_COLOR && escapes,
    escapes,
    browser: !(env.CI || env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT),
    editor: env.VISUAL || env.EDITOR || 'vi',
    shell: env.SHELL || undefined,
    home,
    xdgConfigHome: env.XDG_CONFIG_HOME || undefined,
    appData: env.APPDATA || undefined,
    codexHome: env.CODEX_HOME || undefined,
    claudeConfigDir: env.CLAUDE_CONFIG_DIR || undefined,
  }
}

export const environment = (): Environment => readEnvironment(process.env)
