import type { McpServer } from '@modelcontextprotocol/server'
import type { Static, TObject } from '@sinclair/typebox'
import { argumentSchema } from '../schema.ts'

interface PromptOptions<A extends TObject> {
  name: string
  title: string
  description: string
  args: A
  /** What the user would say. */
  text(args: Static<A>): string
}

/** Adds a prompt to a server. */
export type Prompt = (server: McpServer) => void

export const prompt = <A extends TObject>(options: PromptOptions<A>): Prompt => {
  const { name, title, description, text } = options
  const argsSchema = argumentSchema<Static<A>>(options.args)
  return (server) => {
    server.registerPrompt(name, { title, description, argsSchema }, (args) => ({
      description,
      messages: [{ role: 'user', content: { type: 'text', text: text(args) } }],
    }))
  }
}
