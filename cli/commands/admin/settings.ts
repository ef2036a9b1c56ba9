import {
  changeServerSettings,
  listServerSettings,
  type ServerSetting,
  type SettingGroup,
  type TestedGroup,
  testServerSettings,
} from '../../../shared/contract/server-settings.ts'
import { type Context, signedInClient } from '../../context.ts'
import { CliError, usageError } from '../../errors.ts'
import { readPipedInput } from '../../input.ts'
import { printList } from '../../list.ts'
import { accountClient } from '../../session.ts'

const formatValue = ({ source, is_secret, value, hint }: ServerSetting): string => {
  if (source === 'default') return ''
  return is_secret ? (hint ? `set, ends with ${hint}` : 'set') : (value ?? '')
}

/** Lists the settings that change while the server runs, of all groups or of one. */
export const runAdminSettingsList = async (
  context: Context,
  { group }: { group?: SettingGroup },
): Promise<void> => {
  const { settings } = await signedInClient(context).call(listServerSettings)
  await printList(context, {
    items: settings.filter((each) => group === undefined || each.group === group),
    columns: {
      NAME: ({ name }) => name,
      FROM: ({ source }) => source,
      GROUP: (each) => each.group,
      VALUE: formatValue,
    },
    empty: 'No settings.',
  })
}

interface NewValue {
  name: string
  value: string
}

const FROM_STDIN = '-'
const EXAMPLE = 'svc admin settings set SVC_MAIL_FROM=svc@example.com'

/** Parses `NAME=VALUE`. The value `-` is read from stdin, so that a secret is not in the list of processes. */
const parseValues = async ({ io }: Context, assignments: string[]): Promise<NewValue[]> => {
  const values = assignments.map((assignment) => {
    const at = assignment.indexOf('=')
    if (at < 1) throw usageError(`${assignment} has no value.`, `Run: ${EXAMPLE}`)
    return { name: assignment.slice(0, at), value: assignment.slice(at + 1) }
  })
  const piped = values.filter(({ value }) => value === FROM_STDIN)
  if (piped.length > 1)
    throw usageError('Only one value can be read from stdin.', 'Set the others in another command.')
  const [secret] = piped
  if (secret) secret.value = await readPipedInput(io)
  return values
}

/** Changes settings together. */
const change = async (
  context: Context,
  values: { name: string; value: string | null }[],
  done: string,
): Promise<void> => {
  const client = accountClient(context)
  const { settings } = await client.call(listServerSettings)
  const changes = values.map(({ name, value }) => ({
    name,
    value,
    version: settings.find((each) => each.name === name)?.version ?? 0,
  }))
  const response = await client.call(changeServerSettings, { body: { changes } })
  const names = values.map(({ name }) => name)
  if (context.json)
    context.io.printJson(response.settings.filter(({ name }) => names.includes(name)))
  context.io.info(`${done} ${names.join(', ')}. The server uses the change now.`)
}

export const runAdminSettingsSet = async (
  context: Context,
  { values }: { values: string[] },
): Promise<void> => change(context, await parseValues(context, values), 'Set')

export const runAdminSettingsUnset = (
  context: Context,
  { names }: { names: string[] },
): Promise<void> =>
  change(
    context,
    names.map((name) => ({ name, value: null })),
    'Unset',
  )

/** Tests a group of settings, with values that are not stored. */
export const runAdminSettingsTest = async (
  context: Context,
  { group, values: assignments }: { group: TestedGroup; values: string[] },
): Promise<void> => {
  const values = await parseValues(context, assignments)
  const { tests } = await accountClient(context).call(testServerSettings, {
    body: { group, ...(values.length && { values }) },
  })
  await printList(context, {
    items: tests,
    columns: {
      RESULT: ({ ok }) => (ok ? 'works' : 'fails'),
      TARGET: ({ target }) => target,
      MESSAGE: ({ message }) => message,
    },
    empty: 'Nothing was tested.',
  })
  if (tests.some(({ ok }) => !ok))
    throw new CliError('The test failed.', 'Run: svc admin settings list')
}
