// The plugin of svc for OpenCode. `svc connect opencode` writes it, and `svc disconnect opencode` removes it.
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const COMMAND = ['svc']
const VARIABLES = {}

/** Of svc as the provider of a model. No other one gets a header of svc. */
const PROVIDER_PATH = '/api/openai/v1'

/** The longest time that a prompt waits for its context. */
const TIMEOUT_MS = 2_000

const hook = (event) => [COMMAND[0], [...COMMAND.slice(1), 'hook', 'opencode', event]]
const environment = () => ({ ...process.env, ...VARIABLES })

/** Runs svc and returns its output; an empty text if it fails or takes too long. */
const ask = (event, input, cwd) =>
  new Promise((resolve) => {
    let output = ''
    const child = spawn(...hook(event), {
      cwd,
      env: environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const timer = setTimeout(() => {
      child.kill()
      resolve('')
    }, TIMEOUT_MS)
    const finish = (text) => {
      clearTimeout(timer)
      resolve(text)
    }
    child.on('error', () => finish(''))
    child.on('close', () => finish(output))
    child.stdin.on('error', () => {})
    child.stdout.setEncoding('utf8').on('data', (part) => {
      output += part
    })
    child.stdin.end(JSON.stringify(input))
  })

/**
 * Runs svc, which goes on when OpenCode ends: its input is a file and not a pipe.
 * @returns a promise that resolves at its end.
 */
const report = (event, input, cwd) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-opencode-'))
  const path = join(directory, 'input.json')
  try {
    writeFileSync(path, JSON.stringify(input), { mode: 0o600 })
    const stdin = openSync(path, 'r')
    const options = { cwd, env: environment(), detached: true, stdio: [stdin, 'ignore', 'ignore'] }
    const child = spawn(...hook(event), options)
    child.unref()
    closeSync(stdin)
    return new Promise((resolve) => child.on('error', resolve).on('close', resolve))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The text of a hook's output for the model. */
const contextOf = (output) => {
  try {
    const { hookSpecificOutput, additionalContext } = JSON.parse(output)
    return hookSpecificOutput?.additionalContext ?? additionalContext ?? ''
  } catch {
    return ''
  }
}

/** The text that a person wrote, without the parts that OpenCode adds. */
const textOf = (parts) =>
  parts
    .filter((part) => part.type === 'text' && !part.synthetic && !part.ignored)
    .map((part) => part.text)
    .join('\n\n')

export const SvcMemory = async ({ client, directory }) => {
  /** Whether a session is one of a subagent, whose prompts no person wrote. */
  const isSubagent = new Map()
  /** The last message of the assistant in a session, and the texts of its parts. */
  const answers = new Map()
  /** The report of the last compaction of a session. */
  const compactions = new Map()

  const knowsSubagent = async (id) => {
    if (!isSubagent.has(id)) {
      const found = await client.session.get({ path: { id } }).catch(() => undefined)
      isSubagent.set(id, Boolean(found?.data?.parentID))
    }
    return isSubagent.get(id)
  }

  const onMessage = ({ role, id, sessionID, parentID }) => {
    if (role === 'assistant' && answers.get(sessionID)?.id !== id)
      answers.set(sessionID, { id, parentID, texts: new Map() })
  }

  const onPart = ({ type, id, sessionID, messageID, text, synthetic }) => {
    const answer = answers.get(sessionID)
    if (type === 'text' && !synthetic && answer?.id === messageID) answer.texts.set(id, text)
  }

  const onIdle = (sessionID) => {
    const answer = answers.get(sessionID)
    answers.delete(sessionID)
    const text = [...(answer?.texts.values() ?? [])].join('\n\n')
    if (!text || isSubagent.get(sessionID)) return
    const turn = { session_id: sessionID, cwd: directory, turn_id: answer.parentID }
    report('session.idle', { ...turn, last_assistant_message: text }, directory)
  }

  const onCompacted = (sessionID) => {
    const session = { session_id: sessionID, cwd: directory }
    compactions.set(sessionID, report('session.compacted', session, directory))
  }

  return {
    async 'chat.message'({ sessionID }, { message, parts }) {
      try {
        const prompt = textOf(parts)
        if (!prompt || (await knowsSubagent(sessionID))) return
        await compactions.get(sessionID)
        const turn = { session_id: sessionID, cwd: directory, turn_id: message.id }
        const text = contextOf(await ask('chat.message', { ...turn, prompt }, directory))
        // OpenCode orders the parts of a message by their ids.
        const id = `${parts.at(-1).id}svc`
        if (text)
          parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true })
      } catch {}
    },
    async 'chat.headers'({ model, provider, message }, { headers }) {
      // svc as the provider of the model then stores a turn once that this plugin stores too.
      const url = provider?.options?.baseURL ?? model?.api?.url
      if (typeof url === 'string' && url.includes(PROVIDER_PATH)) headers['x-svc-turn'] = message.id
    },
    async event({ event: { type, properties } }) {
      try {
        if (type === 'message.updated') onMessage(properties.info)
        else if (type === 'message.part.updated') onPart(properties.part)
        else if (type === 'session.idle') onIdle(properties.sessionID)
        else if (type === 'session.compacted') onCompacted(properties.sessionID)
      } catch {}
    },
  }
}
