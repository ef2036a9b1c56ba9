/*
 * Redacts credentials in texts: those that the rules of secretlint find, and those of the table below.
 */

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
  if (!mayHoldSecret(text)) return { text, kinds: redactedKinds(text) }
  // Passwords first: the address around one stays readable.
  const detected = await redactDetected(redactPasswords(text))
  const redacted = RULES.reduce(
    (rest, { kind, pattern }) => rest.replace(pattern, replaceToken(kind)),
    redactPrivateKeys(detected),
  )
  return { text: redacted, kinds: redactedKinds(redacted) }
}

/** Long runs of the characters of keys, and the beginnings of shorter credentials. */
const CANDIDATE = /[\w+/=.-]{16}|:\/\/|xox|xapp|_authToken|PRIVATE KEY|PASSW|SECRET|TOKEN|KEY/

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

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y
const MAX_KEY_LENGTH = 20_000
/** A line of a key. In JSON, lines end with an escape sequence. */
const KEY_LINE = /(?:\s|\\[nr]){0,8}[A-Za-z0-9+/=]{16,}/y

/** Blocks of all kinds of private keys, and those that are cut off. */
const redactPrivateKeys = (text: string): string => {
  let redacted = ''
  let from = 0
  for (const { index, 0: begin } of text.matchAll(KEY_BEGIN)) {
    if (index < from) continue
    const end = endOfKey(text, index + begin.length)
    if (end === undefined) continue
    redacted += text.slice(from, index) + markOf('private key')
    from = end
  }
  return redacted + text.slice(from)
}

/** @returns where a key ends; undefined if none follows. */
const endOfKey = (text: string, start: number): number | undefined => {
  const footer = text.slice(start, start + MAX_KEY_LENGTH).indexOf('-----END ')
  if (footer >= 0) {
    KEY_END.lastIndex = start + footer
    if (KEY_END.test(text)) return KEY_END.lastIndex
  }
  let end: number | undefined
  for (KEY_LINE.lastIndex = start; KEY_LINE.test(text); ) end = KEY_LINE.lastIndex
  return end
}

interface Rule {
  kind: string
  /** Its first group stays, its second one is the credential. */
  pattern: RegExp
}

/** Credentials that the detector does not find, or only with their exact length. */
const RULES: readonly Rule[] = [
  { kind: 'AWS key', pattern: /(\b)((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b/g },
  { kind: 'svc key', pattern: /(?<![\w-])()(svc_[\w-]{24,})/g },
  { kind: 'GitHub token', pattern: /(?<!\w)()((?:gh[pousr]|github_pat)_\w{30,})/g },
  { kind: 'Anthropic key', pattern: /(?<![\w-])()(sk-ant-[\w-]{24,})/g },
  { kind: 'OpenAI key', pattern: /(?<![\w-])()(sk-(?:proj|svcacct|admin)-[\w-]{24,})/g },
  { kind: 'API key', pattern: /(?<![\w-])()(sk-[\w-]{24,})/g },
  { kind: 'Stripe key', pattern: /(?<!\w)()((?:[srp]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,})/g },
  { kind: 'Google key', pattern: /(?<![\w-])()(AIza[\w-]{35})/g },
  { kind: 'Google token', pattern: /(?<![\w.-])()(ya29\.[\w-]{20,})/g },
  { kind: 'Azure key', pattern: /(\b(?:Account|SharedAccess)Key=)([A-Za-z0-9+/]{40,}={0,2})/g },
  { kind: 'DigitalOcean token', pattern: /(?<!\w)()(do[opr]_v1_[a-f0-9]{64})/g },
  { kind: 'Vault token', pattern: /(?<![\w.-])()(hv[bs]\.[\w-]{24,})/g },
  { kind: 'xAI key', pattern: /(?<![\w-])()(xai-[A-Za-z0-9]{40,})/g },
  { kind: 'PyPI token', pattern: /(?<![\w-])()(pypi-[\w-]{40,})/g },
  { kind: 'Telegram token', pattern: /(?<![\w:])()(\d{8,10}:[\w-]{35})(?![\w-])/g },
  { kind: 'age key', pattern: /(?<![\w-])()(AGE-SECRET-KEY-1[A-Z0-9]{50,})/g },
  { kind: 'npm token', pattern: /(_auth(?:Token)?=)([^\s$"']{8,})/g },
  { kind: 'JWT', pattern: /(?<![\w-])()(eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/g },
  { kind: 'bearer token', pattern: /(\bbearer )([\w.~+/=-]{16,})/gi },
  { kind: 'basic credentials', pattern: /(\bauthorization: basic )([A-Za-z0-9+/=]{8,})/gi },
  {
    kind: 'secret',
    pattern:
      /((?:PASSWORD|PASSWD|SECRET|TOKEN|_KEY)=["']?)((?!process\.|import\.|os\.)[^\s"'`$<>{}()[\]]{8,})/g,
  },
]

/** Names and placeholders have no digit; keys and tokens do. */
const replaceToken =
  (kind: string) =>
  (found: string, before: string, token: string): string =>
    /\d/.test(token) ? before + markOf(kind) : found
