import { budgets } from '../../platform/budgets.ts'
import { badRequest } from './errors.ts'

const { characters: MAX_CHARACTERS, depth: MAX_DEPTH } = budgets.scimFilter

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof COMPARISONS)[number]
export type Literal = string | number | boolean | null

/** A filter of RFC 7644, section 3.4.2.2. Paths are in lower case and without the URN of their schema. */
export type Filter =
  | { op: 'and' | 'or'; filters: Filter[] }
  | { op: 'not'; filter: Filter }
  | { op: 'pr'; path: string }
  | { op: Comparison; path: string; value: Literal }
  /** `emails[type eq "work"]`: one value fulfils all of the inner filter. */
  | { op: 'within'; path: string; filter: Filter }

/** The target of a PATCH operation (RFC 7644, section 3.5.2): `emails[type eq "work"].value`. */
export interface PatchPath {
  attribute: string
  filter?: Filter
  sub?: string
}

type Fail = (problem: string) => Error

const invalidFilter: Fail = (problem) => badRequest('invalidFilter', `Invalid filter: ${problem}`)
const invalidPath: Fail = (problem) => badRequest('invalidPath', `Invalid path: ${problem}`)

/** @throws ScimError 400 `invalidFilter`. */
export const parseFilter = (text: string): Filter => {
  const tokens = tokensOf(text, invalidFilter)
  const filter = parseAny(tokens, 0)
  tokens.end()
  return filter
}

/** @throws ScimError 400 `invalidPath`. */
export const parsePath = (text: string): PatchPath => {
  const tokens = tokensOf(text, invalidPath)
  const [attribute = '', ...subs] = attributePath(tokens.word('an attribute')).split('.')
  if (tokens.accept('[')) {
    const filter = parseAny(tokens, 1)
    tokens.expect(']')
    const sub = tokens.acceptSub()
    tokens.end()
    if (subs.length) throw invalidPath('a filter follows a sub-attribute')
    return { attribute, filter, ...(sub && { sub }) }
  }
  tokens.end()
  const [sub, ...deeper] = subs
  if (deeper.length) throw invalidPath('it has more than one sub-attribute')
  return { attribute, ...(sub && { sub }) }
}

type Tokens = ReturnType<typeof tokensOf>

const SPACE = /\s/
const MARKS = '()[]'

/** Splits a text in linear time. A quoted token keeps its quotes, so that it is no word. */
const split = (text: string, fail: Fail): string[] => {
  const tokens: string[] = []
  for (let i = 0; i < text.length; ) {
    const start = i
    const character = text.charAt(i++)
    if (SPACE.test(character)) continue
    if (character === '"') {
      while (i < text.length && text.charAt(i) !== '"') i += text.charAt(i) === '\\' ? 2 : 1
      if (i++ >= text.length) throw fail('a quote is not closed')
    } else if (!MARKS.includes(character))
      while (
        i < text.length &&
        !SPACE.test(text.charAt(i)) &&
        !`${MARKS}"`.includes(text.charAt(i))
      )
        i++
    tokens.push(text.slice(start, i))
  }
  return tokens
}

const tokensOf = (text: string, fail: Fail) => {
  if (text.length > MAX_CHARACTERS) throw fail(`it is longer than ${MAX_CHARACTERS} characters`)
  const tokens = split(text, fail)
  let next = 0
  const isNext = (token: string) => tokens[next]?.toLowerCase() === token
  const unexpected = (expected: string) =>
    fail(`expected ${expected} ${next < tokens.length ? `as part ${next + 1}` : 'at its end'}`)
  return {
    fail,
    peek: (): string | undefined => tokens[next]?.toLowerCase(),
    word(expected: string): string {
      const token = tokens[next]
      if (token === undefined || MARKS.includes(token)) throw unexpected(expected)
      next++
      return token
    },
    accept(token: string): boolean {
      if (!isNext(token)) return false
      next++
      return true
    },
    expect(token: string): void {
      if (!isNext(token)) throw unexpected(token)
      next++
    },
    /** The sub-attribute after a bracket: `.value`. */
    acceptSub(): string | undefined {
      const token = tokens[next]
      if (!token?.startsWith('.')) return undefined
      next++
      return attributePath(token.slice(1))
    },
    end(): void {
      if (next < tokens.length) throw unexpected('and, or, or the end')
    },
  }
}

const parseAny = (tokens: Tokens, depth: number): Filter =>
  parseList(tokens, 'or', () => parseList(tokens, 'and', () => parseOne(tokens, depth)))

const parseList = (tokens: Tokens, op: 'and' | 'or', parse: () => Filter): Filter => {
  const first = parse()
  const filters = [first]
  while (tokens.accept(op)) filters.push(parse())
  return filters.length === 1 ? first : { op, filters }
}

const parseOne = (tokens: Tokens, depth: number): Filter => {
  if (depth > MAX_DEPTH) throw tokens.fail(`it has more than ${MAX_DEPTH} levels`)
  if (tokens.accept('(')) {
    const filter = parseAny(tokens, depth + 1)
    tokens.expect(')')
    return filter
  }
  const word = tokens.word('an attribute')
  if (word.toLowerCase() === 'not') return { op: 'not', filter: parseOne(tokens, depth + 1) }
  const path = attributePath(word)
  if (!tokens.accept('[')) return parseComparison(tokens, path)
  const inner = parseAny(tokens, depth + 1)
  tokens.expect(']')
  const sub = tokens.acceptSub()
  if (!sub) return { op: 'within', path, filter: inner }
  return {
    op: 'within',
    path,
    filter: { op: 'and', filters: [inner, parseComparison(tokens, sub)] },
  }
}

const parseComparison = (tokens: Tokens, path: string): Filter => {
  const word = tokens.word('an operator').toLowerCase()
  if (word === 'pr') return { op: 'pr', path }
  const op = COMPARISONS.find((each) => each === word)
  if (!op) throw tokens.fail('unknown operator')
  return { op, path, value: literalOf(tokens.word('a value'), tokens.fail) }
}

/** A JSON value. Some clients write `True`. */
const literalOf = (token: string, fail: Fail): Literal => {
  try {
    const value: unknown = JSON.parse(token.startsWith('"') ? token : token.toLowerCase())
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
      return value as Literal
  } catch {
    // The same as a value of another type.
  }
  throw fail('a value should be a text in quotes, a number, true, false or null')
}

const CORE_URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/** Attribute names are case-insensitive (RFC 7643, section 2.1). */
export const attributePath = (name: string): string => name.toLowerCase().replace(CORE_URN, '')
