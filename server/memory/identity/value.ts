import { ApiError } from '../../platform/http/error.ts'
import { chosenFact } from '../facts/chosen.ts'
import { factsIn } from '../facts/rules/index.ts'

const MAX_VALUE = 200
const DATE = /^date[.]/

/**
 * A value that somebody may choose for a key, in the form that memories are read in.
 * @throws ApiError 422 for what is no text or number, is empty or too long, or is no day where the key
 * wants one.
 */
export const chosenValue = (key: string, given: unknown): string => {
  if (typeof given !== 'string' && typeof given !== 'number')
    throw unfit('string_type', 'Input should be a valid string')
  const value = String(given).replace(/\s+/g, ' ').trim()
  if (!value) throw unfit('string_too_short', 'String should have at least 1 character')
  if (value.length > MAX_VALUE)
    throw unfit('string_too_long', `String should have at most ${MAX_VALUE} characters`)
  return DATE.test(key) ? dayOf(key, value) : value
}

/** "3 May" as `05-03`, and "3 May 1990" as `1990-05-03`. */
const dayOf = (key: string, value: string): string => {
  const { quote } = chosenFact(key, value)
  const now = new Date()
  const day = factsIn(quote, { author: null, occurredAt: null, now }).find(
    (fact) => fact.key === key,
  )
  if (!day) throw unfit('datetime_parsing', 'Input should be a day, such as 05-03 or 1990-05-03')
  return day.value
}

const unfit = (type: string, msg: string) =>
  new ApiError(422, [{ loc: ['body', 'chosen_value'], type, msg }])
