import type { Static } from '@sinclair/typebox'
import {
  type CognitiveEngine,
  listEngines,
  switchEngine,
} from '../../../shared/contract/engines.ts'
import {
  listRegistry,
  REGISTRY_TYPES,
  type RegistryEntry,
  type RegistryType,
  switchHandler,
} from '../../../shared/contract/registry.ts'
import { type Context, signedInClient } from '../../context.ts'
import { findItem, type Kind } from '../../ids.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'

/** A handler with its type. */
type Handler = Static<typeof RegistryEntry> & { registry_type: RegistryType }

const formatSwitch = ({ enabled }: { enabled: boolean }) => (enabled ? 'enabled' : 'disabled')

const report = ({ io, json }: Context, item: object, name: string, enabled: boolean): void => {
  if (json) io.printJson({ ...item, enabled })
  io.info(`${enabled ? 'Enabled' : 'Disabled'} ${oneLine(name)}.`)
}

const engines: Kind<CognitiveEngine> = {
  noun: 'Engine',
  command: 'svc admin engines list',
  all: async (client) => (await client.call(listEngines)).engines,
  id: ({ engine }) => engine,
  names: () => [],
}

/** Lists the engines that process memories. */
export const runAdminEnginesList = async (context: Context): Promise<void> => {
  const response = await signedInClient(context).call(listEngines)
  await printList(context, {
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
  const found = await findItem(client, engines, args.engine)
  const { reason } = args
  const params = { engine: found.engine }
  context.io.willPrint(Object.keys(found))
  await client.call(switchEngine, { params, body: { enabled, reason } })
  report(context, { ...found, reason }, found.engine, enabled)
}

export const runAdminEnginesEnable = (context: Context, args: EngineArgs) =>
  setEngine(context, args, true)

export const runAdminEnginesDisable = (context: Context, args: EngineArgs) =>
  setEngine(context, args, false)

const handlersOf = (types: readonly RegistryType[]): Kind<Handler> => ({
  noun: 'Handler',
  command: 'svc admin handlers list',
  async all(client) {
    const listings = await Promise.all(
      types.map((registry_type) =>
        client.call(listRegistry, { query: { registry_type, include_disabled: true } }),
      ),
    )
    return listings.flatMap(({ registry_type, entries }) =>
      entries.map((entry) => ({ registry_type, ...entry })),
    )
  },
  id: ({ name }) => name,
  names: () => [],
})

/** Lists the handlers of reflexes, of one type or of all types. */
export const runAdminHandlersList = async (
  context: Context,
  { type }: { type?: RegistryType },
): Promise<void> =>
  await printList(context, {
    items: await handlersOf(type ? [type] : REGISTRY_TYPES).all(signedInClient(context)),
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
  const client = signedInClient(context)
  const handler = await findItem(client, handlersOf([type]), name)
  const params = { registry_type: type, name: handler.name }
  context.io.willPrint(Object.keys(handler))
  await client.call(switchHandler, { params, body: { enabled, reason } })
  report(context, handler, handler.name, enabled)
}

export const runAdminHandlersEnable = (context: Context, args: HandlerArgs) =>
  setHandler(context, args, true)

export const runAdminHandlersDisable = (context: Context, args: HandlerArgs) =>
  setHandler(context, args, false)
