import { Busboy, type BusboyConfig, type BusboyHeaders } from '@fastify/busboy'
import { budgets } from '../budgets.ts'
import { ApiError } from './error.ts'
import { httpError } from './errors.ts'

/** @throws ApiError 422 for a content type without a usable boundary. */
export const createParser = (
  contentType: string,
  limits: BusboyConfig['limits'] = {},
): InstanceType<typeof Busboy> => {
  try {
    const headers = { 'content-type': contentType } as BusboyHeaders
    const { bytes, count } = budgets.formFields
    return new Busboy({ headers, limits: { ...limits, fields: count, fieldSize: bytes } })
  } catch (cause) {
    throw malformed(cause)
  }
}

/** Converts an error of a parser or its source to an ApiError. */
export const asAnswer = (error: unknown): ApiError =>
  error instanceof ApiError ? error : malformed(error)

const malformed = (cause: unknown) => httpError('malformed_form', cause)

export const missingField = (field: string) => httpError('missing_form_field', field)
