import { expect } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fieldsOf, type JsonObject } from '../../shared/objects.ts'
import type { Machine } from '../cli/svc.ts'
import { installProgram } from './programs.ts'
import type { ModelRequest } from './scripted-model.ts'

/** A message of a request to the model. */
export interface SentMessage {
  role: string
  text: string
}

/** A real assistant with a scripted model. */
export interface TestedAssistant {
  client: 'codex' | 'opencode'
  /** Its path; undefined where it could not be installed. */
  program: string | undefined
  /** Selects the model, with the key in the variable MODEL_KEY. */
  configure(machine: Machine, modelUrl: string): void
  /** The command of a new process with one prompt, which stdin has too. */
  command: string[]
  /** Variables that keep it from the network. */
  env: Record<string, string>
  /** The messages of a request with a turn; undefined for requests of other purposes. */
  messagesOf(request: ModelRequest): SentMessage[] | undefined
}

const writeFile = (machine: Machine, path: string, text: string): void => {
  const file = join(machine.env.HOME ?? '', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/**
 * Codex 0.169.0. `codex exec` reads the prompt from stdin (`-`). The hooks of ~/.codex/hooks.json run once
 * a person has trusted them; the option skips that. `UserPromptSubmit` and `Stop` get `turn_id`, and the
 * added context is a message with the role `developer` after the prompt.
 */
const codexProgram = await installProgram({
  package: '@openai/codex',
  version: '0.169.0',
  command: 'codex',
})

export const codex: TestedAssistant = {
  client: 'codex',
  program: codexProgram,
  configure(machine, modelUrl) {
    writeFile(
      machine,
      '.codex/config.toml',
      [
        'model = "scripted"',
        'model_provider = "scripted"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        '[model_providers.scripted]',
        'name = "Scripted"',
        `base_url = "${modelUrl}"`,
        'wire_api = "responses"',
        'env_key = "MODEL_KEY"',
        '',
      ].join('\n'),
    )
  },
  command: [...['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', '-']],
  env: {},
  messagesOf: ({ path, body }) =>
    path === '/v1/responses' ? arrayOf(body.input).map(messageOf) : undefined,
}

/**
 * OpenCode 1.18.33. `opencode run` puts quotes around words with spaces, but not around stdin. Before the
 * first turn of a session it asks the model for a title. It installs the types of plugins from npm when a
 * directory has plugins, and waits until npm gives up.
 */
const openCodeProgram = await installProgram({
  package: 'opencode-ai',
  version: '1.18.33',
  command: 'opencode',
})

export const openCode: TestedAssistant = {
  client: 'opencode',
  program: openCodeProgram,
  configure(machine, modelUrl) {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Scripted',
      options: { baseURL: modelUrl, apiKey: '{env:MODEL_KEY}' },
      models: { scripted: { name: 'Scripted' } },
    }
    const config = {
      model: 'scripted/scripted',
      autoupdate: false,
      provider: { scripted: provider },
    }
    writeFile(machine, '.config/opencode/opencode.json', JSON.stringify(config))
  },
  command: ['run'],
  env: {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  },
  messagesOf({ path, headers, body }) {
    const isOfSvc = !headers.get('user-agent')?.startsWith('opencode/')
    if (isOfSvc || path !== '/v1/chat/completions') return undefined
    const messages = arrayOf(body.messages).map(messageOf)
    return messages[0]?.text.startsWith('You are a title generator') ? undefined : messages
  },
}

/** Runs a new process of the assistant with one prompt. */
export const runAssistant = async (
  assistant: TestedAssistant,
  machine: Machine,
  { prompt, folder, modelKey = 'none' }: { prompt: string; folder: string; modelKey?: string },
) => {
  const child = Bun.spawn([assistant.program ?? '', ...assistant.command], {
    cwd: folder,
    stdin: new Blob([prompt]),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...machine.env, ...assistant.env, MODEL_KEY: modelKey },
  })
  const [stdout, stderr, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/** Sets the assistant up with the model, and then svc as its user does. */
export const connect = async (
  assistant: TestedAssistant,
  machine: Machine,
  model: { url: string },
): Promise<void> => {
  assistant.configure(machine, model.url)
  const { code, stderr } = await machine.svc(['connect', assistant.client, '--yes'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('Connected svc to')])
}

/** The messages of the turns that the model got since the start. */
export const turnsOf = (assistant: TestedAssistant, requests: readonly ModelRequest[]) =>
  requests.flatMap((request) => {
    const messages = assistant.messagesOf(request)
    return messages ? [messages] : []
  })

const arrayOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

const messageOf = ({ type, role, content, tool_calls }: JsonObject): SentMessage => ({
  role: role === undefined || tool_calls !== undefined ? `${type ?? 'tool call'}` : `${role}`,
  text:
    typeof content === 'string'
      ? content
      : arrayOf(content)
          .map(({ text }) => `${text}`)
          .join('\n'),
})
