import { homedir } from 'node:os'
import { join } from 'node:path'

/** The environment, as far as the command line reads it. An empty variable counts as unset. */
export interface Environment {
  url: string | undefined
  apiKey: string | undefined
  profile: string | undefined
  configDir: string
  /** Colour is welcome, where the output is a terminal. */
  color: boolean
  /** A browser opened here would be in front of the person: not over SSH, not in CI. */
  browser: boolean
}

export const readEnvironment = (env: Record<string, string | undefined>): Environment => ({
  url: env.SVC_URL || undefined,
  apiKey: env.SVC_API_KEY?.trim() || undefined,
  profile: env.SVC_PROFILE || undefined,
  configDir:
    env.SVC_CONFIG_DIR ||
    join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'svc'),
  color: !env.NO_COLOR && env.TERM !== 'dumb',
  browser: !(env.CI || env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT),
})

export const environment = (): Environment => readEnvironment(process.env)
