import { type PGlite, protocol, types } from '@electric-sql/pglite'

type BackendMessage = Awaited<ReturnType<PGlite['execProtocol']>>['messages'][number]

/** What a statement can be given as text, without asking what type it wants. */
export type Scalar = string | number | boolean | null

interface Field {
  name: string
  dataTypeID: number
}

export const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** Runs statements that the embedded database has planned before. */
export type RunPrepared = <T>(text: string, params: Scalar[]) => Promise<T[]>

/**
 * PGlite plans a statement anew each time, which for a large one takes longer than running it. Here
 * each text is planned once, under a name, and then bound and executed by it.
 */
export const createPrepared = (client: PGlite): RunPrepared => {
  const { parse, describe, bind, execute, sync } = protocol.serialize
  const known = new Map<string, { name: string; fields: Field[] }>()

  const send = async (...messages: Uint8Array[]) => {
    const result = await client.execProtocol(Buffer.concat(messages), { throwOnError: true })
    return result.messages
  }
  const prepare = async (text: string) => {
    const name = `svc_${known.size}`
    const answer = await send(parse({ name, text }), describe({ type: 'S', name }), sync())
    const statement = { name, fields: fieldsOf(answer) }
    known.set(text, statement)
    return statement
  }

  const run = async <T>(text: string, params: Scalar[]) => {
    const { name, fields } = known.get(text) ?? (await prepare(text))
    const values = params.map((value) => (value === null ? null : String(value)))
    const answer = await send(bind({ statement: name, values }), execute({}), sync())
    return rowsOf<T>(answer, fields, client.parsers)
  }
  // As PGlite's own query does: its public runExclusive would let us into another's transaction.
  return <T>(text: string, params: Scalar[]) =>
    client._runExclusiveTransaction(() => client._runExclusiveQuery(() => run<T>(text, params)))
}

const fieldsOf = (messages: BackendMessage[]): Field[] =>
  messages.flatMap((message) =>
    message instanceof protocol.messages.RowDescriptionMessage ? message.fields : [],
  )

const rowsOf = <T>(messages: BackendMessage[], fields: Field[], parsers: PGlite['parsers']): T[] =>
  messages.flatMap((message) => {
    if (!(message instanceof protocol.messages.DataRowMessage)) return []
    const entries = message.fields.map((text, i) => {
      const { name = '', dataTypeID = 0 } = fields[i] ?? {}
      return [name, types.parseType(text, dataTypeID, parsers)]
    })
    return [Object.fromEntries(entries) as T]
  })
