import {
  type CognitiveEngine,
  listEngines,
  switchEngine,
} from '../../../shared/contract/engines.ts'
import { type Context, signedInClient } from '../../context.ts'
import { findItem, type Kind } from '../../ids.ts'
import { printList } from '../../list.ts'
import { formatSwitch, reportSwitch } from '../../switches.ts'

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
  reportSwitch(context, { ...found, reason }, found.engine, enabled)
}

export const runAdminEnginesEnable = (context: Context, args: EngineArgs) =>
  setEngine(context, args, true)

export const runAdminEnginesDisable = (context: Context, args: EngineArgs) =>
  setEngine(context, args, false)
