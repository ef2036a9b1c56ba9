import type { Static, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { UnexpectedResponse } from './host.ts'

const checks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** A response as the contract describes it. @throws UnexpectedResponse for another one. */
export const expectResponse = <T extends TSchema>(schema: T, response: unknown): Static<T> => {
  let check = checks.get(schema)
  if (!check) {
    check = TypeCompiler.Compile(schema)
    checks.set(schema, check)
  }
  if (!check.Check(response)) throw new UnexpectedResponse('The response does not match its schema')
  return response as Static<T>
}
