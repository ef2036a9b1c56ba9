import type { Context } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { runInterruptible } from '../../interrupt.ts'
import { readFields } from './fields.ts'
import { prepareRequest } from './request.ts'
import { printResponse } from './response.ts'
import { resolveTarget } from './target.ts'

interface ApiArgs {
  /** `[METHOD] PATH` */
  endpoint: string[]
  rawField?: string[]
  field?: string[]
  header?: string[]
  input?: string
  paginate?: boolean
}

/** Sends a request to an endpoint and prints the response. */
export const runApi = async (context: Context, args: ApiArgs): Promise<void> => {
  const { rawField = [], field = [], header: headerLines = [], input } = args
  const target = resolveTarget(
    args.endpoint,
    await readFields(rawField, field, context.io.runtime),
    {
      origin: context.url,
      hasInput: input !== undefined,
    },
  )
  if (args.paginate && target.method !== 'GET')
    throw usageError('--paginate is for lists, which are read with GET.', 'Remove --paginate.')
  const send = await prepareRequest(context, target, { input, headerLines })
  await runInterruptible(context.io, async (signal) => {
    const { url } = target
    for (;;) {
      const page = await printResponse(context.io, await send(url, signal))
      const { next_cursor: cursor } = (page ?? {}) as { next_cursor?: unknown }
      if (!args.paginate || cursor === null) return
      if (typeof cursor !== 'string')
        return context.io.message('The response has no next_cursor, so there are no more pages.')
      url.searchParams.set('cursor', cursor)
    }
  })
}
