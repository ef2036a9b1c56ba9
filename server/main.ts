import { resolve } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { StartError } from './platform/start-error.ts'
import { type Server, start } from './start.ts'

const banner = ({ baseUrl, claimLink }: Server, config: Config) => `
svc is running.

  Open        ${baseUrl}
  API         ${baseUrl}/api/docs
  Data        ${config.databaseUrl ? 'PostgreSQL' : resolve(config.dataDir)}
  Sign in     npx bun cli/main.ts login${baseUrl === 'http://localhost:3000' ? '' : ` --url ${baseUrl}`}${firstAdmin(claimLink)}

`

const firstAdmin = (claimLink: string | undefined) =>
  claimLink
    ? `
  Admin       ${claimLink}
              makes you the admin: open it once, within 30 minutes`
    : ''

try {
  const config = readConfig(process.env)
  const server = await start(config)
  process.stderr.write(banner(server, config))
  const stop = async () => {
    await server.stop()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
