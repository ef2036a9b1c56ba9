import { Database } from 'bun:sqlite'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Machine } from './svc.ts'

/** Writes transcripts in the formats of assistants, with the lines that these programs add. */
export const writeFile = (machine: Machine, path: string, content: string | Uint8Array): string => {
  const file = join(machine.env.HOME ?? '', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

export const jsonLines = (values: unknown[]): string =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('')

const SECOND_MS = 1_000
const START = Date.parse('2026-03-01T10:00:00Z')
/** The time of a line, one second after the line before. */
export const timeOf = (line: number): string => new Date(START + line * SECOND_MS).toISOString()

export interface ScriptedTurn {
  id?: string
  prompt: string
  answer?: string
}

export interface CodexSession {
  session: string
  folder?: string
  turns: ScriptedTurn[]
  source?: unknown
}

/** The lines of Codex 0.169.0. */
export const codexLines = ({
  session,
  folder = '/home/ada/shop',
  turns,
  source = 'cli',
}: CodexSession) => {
  const message = (role: string, text: string) => ({
    type: 'response_item',
    payload: {
      type: 'message',
      role,
      content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    },
  })
  const event = (type: string, fields: object) => ({
    type: 'event_msg',
    payload: { type, ...fields },
  })
  const lines: object[] = [
    {
      type: 'session_meta',
      payload: {
        id: session,
        session_id: session,
        cwd: folder,
        source,
        base_instructions: { text: 'You are Codex.' },
      },
    },
    ...turns.flatMap(({ id, prompt, answer }) => [
      event('task_started', { turn_id: id }),
      message('developer', '<skills_instructions>Skills</skills_instructions>'),
      message('user', '<environment_context>\n  <cwd>/home/ada/shop</cwd>\n</environment_context>'),
      { type: 'turn_context', payload: { turn_id: id, cwd: folder } },
      message('user', prompt),
      event('item_completed', {
        turn_id: id,
        item: { type: 'UserMessage', content: [{ type: 'text', text: prompt, text_elements: [] }] },
      }),
      message('developer', '<svc-memory>\nThe cat is named Minka.\n</svc-memory>'),
      event('item_completed', {
        turn_id: id,
        item: { type: 'AgentMessage', content: [{ type: 'Text', text: 'I will look.' }] },
      }),
      {
        type: 'response_item',
        payload: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Reasoning' }] },
      },
      { type: 'response_item', payload: { type: 'function_call_output', output: 'Tool output' } },
      ...(answer === undefined
        ? [event('turn_aborted', { turn_id: id, reason: 'interrupted' })]
        : [
            event('item_completed', {
              turn_id: id,
              item: { type: 'AgentMessage', content: [{ type: 'Text', text: answer }] },
            }),
            message('assistant', answer),
            event('task_complete', { turn_id: id, last_agent_message: answer }),
          ]),
    ]),
  ]
  return lines.map((line, index) => ({ timestamp: timeOf(index), ordinal: index, ...line }))
}

export const codexPath = (session: string): string =>
  `.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-${session}.jsonl`

export const writeCodex = (machine: Machine, session: CodexSession): string =>
  writeFile(machine, codexPath(session.session), jsonLines(codexLines(session)))

/** The tables of OpenCode 1.18.33 with the columns that svc reads. */
export const writeOpenCode = (
  machine: Machine,
  sessions: {
    id: string
    parent?: string
    messages: { id: string; data: object; parts: object[] }[]
  }[],
): void => {
  const path = writeFile(machine, '.local/share/opencode/opencode.db', '')
  using database = new Database(path)
  database.run(
    'create table session (id text primary key, parent_id text, directory text not null, time_created integer not null)',
  )
  database.run(
    'create table message (id text primary key, session_id text not null, time_created integer not null, data text not null)',
  )
  database.run(
    'create table part (id text primary key, message_id text not null, data text not null)',
  )
  let time = START
  for (const { id, parent, messages } of sessions) {
    database.run('insert into session values (?, ?, ?, ?)', [
      id,
      parent ?? null,
      '/home/ada/shop',
      time,
    ])
    for (const { id: messageId, data, parts } of messages) {
      time += SECOND_MS
      const created = { time: { created: time }, ...data }
      database.run('insert into message values (?, ?, ?, ?)', [
        messageId,
        id,
        time,
        JSON.stringify(created),
      ])
      for (const [index, part] of parts.entries())
        database.run('insert into part values (?, ?, ?)', [
          `prt_${messageId}_${index}`,
          messageId,
          JSON.stringify(part),
        ])
    }
  }
}
