import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { rememberBatch } from '../../shared/contract/index.ts'
import type { Account } from './server.ts'

interface Listed {
  name: string
  description?: string | undefined
  inputSchema: object
}

/** The fields that clients pass on to a model. Annotations and output schemas stay in the client. */
export const modelView = ({ name, description, inputSchema }: Listed) => ({
  name,
  description,
  inputSchema,
})

/** The o200k tokens of each tool, and of all together, as JSON. */
export const toolTokens = (tools: readonly Listed[]): [string, seen: number, whole: number][] => {
  const row = (name: string, listed: readonly Listed[]): [string, number, number] => [
    name,
    countTokens(JSON.stringify(listed.map(modelView))),
    countTokens(JSON.stringify(listed)),
  ]
  return [...tools.map((tool) => row(tool.name, [tool])), row('all tools', tools)]
}

const LONG_MEMORIES = 12
const LONG_CHARS = 30_000

/** Writes long memories that all match one question. @returns the question. */
export const writeLongMemories = async ({ client }: Account): Promise<string> => {
  const filler = 'The committee met again and discussed the budget of the next season at length. '
  const half = filler.repeat(Math.ceil(LONG_CHARS / 2 / filler.length)).slice(0, LONG_CHARS / 2)
  const memories = Array.from({ length: LONG_MEMORIES }, (_, number) => ({
    content: `${half}The heron number ${number} nests by the mill. ${half}`.trim(),
  }))
  await client.call(rememberBatch, { body: { memories } })
  return 'Where do herons nest?'
}

/** The o200k tokens of the instructions, and of the text of a recall with default arguments. */
export const textTokens = (instructions: string, recalled: string): [string, number][] => [
  ['instructions', countTokens(instructions)],
  [
    `default recall over ${LONG_MEMORIES} memories of ${LONG_CHARS.toLocaleString('en')} characters`,
    countTokens(recalled),
  ],
]
