import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer } from '../admin/support.ts'
import { createDatabase } from '../harness/database.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  cookieValue,
  PASSWORD,
  request,
  type TestServer,
  type TestUser,
} from '../harness/server.ts'
import { type Page, ROOT } from './page.ts'

const BIN = join(import.meta.dir, 'bin')

/** The user of the pages, whose password is that of the tests. */
export const EXAMPLE_EMAIL = 'ada@example.com'

/** `field 0.id` prints a field of the JSON on stdin. */
const PRELUDE = `
curl() { command curl --fail-with-body "$@"; }
field() { bun -p 'process.argv[1].split(".").reduce((part, name) => part[name], await Bun.stdin.json())' "$1"; }
trap 'echo "FAILED: $BASH_COMMAND" >&2' ERR
set -eEuo pipefail
`

/** A folder that looks like a clone, except that `svc login` needs no browser. */
const createClone = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
  for (const name of readdirSync(ROOT))
    if (!name.startsWith('.') && !['svc', 'data', 'dist'].includes(name))
      symlinkSync(join(ROOT, name), join(folder, name))
  symlinkSync(join(BIN, 'svc'), join(folder, 'svc'))
  return folder
}

/** A home directory with a sign-in of the user, which has its own session and key. */
const createHome = async (server: TestServer, { email }: TestUser) => {
  const { body, cookie } = await request(server, 'POST', '/api/auth/signin', {
    body: { email, password: PASSWORD },
  })
  const created = await request(server, 'POST', '/api/auth/api-keys', {
    token: body.access_token,
    body: { name: 'svc' },
  })
  const home = mkdtempSync(join(tmpdir(), 'svc-docs-home-'))
  const configDir = join(home, '.config/svc')
  mkdirSync(configDir, { recursive: true })
  const profile = {
    url: server.url,
    api_key: created.body.key,
    key_id: created.body.id,
    email,
    refresh_token: cookieValue(cookie),
  }
  writeFileSync(
    join(configDir, 'credentials.json'),
    JSON.stringify({ profiles: { default: profile } }),
  )
  return home
}

/**
 * Runs the commands of a page in order, as a signed-in admin in a clone. The page sets its variables. Hidden
 * commands have those of another user, COLLEAGUE_TOKEN (an access token) and COLLEAGUE_EMAIL.
 * @returns the exit code with the output.
 */
export const runPage = async (
  { commands }: Page,
  { server, admin }: { server: TestServer; admin: TestUser },
  replace: (commands: string) => string,
): Promise<{ code: number; output: string }> => {
  const clone = createClone()
  const [user, colleague] = [await newVerifiedUser(server), await newVerifiedUser(server)]
  await administer(server, admin, 'PUT', `${user.id}/admin`, { is_admin: true })
  const home = await createHome(server, user)
  // An embedded database would take seconds to start.
  const database = await createDatabase()
  const path = `${BIN}:${home}/.local/bin:${ROOT}node_modules/.bin:${process.env.PATH}`
  const script = replace(commands.join('\n')).replaceAll(EXAMPLE_EMAIL, user.email)
  const child = Bun.spawn(['bash', '-c', `exec 2>&1${PRELUDE}${script}`], {
    cwd: clone,
    env: {
      ...database.env,
      HOME: home,
      PATH: path,
      ROOT: ROOT.replace(/\/$/, ''),
      PAGE_BIN: BIN,
      TEST_SVC: process.env.TEST_SVC,
      PAGE_URL: server.url,
      PAGE_TOKEN: user.accessToken,
      COLLEAGUE_TOKEN: colleague.accessToken,
      COLLEAGUE_EMAIL: colleague.email,
    },
    stdin: 'ignore',
    stdout: 'pipe',
  })
  const output = await child.stdout.text()
  const code = await child.exited
  await database.drop()
  for (const folder of [clone, home]) rmSync(folder, { recursive: true, force: true })
  return { code, output }
}
