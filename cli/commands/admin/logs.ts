import { type LogLevel, readLogs } from '../../../shared/contract/logs.ts'
import type { Context } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { printList } from '../../list.ts'
import { accountClient } from '../../session.ts'

interface LogsArgs {
  level?: LogLevel
  search?: string
  limit?: number
}

/** Prints the last lines of the log of the server, the newest last. */
export const runAdminLogs = async (
  context: Context,
  { level, search, limit }: LogsArgs,
): Promise<void> => {
  const response = await accountClient(context).call(readLogs, {
    query: definedFields({ level, q: search, limit }),
  })
  await printList(context, {
    items: response.lines.toReversed(),
    columns: {
      TIME: ({ time }) => time,
      LEVEL: (line) => line.level,
      PROCESS: ({ process }) => process,
      MESSAGE: ({ message }) => message,
      DETAILS: ({ details }) => JSON.stringify(details),
    },
    minor: ['PROCESS', 'DETAILS'],
    empty: 'No lines.',
    response,
  })
}
