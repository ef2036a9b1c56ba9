import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const MAX_LINES = 500

export const LogQuery = Type.Object({
  level: withDefault(OneOf(LOG_LEVELS, { description: 'The lowest level.' }), 'trace'),
  q: Type.Optional(
    Type.String({ trim: true, maxLength: 200, description: 'Words that a line must contain.' }),
  ),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_LINES }), 100),
  before: Type.Optional(
    Type.String({ maxLength: 400, description: '`next_before` of the previous page.' }),
  ),
})
export type LogQuery = Static<typeof LogQuery>

export const LogLine = Type.Object({
  id: Type.String(),
  process: Type.String({ description: 'The machine and the process.', examples: ['web-1/4711'] }),
  time: Timestamp(),
  level: OneOf(LOG_LEVELS),
  message: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'The other fields.' }),
})
export type LogLine = Static<typeof LogLine>

export const LogLines = Type.Object({
  lines: Type.Array(LogLine, { description: 'Newest first.' }),
  processes: Type.Array(Type.String(), {
    description: 'The processes of this server whose lines were searched.',
  }),
  next_before: Nullable(
    Type.String({ description: 'Pass it as `before` for older lines; null if there are none.' }),
  ),
})
export type LogLines = Static<typeof LogLines>

export const readLogs = endpoint({
  name: 'readLogs',
  method: 'GET',
  path: '/api/admin/logs',
  tag: 'Admin',
  summary: 'Read the last lines of the log, newest first',
  credential: 'jwt',
  adminOnly: true,
  query: LogQuery,
  success: [200, LogLines],
})
