/*
 * Redacts credentials in texts: those that the rules of secretlint find, and those of the table below.
 */
import {
  redactArguments,
  redactCookies,
  redactManifest,
  redactPhrases,
  redactPins,
  redactSources,
} from './secrets/commands.ts'
import { redactNamed } from './secrets/named.ts'
import { redactPrivateKeys } from './secrets/private-keys.ts'
import { redactPairs, redactReversed, redactStatedSecrets } from './secrets/stated.ts'
import { redactWords, TOKEN_RULES } from './secrets/tokens.ts'

export interface Redacted {
  text: string
  /** The kinds of the credentials that were replaced, each once. */
  kinds: string[]
}

const markOf = (kind: string): string => `[redacted: ${kind}]`

/** A mark of `redactSecrets`. A text that has one is not redacted again at that place. */
const MARK = /\[redacted: ([A-Za-z0-9 ]{1,40})\]/g
const MAX_KINDS = 20

/** The kinds of the credentials that were redacted in a text. */
export const redactedKinds = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(MARK), ([, kind = '']) => kind))].slice(0, MAX_KINDS)

/** Replaces each credential in a text by a mark with its kind, such as `[redacted: AWS key]`. */
export const redactSecrets = async (text: string): Promise<Redacted> => {
  const tokens = mayHoldSecret(text) ? await redactTokens(text) : text
  const redacted = redactPlaced(tokens)
  return { text: redacted, kinds: redactedKinds(redacted) }
}

/** Credentials that are known by their form. */
const redactTokens = async (text: string): Promise<string> => {
  // Passwords first: the address around one stays readable.
  const detected = await redactDetected(redactPasswords(text))
  return TOKEN_RULES.reduce(
    (rest, { kind, pattern }) => rest.replace(pattern, replaceToken(kind)),
    redactWords(redactPrivateKeys(detected, markOf('private key')), markOf),
  )
}

/** Credentials that are known by their place only. These rules need no detector, and read each text. */
const redactPlaced = (text: string): string => {
  const readable = redactPins(redactPhrases(text, markOf('recovery phrase')), markOf('PIN'))
  const stated = [redactStatedSecrets, redactPairs, redactReversed].reduce(
    (rest, redact) => redact(rest, markOf('secret')),
    readable,
  )
  const named = redactNamed(redactCookies(stated, markOf('cookie')), markOf('secret'))
  const listed = redactArguments(redactSources(named, markOf('password')), markOf('password'))
  return redactManifest(listed, markOf('secret'))
}

/** Long runs of the characters of keys, and the beginnings of shorter credentials. */
const CANDIDATE =
  /[\w+/=.-]{16}|:\/\/|xox|xapp|_authToken|PRIVATE KEY|@(?:tcp|unix)\(|:thin:|\blogin\b|:\d{2,5}:/

/** Most prompts are short prose. Loading the detector for them would slow down every hook. */
export const mayHoldSecret = (text: string): boolean => CANDIDATE.test(text)

/** The kinds of the rules of the detector, by the last part of their ids. */
const DETECTED_KINDS: Readonly<Record<string, string>> = {
  aws: 'AWS key',
  gcp: 'Google Cloud key',
  npm: 'npm token',
  slack: 'Slack token',
  basicauth: 'password',
  openai: 'OpenAI key',
  anthropic: 'Anthropic key',
  groq: 'Groq key',
  huggingface: 'Hugging Face token',
  linear: 'Linear key',
  notion: 'Notion token',
  privatekey: 'private key',
  sendgrid: 'SendGrid key',
  shopify: 'Shopify token',
  stripe: 'Stripe key',
  github: 'GitHub token',
  gitlab: 'GitLab token',
  grafana: 'Grafana token',
  '1password': '1Password token',
  'database-connection-string': 'connection string',
  'hashicorp-vault': 'Vault token',
  vercel: 'Vercel token',
  databricks: 'Databricks token',
  docker: 'Docker token',
  figma: 'Figma token',
  cloudflare: 'Cloudflare token',
  tailscale: 'Tailscale key',
}

const PRESET = '@secretlint/secretlint-rule-preset-recommend'
/** It would let a text switch the detector off by a comment. */
const COMMENTS_RULE = '@secretlint/secretlint-rule-filter-comments'

const loadDetector = async () => {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const rules = [{ id: PRESET, rule: creator, rules: [{ id: COMMENTS_RULE, disabled: true }] }]
  return async (content: string) => {
    const { messages } = await lintSource({
      source: { filePath: 'text.txt', content, contentType: 'text' },
      // Only the text is checked, not a file of this name.
      options: { config: { rules }, noPhysicFilePath: true },
    })
    return messages
  }
}

let detector: ReturnType<typeof loadDetector> | undefined

const redactDetected = async (text: string): Promise<string> => {
  detector ??= loadDetector()
  const detect = await detector
  const found = (await detect(text))
    .map(({ range, data, ruleId }) => ({
      ...placeOf(text, range, data),
      kind: DETECTED_KINDS[ruleId.replace('@secretlint/secretlint-rule-', '')] ?? 'secret',
    }))
    .sort((a, b) => a.start - b.start || b.end - a.end)
  let redacted = ''
  let from = 0
  for (const { start, end, kind } of found) {
    if (start >= from) redacted += text.slice(from, start) + markOf(kind)
    from = Math.max(from, end)
  }
  return redacted + text.slice(from)
}

/**
 * The range of a finding. Some rules give the start of the words before a credential with the length of the
 * credential, so it is searched from there.
 */
const placeOf = (
  text: string,
  [start, end]: readonly [number, number],
  data: Readonly<Record<string, unknown>> = {},
): { start: number; end: number } => {
  const values = Object.values(data).filter((value) => typeof value === 'string')
  const places = values
    .map((value) => ({ at: text.indexOf(value, start), length: value.length }))
    .filter(({ at, length }) => at >= 0 && at <= end && at + length >= end)
  const longest = places.sort((a, b) => b.length - a.length)[0]
  return longest ? { start: longest.at, end: longest.at + longest.length } : { start, end }
}

/** The user and the password of an address. */
const ADDRESS_PASSWORD = /(:\/\/[^\s:/@"'`<>]{0,100}:)([^\s/@"'`<>]{1,200})@/g

/** Names that stand for a password in examples and templates. */
const PLACEHOLDER =
  /^(?:[$%{<[]|\*+$|x+$|\.+$|(?:your[-_]?)?(?:password|passwd|pass|pwd|secret|token)$)/i

const redactPasswords = (text: string): string =>
  text.replace(ADDRESS_PASSWORD, (address, before: string, password: string) =>
    PLACEHOLDER.test(password) ? address : `${before}${markOf('password')}@`,
  )

/** Names and placeholders have no digit; keys and tokens do. */
const replaceToken =
  (kind: string) =>
  (found: string, before: string, token: string): string =>
    /\d/.test(token) ? before + markOf(kind) : found
