import { listEngines, switchEngine } from '../../../shared/contract/engines.ts'
import { listRegistry, switchHandler } from '../../../shared/contract/registry.ts'
import { REGISTRY_TYPES, type RegistryType } from '../../../shared/schemas/registry.ts'
import { type Context, signedInClient } from '../../context.ts'
import { findItem } from '../../find.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'

const formatSwitch = ({ enabled }: { enabled: boolean }) => (enabled ? 'enabled' : 'disabled')

const report = ({ io, json }: Context, item: object, name: string, enabled: boolean): void => {
  if (json) io.printJson({ ...item, enabled })
  io.info(`${enabled ? 'Enabled' : 'Disabled'} ${oneLine(name)}.`)
}

/** Lists the engines that process memories. */
export const runAdminEnginesList = async (context: Context): Promise<void> => {
  const response = await signedInClient(context).call(listEngines)
  printList(context, {
    items: response.engines,
    columns: {
      ENGINE: ({ engine }) => engine,
      STATE: formatSwitch,
      PENDING: ({ pending }) => pending,
      ABOUT: ({ about, enabled, reason }) => (enabled ? about : reason),
    },
    empty: 'No engines.',
    response,
  })
}

interface EngineArgs {
  engine: string
  reason: string
}

const setEngine = async (context: Context, args: EngineArgs, enabled: boolean) => {
  const client = signedInClient(context)
  const { engines } = await client.call(listEngines)
  const found = findItem(engines, args.engine, {
    kind: 'Engine',
    keys: ({ engine }) => [engine],
    list: 'svc admin engines list',
  })
  const { reason } = args
  const params = { engine: found.engine }
  await client.call(switchEngine, { params, body: { enabled, reason } })
  report(context, { ...found, reason }, found.engine, enabled)
}

export const runAdminEnginesEnable = (context: Context, args: EngineArgs) =>
  setEngine(context, args, true)

export const runAdminEnginesDisable = (context: Context, args: EngineArgs) =>
  setEngine(context, args, false)

const listHandlers = async (context: Context, types: readonly RegistryType[]) => {
  const client = signedInClient(context)
  const listings = await Promise.all(
    types.map((registry_type) =>
      client.call(listRegistry, { query: { registry_type, include_disabled: true } }),
    ),
  )
  return listings.flatMap(({ registry_type, entries }) =>
    entries.map((entry) => ({ registry_type, ...entry })),
  )
}

/** Lists the handlers of reflexes, of one type or of all types. */
export const runAdminHandlersList = async (
  context: Context,
  { type }: { type?: RegistryType },
): Promise<void> =>
  printList(context, {
    items: await listHandlers(context, type ? [type] : REGISTRY_TYPES),
    columns: {
      TYPE: ({ registry_type }) => registry_type,
      STATE: formatSwitch,
      NAME: ({ name }) => name,
    },
    empty: 'No handlers.',
  })

interface HandlerArgs {
  type: RegistryType
  name: string
  reason: string
}

const setHandler = async (context: Context, args: HandlerArgs, enabled: boolean) => {
  const { type, name, reason } = args
  const handler = findItem(await listHandlers(context, [type]), name, {
    kind: 'Handler',
    keys: (each) => [each.name],
    list: `svc admin handlers list ${type}`,
  })
  const params = { registry_type: type, name: handler.name }
  await signedInClient(context).call(switchHandler, { params, body: { enabled, reason } })
  report(context, handler, handler.name, enabled)
}

export const runAdminHandlersEnable = (context: Context, args: HandlerArgs) =>
  setHandler(context, args, true)

export const runAdminHandlersDisable = (context: Context, args: HandlerArgs) =>
  setHandler(context, args, false)
