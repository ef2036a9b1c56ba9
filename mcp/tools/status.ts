import { type Static, Type } from '@sinclair/typebox'
import { ApiFailure, type Client } from '../../shared/client.ts'
import { getUsage, healthDetail, me, memoryStatistics } from '../../shared/contract/index.ts'
import { MemoryStatistics } from '../../shared/contract/introspect.ts'
import { Me } from '../../shared/contract/sessions.ts'
import { Usage } from '../../shared/contract/usage.ts'
import { expectResponse } from '../response.ts'
import { tool } from './tool.ts'

const Status = Type.Object({
  email: Type.String(),
  display_name: Type.Optional(Type.String()),
  tier: Type.String(),
  organization: Type.Optional(Type.String()),
  role: Type.Optional(Type.String()),
  memories: Type.Optional(Type.Integer()),
  threads: Type.Optional(Type.Integer()),
  messages_used: Type.Integer(),
  messages_limit: Type.Optional(Type.Integer()),
  server: Type.String(),
  version: Type.Optional(Type.String()),
  read_only: Type.Boolean(),
})
type Status = Static<typeof Status>

export const statusTool = tool({
  name: 'status',
  title: 'Show the account',
  description:
    'Shows account, organization, tier, usage and server. Call it when the user asks what is connected or what is left.',
  input: Type.Object({}),
  output: Status,
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  async call(client, _, { signal, connection }) {
    const [caller, usage, statistics, version] = await Promise.all([
      client.call(me, { signal }).then((response) => expectResponse(Me, response)),
      client.call(getUsage, { signal }).then((response) => expectResponse(Usage, response)),
      readStatistics(client, signal),
      readVersion(client, signal),
    ])
    const { email, display_name, tier, org } = caller
    const { used, limit } = usage.usage.messages
    return {
      email,
      ...(display_name !== null && { display_name }),
      tier,
      ...(org && { organization: org.name, role: org.role }),
      ...statistics,
      messages_used: used,
      ...(limit !== null && { messages_limit: limit }),
      server: connection.url,
      ...(version !== undefined && { version }),
      read_only: connection.isReadOnly,
    }
  },
  text: (status) => lines(status).join('\n'),
})

/** The counts; none for a caller who may not see them, because the email address is not verified. */
const readStatistics = async (
  client: Client,
  signal: AbortSignal,
): Promise<Pick<Status, 'memories' | 'threads'>> => {
  try {
    const response = await client.call(memoryStatistics, { signal })
    const { memories, threads } = expectResponse(MemoryStatistics, response)
    return { memories: memories.total, threads }
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 403) return {}
    throw error
  }
}

/** The version of svc; undefined if a proxy hides the report. While svc warms up, the failure has it. */
const readVersion = async (client: Client, signal: AbortSignal): Promise<string | undefined> => {
  const report: unknown = await client.call(healthDetail, { signal }).catch((error) => {
    signal.throwIfAborted()
    return error instanceof ApiFailure ? error.detail : undefined
  })
  const { version } = (report ?? {}) as { version?: unknown }
  return typeof version === 'string' ? version : undefined
}

const lines = (status: Status): string[] => {
  const { email, display_name, organization, role, tier, memories, threads } = status
  const limit = status.messages_limit === undefined ? '' : ` of ${status.messages_limit}`
  return [
    `Account: ${display_name ? `${display_name} (${email})` : email}`,
    organization
      ? `Memory of: the organization ${JSON.stringify(organization)}, as ${role}`
      : 'Memory of: the account itself',
    `Tier: ${tier}`,
    memories === undefined
      ? 'Memories: not counted until the email address is verified'
      : `Memories: ${memories} in ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    `Messages this month: ${status.messages_used}${limit}`,
    `Server: ${status.server}${status.version ? `, svc ${status.version}` : ''}`,
    `Tools of this connection: ${status.read_only ? 'read-only' : 'read and write'}`,
  ]
}
