import type { Client } from '../../shared/client.ts'
import { listConflicts } from '../../shared/contract/identity.ts'
import { me } from '../../shared/contract/sessions.ts'
import { openSpool } from '../assistants/spool.ts'
import { type Context, signedInClient } from '../context.ts'
import type { CliFeature, StatusPart } from '../feature.ts'
import { features } from '../features.ts'
import { printFields } from '../list.ts'
import { getHealthReport } from './doctor/server.ts'

/** Prints the server, the account and the organization, and what waits for the user. */
export const runStatus = async (context: Context): Promise<void> => {
  const client = signedInClient(context)
  const [caller, report, { conflicts }] = await Promise.all([
    client.call(me),
    getHealthReport(client),
    client.call(listConflicts),
  ])
  const isOn = ({ name }: CliFeature) => report?.features?.[name] !== false
  const readers = features.filter(isOn).flatMap(({ status }) => status ?? [])
  const parts = await Promise.all(readers.map((reader) => readPart(client, reader, caller)))
  const fields: Record<string, unknown> = Object.assign({}, ...parts.map(({ fields }) => fields))
  const lines: StatusPart['lines'] = Object.assign({}, ...parts.map(({ lines }) => lines))
  const { url, io } = context
  const { version = null, status = null } = report ?? {}
  const spool = openSpool(context.environment.configDir)
  const refused = spool.refused().length
  const { note: meaning, suggestion } = report?.parts.embedding ?? {}
  printFields(
    context,
    {
      url,
      version,
      status,
      email: caller.email,
      email_verified: caller.email_verified,
      organization: caller.org,
      ...fields,
      conflicts: conflicts.length,
      meaning: meaning ?? null,
      suggestion: suggestion ?? null,
      captures_waiting: spool.names().length,
      captures_refused: refused,
    },
    {
      server: `${url} (svc ${version}, ${status})`,
      account: caller.email,
      organization: caller.org ? `${caller.org.name}, as ${caller.org.role}` : 'none (personal)',
      ...lines,
      conflicts: conflicts.length,
      meaning,
    },
  )
  if (context.json) return
  if (!caller.email_verified && readers.length > 0)
    io.info('Reminders and messages need a verified address. Run: svc verify --resend')
  for (const hint of parts.flatMap(({ hints }) => hints)) io.info(hint)
  if (suggestion) io.info(suggestion)
  if (conflicts.length) io.info('To list the conflicts, run: svc conflicts list')
  if (refused) io.info('The server refused turns of assistants. To list them, run: svc spool')
}

/** Reminders and messages need a verified address: without one, their fields are null. */
const readPart = async (
  client: Client,
  { fields, read }: Required<CliFeature>['status'],
  { email_verified }: { email_verified: boolean },
): Promise<StatusPart> =>
  email_verified
    ? await read(client)
    : { fields: Object.fromEntries(fields.map((name) => [name, null])), lines: {}, hints: [] }
