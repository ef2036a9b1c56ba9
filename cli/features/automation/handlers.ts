import type { Static } from '@sinclair/typebox'
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
import { formatSwitch, reportSwitch } from '../../switches.ts'

/** A handler with its type. */
type Handler = Static<typeof RegistryEntry> & { registry_type: RegistryType }

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
  reportSwitch(context, handler, handler.name, enabled)
}

export const runAdminHandlersEnable = (context: Context, args: HandlerArgs) =>
  setHandler(context, args, true)

export const runAdminHandlersDisable = (context: Context, args: HandlerArgs) =>
  setHandler(context, args, false)
