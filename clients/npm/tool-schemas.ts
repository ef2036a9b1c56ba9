/** The input of the memory tools, from the contract. The build replaces this file with its values. */
import type { TObject } from '@sinclair/typebox'
import { deleteMemory, Remember, recall } from '../../shared/contract/index.ts'

/** Some fields of a schema as JSON Schema, without the examples. */
const pick = ({ properties }: TObject, required: string[], optional: string[] = []) => ({
  type: 'object',
  properties: Object.fromEntries(
    [...required, ...optional].map((name) => {
      const {
        examples: _,
        default: __,
        ...schema
      }: Record<string, unknown> = properties[name] ?? {}
      return [name, JSON.parse(JSON.stringify(schema))]
    }),
  ),
  required,
  additionalProperties: false,
})

export const recallInput = pick(recall.body, ['query'], ['limit', 'since', 'until'])
export const rememberInput = pick(Remember, ['content'], ['memory_type', 'importance', 'tags'])
export const forgetInput = pick(deleteMemory.params, ['memory_id'])
