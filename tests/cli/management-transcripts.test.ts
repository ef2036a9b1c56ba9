import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { TOTP } from 'otpauth'
import { claimAdmin } from '../admin/support.ts'
import { useConversation } from '../conversation/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { says } from '../harness/model-server.ts'
import { request } from '../harness/server.ts'
import { accountSteps, adminSteps, automationSteps, peopleSteps } from './management-steps.ts'
import { signedInMachine } from './svc.ts'
import { atTerminal, piped, type Run, recordTranscript, type Step, withJson } from './transcript.ts'

const chats = useConversation()

const REFLEX = {
  name: 'Too hot',
  trigger: { type: 'signal', signal_type: 'readings' },
  conditions: [{ op: 'gt', path: 'value.temperature', value: 30 }],
  action: { type: 'notify', channel: 'inbox', text: 'It is {{value.temperature}} degrees.' },
}

/** Values that differ between runs. */
const replacements = () =>
  [
    [chats.server.url, 'http://SERVER'],
    [chats.server.baseUrl, 'http://SERVER'],
    [/(?<=token=)[\w-]+/g, 'TOKEN'],
    [/(?<=svc-domain-verification=)[\w-]+…?/g, 'TOKEN'],
    [/(?<![\w-])[\w-]{43}(?![\w-])/g, 'T'.repeat(43)],
    [/(?<=secret=|"secret": ")\w+/g, 'SECRET'],
    [/(?<="qr_svg": ").*(?=")/g, 'SVG'],
    [/^[ █▄▀]+\n/gm, ''],
    [/\b[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}\b/g, 'abcd-abcd-abcd-abcd'],
    [/initials-\w+-\d+/g, 'initials'],
    [/^[\w-]{20,42}…/gm, 'TTTT…'],
    // Work in the background.
    [/^KIND .*\n(?:[a-z.-]+ .*\n)+/gm, 'KIND …\n'],
    [/(?<="oldest_due_at": ).*/g, 'null'],
    [`${hostname()}/${process.pid}`, 'HOST/PID'],
    // The ways that come before change the same settings.
    [/(?<="version": )\d+/g, '1'],
    [/(?<=(?:enabled|disabled) +)\d+/g, '0'],
    [/(?<="(?:pending|waiting|active)": )\d+/g, '0'],
  ] as const

/** Signs in a user, and runs the steps with another user whose name is in them. */
const transcript = async (run: Run, name: string, steps: Step[], isAdmin = false) => {
  const ada = await newVerifiedUser(chats.server, `${name}-ada@example.com`)
  await newVerifiedUser(chats.server, `${name}-ben@example.com`)
  if (isAdmin) await makeAdmin(ada.id)
  const { machine } = await signedInMachine(chats.server, chats.server.url, ada)
  machine.cwd = machine.env.HOME ?? ''
  // No browser is opened.
  machine.env.CI = '1'
  writeFileSync(`${machine.cwd}/too-hot.json`, JSON.stringify(REFLEX))
  writeFileSync(`${machine.cwd}/users.ndjson`, '{"email": "new@example.com"}\n{"email": "no"}\n')
  writeFileSync(`${machine.cwd}/broken.json`, '{"name": "Too hot"}')
  chats.model.always(says(['Good morning.']))
  const kept: Record<string, string> = {
    BEN: `${name}-ben`,
    '@BEN': `@${name}-ben`,
    BEN_EMAIL: `${name}-ben@example.com`,
    get CODE() {
      return new TOTP({ secret: kept.SECRET ?? '' }).generate()
    },
  }
  return recordTranscript(steps, { machine, run, kept, replaced: replacements() })
}

/** The first admin of the server makes the user an admin. */
const makeAdmin = async (userId: string) => {
  firstAdmin ??= (async () => {
    const admin = await chats.newUser()
    await claimAdmin(chats.server, admin)
    return admin
  })()
  const { status } = await request(chats.server, 'PUT', `/api/admin/users/${userId}/admin`, {
    token: (await firstAdmin).accessToken,
    body: { is_admin: true },
  })
  expect(status).toBe(200)
}
let firstAdmin: ReturnType<typeof chats.newUser> | undefined

const ways = [
  ['a pipe', 'pipe', piped],
  ['a pipe with --json', 'json', withJson],
  ['a terminal', 'wide', atTerminal],
] as const

test.each(ways)('the commands for people match the transcript in %s', async (_, name, run) => {
  expect(await transcript(run, `${name}1`, peopleSteps)).toMatchSnapshot()
})

test.each(ways)('the commands for automation match the transcript in %s', async (_, name, run) => {
  expect(await transcript(run, `${name}2`, automationSteps)).toMatchSnapshot()
})

test.each(ways)('the commands for the account match the transcript in %s', async (_, name, run) => {
  expect(await transcript(run, `${name}3`, accountSteps)).toMatchSnapshot()
})

test.each(ways)('the commands for admins match the transcript in %s', async (_, name, run) => {
  expect(await transcript(run, `${name}4`, adminSteps, true)).toMatchSnapshot()
})
