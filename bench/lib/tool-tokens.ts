import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

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
