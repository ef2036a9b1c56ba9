import type { CallArgs } from '../../shared/client.ts'
import type * as contract from '../../shared/contract/index.ts'
import type { Endpoint, ResponseOf, StreamedResponseOf } from '../../shared/contract/index.ts'
import type { CallOptions } from './options.ts'

type Contract = typeof contract
type RowName = {
  [K in keyof Contract]: Contract[K] extends Endpoint ? K : never
}[keyof Contract]

type Part<E extends Endpoint, K extends string> = K extends keyof CallArgs<E>
  ? NonNullable<CallArgs<E>[K]>
  : Record<never, never>

/** Path parameters, query and body in one object; the content of an upload is its `file`. */
type ArgsOf<E extends Endpoint> = Part<E, 'params'> &
  Part<E, 'query'> &
  Part<E, 'body'> & { file?: Blob }

/** The methods by the name of the row, for the other entry points of the package. */
export type Methods = {
  [K in RowName]: Contract[K] extends Endpoint
    ? (args: ArgsOf<Contract[K]>, options?: CallOptions) => Promise<ResponseOf<Contract[K]>>
    : never
} & {
  [K in RowName as Contract[K] extends { streamed: { stream: unknown } }
    ? `${K}Stream`
    : never]: Contract[K] extends Endpoint
    ? (args: ArgsOf<Contract[K]>, options?: CallOptions) => Promise<StreamedResponseOf<Contract[K]>>
    : never
}
