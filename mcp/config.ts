import { parseToolNames } from './selection.ts'
import { resolveConnection, type ServerConnection } from './stdio/connection.ts'
import { configDirectory } from './stdio/local-config.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Called for each tool call, so that a `svc login` takes effect without a restart.
 * @throws InvalidSettingsError
 */
export const readConnection = (org: string | undefined, env: Env = process.env): ServerConnection =>
  resolveConnection({
    ...(org !== undefined && { org: { text: org, source: '--org' } }),
    ...(env.SVC_URL && { url: { text: env.SVC_URL, source: 'SVC_URL' } }),
    profile: env.SVC_PROFILE,
    apiKey: env.SVC_API_KEY,
    configDirectory: configDirectory(env),
  })

/** The tools that SVC_MCP_TOOLS names; undefined for all. */
export const readToolNames = (env: Env = process.env): string[] | undefined =>
  parseToolNames(env.SVC_MCP_TOOLS)
