import { fromJsonSchema, type JsonSchemaType } from '@modelcontextprotocol/server'
import type { Static, TSchema } from '@sinclair/typebox'
import { UnexpectedResponse } from './host.ts'

const validators = new WeakMap<TSchema, (value: unknown) => boolean>()

/** A response as the contract describes it. @throws UnexpectedResponse for another one. */
export const expectResponse = <T extends TSchema>(schema: T, response: unknown): Static<T> => {
  let matches = validators.get(schema)
  if (!matches) {
    matches = createValidator(schema)
    validators.set(schema, matches)
  }
  if (!matches(response)) throw new UnexpectedResponse('The response does not match its schema')
  return response as Static<T>
}

const createValidator = (schema: TSchema) => {
  const validator = fromJsonSchema(validJsonSchema(schema) as JsonSchemaType)
  return (value: unknown): boolean => {
    const result = validator['~standard'].validate(value)
    return !(result instanceof Promise) && !result.issues
  }
}

/** The validator rejects keywords that JSON Schema does not have. */
const validJsonSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(validJsonSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { trim, badRequest, ...rest } = schema as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [keyword, validJsonSchema(value)]),
  )
}
