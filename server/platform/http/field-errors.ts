import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import type { FieldError } from '../../../shared/errors.ts'

/** Converts a TypeBox error to pydantic's `type` and `msg`. Values are not repeated in messages. */
export const explain = (error: ValueError, isText: boolean): Pick<FieldError, 'msg' | 'type'> => {
  const { schema } = error
  switch (error.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return { type: 'missing', msg: 'Field required' }
    case ValueErrorType.String:
      return { type: 'string_type', msg: 'Input should be a valid string' }
    case ValueErrorType.StringMinLength:
      return {
        type: 'string_too_short',
        msg: `String should have at least ${count(schema.minLength, 'character')}`,
      }
    case ValueErrorType.StringMaxLength:
      return {
        type: 'string_too_long',
        msg: `String should have at most ${count(schema.maxLength, 'character')}`,
      }
    case ValueErrorType.StringPattern:
      return {
        type: 'string_pattern_mismatch',
        msg: `String should match pattern '${schema.pattern}'`,
      }
    case ValueErrorType.StringFormat:
      return schema.format === 'uuid'
        ? { type: 'uuid_parsing', msg: 'Input should be a valid UUID' }
        : { type: 'datetime_parsing', msg: 'Input should be a valid datetime' }
    case ValueErrorType.Integer:
      return isText
        ? {
            type: 'int_parsing',
            msg: 'Input should be a valid integer, unable to parse string as an integer',
          }
        : { type: 'int_type', msg: 'Input should be a valid integer' }
    case ValueErrorType.Number:
      return isText
        ? {
            type: 'float_parsing',
            msg: 'Input should be a valid number, unable to parse string as a number',
          }
        : { type: 'float_type', msg: 'Input should be a valid number' }
    case ValueErrorType.Boolean:
      return isText
        ? {
            type: 'bool_parsing',
            msg: 'Input should be a valid boolean, unable to interpret input',
          }
        : { type: 'bool_type', msg: 'Input should be a valid boolean' }
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${schema.minimum}`,
      }
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return {
        type: 'less_than_equal',
        msg: `Input should be less than or equal to ${schema.maximum}`,
      }
    case ValueErrorType.Array:
      return { type: 'list_type', msg: 'Input should be a valid list' }
    case ValueErrorType.ArrayMinItems:
      return {
        type: 'too_short',
        msg: `List should have at least ${count(schema.minItems, 'item')}`,
      }
    case ValueErrorType.ArrayMaxItems:
      return { type: 'too_long', msg: `List should have at most ${count(schema.maxItems, 'item')}` }
    case ValueErrorType.ObjectMinProperties:
      return {
        type: 'too_short',
        msg: `Dictionary should have at least ${count(schema.minProperties, 'item')}`,
      }
    case ValueErrorType.ObjectMaxProperties:
      return {
        type: 'too_long',
        msg: `Dictionary should have at most ${count(schema.maxProperties, 'item')}`,
      }
    case ValueErrorType.Object:
      return { type: 'dict_type', msg: 'Input should be a valid dictionary' }
    case ValueErrorType.Literal:
      return literalError([schema.const])
    case ValueErrorType.Union:
      return unionError(schema.anyOf as TSchema[])
    default:
      return { type: 'value_error', msg: 'Value is not valid' }
  }
}

/** Creates the error that lists the allowed values of a field. */
export const literalError = (values: unknown[]) => ({
  type: 'literal_error',
  msg: `Input should be ${disjunction(values.map((value) => `'${value}'`))}`,
})

/** Returns "a, b or c". */
const disjunction = (names: string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names)

const unionError = (variants: TSchema[]) => {
  if (variants.every(({ const: literal }) => literal !== undefined))
    return literalError(variants.map((variant) => variant.const))
  const types = disjunction(variants.map(({ type }) => type))
  return { type: 'value_error', msg: `Input should be a valid ${types}` }
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
