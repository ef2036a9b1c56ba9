import { redactUrls } from '../shared/redact.ts'
import { type Config, readConfig } from './config/config.ts'
import type { StartOptions } from './config/start-options.ts'
import { startEmbedded } from './platform/db/embedded/open.ts'
import { startFailureOf } from './platform/db/preparation.ts'
import { checkFiles } from './platform/files.ts'
import { checkPort } from './platform/http/listen.ts'
import { createLog, type Log } from './platform/log.ts'
import { StartError } from './platform/operator-error.ts'
import { onStopSignal } from './platform/shutdown.ts'
import { joinServer, MEMBER_VARIABLE } from './platform/web-processes.ts'
import type { Server } from './start.ts'

const banner = (server: Server, config: Config, command: string): string => {
  const { url, baseUrl, claimLink } = server
  if (config.role === 'worker')
    return `
svc is running as a worker.

  Health      ${url}/api/health/detail
  Data        PostgreSQL
`
  const option = baseUrl === 'http://localhost:3000' ? '' : ` --url ${baseUrl}`
  return `
svc is running.

  Open        ${baseUrl}
  API         ${baseUrl}/api/docs
  Data        ${config.databaseUrl ? 'PostgreSQL' : config.dataDir}
  Sign in     ${command} login${option}
${claimLink ? firstAdmin(claimLink, config) : ''}
`
}

const firstAdmin = (claimLink: string, { smtpUrl }: Config): string => `
This link makes you the admin${smtpUrl ? '' : ' and verifies your address'}. Open it once, within 30 minutes:
${claimLink}
`

const notice = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** Stops the server and ends this process. */
const stopAndExit = (server: Server, log: Log): void => {
  server.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ error }, 'shutdown failed')
      process.exit(1)
    },
  )
}

/**
 * Runs the server in this process until a signal stops it. If it cannot start, it prints the reason and
 * exits with 1.
 * @param command the command that runs svc, for the instructions.
 * @param settings override the variables of the environment.
 * @param own the command that starts this server again, for its further processes.
 */
export const serve = async (
  command: string,
  {
    settings,
    own,
    ...options
  }: Pick<StartOptions, 'fetching'> & {
    settings?: Record<string, string>
    own?: string[]
  } = {},
): Promise<void> => {
  let databaseUrl: string | undefined
  try {
    checkFiles()
    const config = readConfig({ ...process.env, ...settings })
    databaseUrl = config.databaseUrl
    const log = createLog(config.logLevel)
    const requestLevel = process.stdout.isTTY ? 'debug' : 'info'
    if (process.env[MEMBER_VARIABLE]) {
      const joined = await joinServer()
      const { start } = await import('./start.ts')
      const server = await start(config, { ...options, command, log, joined, notice, requestLevel })
      joined.onStop(() => stopAndExit(server, log))
      return
    }
    await checkPort(config.host, config.port)
    // PostgreSQL starts in its own processes while this process loads the rest of the code.
    const embedded = config.databaseUrl
      ? undefined
      : startEmbedded(config.dataDir, { log, notice, processes: config.processes })
    embedded?.catch(() => {})
    const { start } = await import('./start.ts')
    const server = await start(config, {
      ...options,
      command,
      log,
      embedded,
      notice,
      requestLevel,
      program: own && { command: own, env: { ...process.env, ...settings } },
    })
    onStopSignal(() => stopAndExit(server, log), config.startedByNpm)
    process.stderr.write(banner(server, config, command))
  } catch (error) {
    const reason = error instanceof StartError ? error.message : startFailureOf(error, databaseUrl)
    if (!reason) throw error
    notice(redactUrls(reason).replaceAll(/(?<=run: )svc /gi, `${command} `))
    process.exit(1)
  }
}
