import { resolve } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { startEmbedded } from './platform/db/embedded/open.ts'
import { createLog } from './platform/log.ts'
import { StartError } from './platform/start-error.ts'
import type { Server } from './start.ts'

const banner = ({ baseUrl, claimLink }: Server, config: Config) => `
svc is running.

  Open        ${baseUrl}
  API         ${baseUrl}/api/docs
  Data        ${config.databaseUrl ? 'PostgreSQL' : resolve(config.dataDir)}
  Sign in     ./svc login${baseUrl === 'http://localhost:3000' ? '' : ` --url ${baseUrl}`}${firstAdmin(claimLink, config)}

`

const firstAdmin = (claimLink: string | undefined, { smtpUrl }: Config) =>
  claimLink
    ? `
  Admin       ${claimLink}
              makes you the admin${smtpUrl ? '' : ' and verifies your address'}: open it once, within 30 minutes`
    : ''

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  // PostgreSQL starts in its own processes while this process loads the rest of the code.
  const embedded = config.databaseUrl ? undefined : startEmbedded(config.dataDir, log)
  embedded?.catch(() => {})
  const { start } = await import('./start.ts')
  const server = await start(config, { log, embedded })
  const stop = async () => {
    const failed = await server.stop().then(
      () => false,
      (error: unknown) => {
        log.error({ error }, 'shutdown failed')
        return true
      },
    )
    process.exit(failed ? 1 : 0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.stderr.write(banner(server, config))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
