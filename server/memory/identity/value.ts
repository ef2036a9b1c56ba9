import { chosenFact } from '../facts/chosen.ts'
import { factsIn } from '../facts/rules/index.ts'
import { identityError } from './errors.ts'

const MAX_VALUE = 200
const DATE = /^date[.]/

/**
 * Reads a chosen value in the form of extracted values.
 * @throws ApiError 422 unless it is a number or a text of 1 to 200 characters, and a day for date keys.
 */
export const parseChosenValue = (key: string, input: unknown): string => {
  if (typeof input !== 'string' && typeof input !== 'number')
    throw identityError('invalid_chosen_value', 'string_type', 'Input should be a valid string')
  const value = String(input).replace(/\s+/g, ' ').trim()
  if (!value)
    throw identityError(
      'invalid_chosen_value',
      'string_too_short',
      'String should have at least 1 character',
    )
  if (value.length > MAX_VALUE)
    throw identityError(
      'invalid_chosen_value',
      'string_too_long',
      `String should have at most ${MAX_VALUE} characters`,
    )
  return DATE.test(key) ? parseDay(key, value) : value
}

/** "3 May" as `05-03`, and "3 May 1990" as `1990-05-03`. */
const parseDay = (key: string, value: string): string => {
  const { quote } = chosenFact(key, value)
  const now = new Date()
  const day = factsIn(quote, { author: null, occurredAt: null, now }).find(
    (fact) => fact.key === key,
  )
  if (!day)
    throw identityError(
      'invalid_chosen_value',
      'datetime_parsing',
      'Input should be a day, such as 05-03 or 1990-05-03',
    )
  return day.value
}
