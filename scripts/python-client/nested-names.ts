import type { TSchema } from '@sinclair/typebox'
import { pascal } from './print.ts'

/** Better names where that of the property describes its schema badly. */
const EXCEPTIONS: Record<string, string> = {
  AllowedClientsKnown: 'KnownClient',
  AnchorHistory: 'AnchorHistoryEntry',
  // The names of Web Authentication.
  AuthenticationResponseResponse: 'AuthenticatorAssertionResponse',
  RegistrationResponseResponse: 'AuthenticatorAttestationResponse',
  ImportReportFailed: 'ImportFailure',
  ImportReportTrustLowered: 'LoweredTrust',
  MemoryFacetsMemoryType: 'FacetValue',
  UsageUsage: 'UsageQuotas',
  UsageQuotasMessages: 'UsageQuota',
  UserImportReportFailed: 'UserImportFailure',
}

/** `OAuthProviders` as `OAuth` and `Providers`, `UsageHistory` as `Usage` and `History`. */
const wordsOf = (name: string): string[] => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z\d]+/g) ?? []

const singularWord = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '')

/** The name of an item of a list with this name. */
export const singular = (name: string): string => name.replace(/[A-Z]?[a-z\d]+$/, singularWord)

/** `listMemories` as `Memories`: the first word of an operation is its verb. */
export const subjectOf = (operation: string): string => {
  const [verb = '', ...rest] = wordsOf(pascal(operation))
  return rest.join('') || verb
}

/** The name of an operation's response. The items of a list are named after the subject. */
export const responseName = (operation: string, isList: boolean): string =>
  isList ? subjectOf(operation) : `${pascal(operation)}Response`

/** The part of a generated name that those of its properties begin with. */
export const stemOf = (name: string): string =>
  name.endsWith('Response') ? subjectOf(name.slice(0, -'Response'.length)) : name

const isMany = ({ type, patternProperties, anyOf = [] }: TSchema): boolean =>
  type === 'array' || patternProperties !== undefined || anyOf.some(isMany)

/**
 * The name of the schema of a property, such as `AdminStatsUsers`; a list has the plural of its items. A list
 * repeats no words at the end of its parent: `models` of `ChatModels` are `ChatModels`.
 */
export const propertyName = (parent: string, property: string, schema: TSchema): string => {
  const [before, after] = [wordsOf(parent), wordsOf(pascal(property))]
  const isCommon = (length: number) =>
    after.slice(0, length).every((word, i) => {
      const other = before.at(i - length)
      return other !== undefined && singularWord(other) === singularWord(word)
    })
  const common = isMany(schema) ? after.findLastIndex((_, i) => isCommon(i + 1)) + 1 : 0
  const name = [...before.slice(0, before.length - common), ...after].join('')
  return EXCEPTIONS[name] ?? name
}

/** A variant of a union: `Start` of `ChatStreamEvent` is `ChatStreamStartEvent`. */
export const variantName = (union: string, mark: string): string =>
  union.replace(/[A-Z]+[a-z\d]*$/, (last) => `${pascal(mark)}${last}`)
