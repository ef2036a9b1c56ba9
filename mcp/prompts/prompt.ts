import type { McpServer } from '@modelcontextprotocol/server'
import type { Static, TObject } from '@sinclair/typebox'
import { argumentSchema } from '../schema.ts'

interface PromptOptions<A extends TObject> {
  name: string
  title: string
  description: string
  /** The tools that the text names. */
  uses: readonly string[]
  args: A
  /** The message of the user. */
  text(args: Static<A>): string
}

/** A prompt of the server. */
export interface Prompt {
  uses: readonly string[]
  /** Adds the prompt to a server. */
  register(server: McpServer): void
}

export const prompt = <A extends TObject>(options: PromptOptions<A>): Prompt => {
  const { name, title, description, uses, text } = options
  const argsSchema = argumentSchema<Static<A>>(options.args)
  return {
    uses,
    register(server) {
      server.registerPrompt(name, { title, description, argsSchema }, (args) => ({
        description,
        messages: [{ role: 'user', content: { type: 'text', text: text(args) } }],
      }))
    },
  }
}
