import { alternatives } from '../text/alternatives.ts'
/*
 * Credentials that follow their name: `password: X`, `"client_secret": "X"`, `--token X`, "das Passwort lautet X".
 * The name is searched anywhere in a text, so that all longer names count (`db_password`, `X-Api-Key`); all
 * after it is read by expressions that begin at one place and have bounds.
 */
import { isCredential, type ValuePlace, withoutEnd } from './values.ts'

const PASSWORD_NAMES = alternatives(`
      passw(?:or)?d | passwort | kennwort | passphrase | passcode | pwd | passwd | pass(?![A-Za-z])
      (?<![A-Za-z])pw(?![A-Za-z]) | mot de passe | mdp | contraseña | contrasena | senha
      palavra-passe | parola d.ordine | wachtwoord | lösenord(?:et)? | adgangskoden? | hasło | heslo
      пароль | пароля | şifre | parola | jelszó | salasana | κωδικός | パスワード | 暗証番号 | 密码 | 密碼 | 口令
      비밀번호 | 암호 | पासवर्ड | mật khẩu | كلمة المرور | كلمة السر | סיסמה | รหัสผ่าน | requirepass
      masterauth | identified by | (?<![A-Za-z])psk(?![A-Za-z])
      (?:wlan|wifi|wi-fi|netzwerk|network|wpa2?)[- ]?(?:schlüssel|key|code) | clé (?:wifi|wi-fi|wpa)
      (?<![A-Za-z])clave(?![A-Za-z])(?! (?:de )?api)
    `)

const KEY_NAMES = alternatives(`
      secret | token
      (?:api|access|auth|private|signing|encryption|account|master|license|service|session|app|application|storage|consumer|deploy|admin|client|shared|webhook|publishable|subscription|ingest|hmac|jwt|rest|zugangs|server)[-_ ]?key
      credentials? | api-?schlüssel | clé d.api | clave (?:de )?api | chave (?:de )?api | chiave api
      apikey | APIキー | api 密钥 | authorization | (?<![A-Za-z])(?:dsn|pat|auth)(?![A-Za-z])
    `)

const NAME = new RegExp(`(?<password>${PASSWORD_NAMES})|(?<key>${KEY_NAMES})`, 'gi')

/** Words before a name that make it another thing: `next_page_token`, `cancelToken`, `max_tokens`. */
const OTHER_THING =
  /(?:page|next|continuation|sync|cancel(?:lation)?|design|color|reset|by|com|tres|encom|sur)[-_ ]?$/i

/** The end of a name that still names the credential. */
const NAME_END = new RegExp(
  `(?:[-_]?(?:${alternatives(`
      access[-_]?key | key | value | hash | id | base | prod(?:uction)? | dev(?:elopment)? | test
      stag(?:e|ing) | live | old | new | base64 | b64 | hex | \\d{1,4}
    `)})(?![a-z])){0,3}`,
  'iy',
)
/** "password (admin): X". */
const NOTE = /[ \t]?\([^()\n]{1,30}\)(?=[ \t]{0,2}[:=])/y
const CLOSING = /(?:\\{0,3}["'`\])}>]|\*\*|\[\]){0,4}/y
const TYPE = new RegExp(
  `(?:\\??:[ \\t]?&?(?:'static )?|[ \\t]{1,4})(?:${alternatives(`
      [Ss]tring | str | varchar | text | char\\[\\] | const char ?\\* | SecretStr
      Optional\\[str\\]
    `)})[ \\t]{0,4}(?==|:=)`,
  'y',
)
const ASSIGNMENT =
  /[ \t]{0,20}(?::=|=>|===?|->|[:=：＝]|\|)[ \t]{0,8}(?:\*\*[ \t]{0,4})?(?:>-?\n[ \t]{0,8})?/y
const LINE_BREAK = /[ \t]{0,8}:[ \t]{0,4}\r?\n[ \t]{0,8}/y
const CALL = /[ \t]{0,2}\([ \t]{0,2}(?=["'`])/y
const NEXT_ARGUMENT = /,[ \t]{0,2}(?=["'`])/y
/** Of a pair of fields: `<add key="ApiKey" value="X"/>`, `{"name": "API_KEY", "value": "X"}`. */
const VALUE_ATTRIBUTE =
  /(?:[ \t]{1,4}|,[ \t\n]{0,20}|\n[ \t]{1,20})["']?(?:value|content|default)["']?[ \t]{0,2}[:=][ \t]{0,2}/iy
const SPACE = /[ \t]{1,8}/y
/** The particle between a name and its value, in scripts without spaces. */
const PARTICLE =
  /[ \t]{0,4}(?:は|が|是|为|為|은|는|(?:改|换|換|设|設|修改|更新|更改|设置|變更|变更)(?:成|为|為|是)?了?)[ \t]{0,4}/y

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const COPULAS = wordsOf(
  'is was are be to lautet ist heißt heisst war auf zu est était sera es era será ser é è foi sono är er jest je это теперь olarak है — –',
)
const ADVERBS = wordsOf('now still currently set changed to jetzt nun maintenant ahora agora ora')
const PREPOSITIONS = wordsOf(
  'for of to on at für vom von zum zur de del du da des van till от для к',
)
const MAX_WORDS = 9
const MAX_SENTENCE = 250
const REMINDER = /^(?:reminder|again|here|below|info|erinnerung)[:：]$/
const ARROW = /^(?:=|->|=>|→)$/
const SPOKEN_WORD = /[^ \t\n]+[ \t]*/g

/** "… for the staging server is X", "… for the Wi-Fi: X". @returns where the value begins. */
const spokenAt = (text: string, from: number): number | undefined => {
  const rest = text.slice(from, from + MAX_SENTENCE)
  const line = rest.slice(0, (rest.indexOf('\n') + 1 || rest.length + 1) - 1)
  if (!/^[ \t]/.test(line)) return undefined
  let isCopula = false
  let isLabelled = false
  let count = 0
  for (const { index, 0: found } of line.matchAll(SPOKEN_WORD)) {
    const word = found.trimEnd().toLowerCase()
    if (isCopula && !ADVERBS.has(word)) return from + index
    if (++count > MAX_WORDS || /[.;!?]$/.test(word)) return undefined
    isLabelled ||= count === 1 && PREPOSITIONS.has(word)
    isCopula ||=
      ARROW.test(word) ||
      (COPULAS.has(word.endsWith(':') ? word.slice(0, -1) : word) && word !== 'to:')
    if (!isCopula && count === 1 && REMINDER.test(word)) return from + index + found.length
    if (!isCopula && isLabelled && count > 1 && /[:：]$/.test(word))
      return from + index + found.length
    // "for" and "to" begin the description of a name: "password to the vault is X".
    if (isCopula && count === 1 && word === 'to' && /^ to the\b/.test(line)) isCopula = false
  }
  return undefined
}

const OPENING =
  /(?:(?:new|basic|bearer|token|apikey|key|digest|bot|negotiate)[ \t]{1,3})?(?:@|\$|[bBfFrRuUlL]{1,2}(?=["']))?(\\{0,3}["'`“„‘「『]|«[ \u00A0\u202F]?)?/iy
const QUOTED = /[^\n"'`”“»’‘」』\\]+/y
const DOUBLE_QUOTED = /[^\n"\\]+/y
const SINGLE_QUOTED = /[^\n'\\]+/y
/** A password without quotes ends where words of a script without spaces go on. */
const UNQUOTED = /[^\s"'`<>,、。;&\u3040-\u30FF\u4E00-\u9FFF\uAC00-\uD7AF]+/y
const MAX_VALUE = 300

const MAX_MATCHES = 5_000

interface Found {
  start: number
  end: number
}

const readAt = (expression: RegExp, text: string, at: number): number | undefined => {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : undefined
}

/** @param mark what takes the place of a credential. */
export const redactNamed = (text: string, mark: string): string => {
  let redacted = ''
  let from = 0
  let count = 0
  for (const { index, 0: name, groups } of text.matchAll(NAME)) {
    if (index < from || isOtherThing(text, index, name)) continue
    const found = valueAfter(text, index, index + name.length, groups?.key !== undefined)
    if (!found) continue
    redacted += text.slice(from, found.start) + mark
    from = found.end
    if (++count >= MAX_MATCHES) break
  }
  return redacted + text.slice(from)
}

const isOtherThing = (text: string, index: number, name: string): boolean =>
  OTHER_THING.test(text.slice(Math.max(0, index - 14), index)) ||
  // `bypass` and `compass`, but not `dbPass`.
  (name.toLowerCase() === 'pass' && !name.startsWith('P') && /[a-z]/i.test(text.charAt(index - 1)))

/** "Pass it as …" is no password. */
const IS_VERB = /^(?:pass|credentials?|pat|dsn|auth)$/i

const IS_NOUN =
  /(?<![A-Za-z])(?:db|database|root|admin|wi-?fi|wlan|ssh|login|smtp|ftp|sftp|sudo|user|mail)[ -]$/i

const valueAfter = (
  text: string,
  start: number,
  end: number,
  isKey: boolean,
): Found | undefined => {
  const kind = isKey ? 'keyed' : 'named'
  const nameEnd = readAt(NAME_END, text, end) ?? end
  // `tokens`, `secretName` and `passwordPolicy` are other things.
  if (/[\p{L}\d_]/u.test(text.charAt(nameEnd)) && /[a-z\d_]$/i.test(text.slice(start, nameEnd)))
    return undefined
  const closed = readAt(NOTE, text, nameEnd) ?? readAt(CLOSING, text, nameEnd) ?? nameEnd
  const typed = readAt(TYPE, text, closed) ?? closed
  const isFlag = isFlagAt(text, start)
  const spoken = isKey ? 'keyed' : 'spoken'
  const mayBeSpoken =
    !IS_VERB.test(text.slice(start, nameEnd)) ||
    IS_NOUN.test(text.slice(Math.max(0, start - 10), start))
  const ways: [number | undefined, ValuePlace['kind'], boolean][] = [
    [
      readAt(ASSIGNMENT, text, typed),
      kind,
      text.charAt(nameEnd) === '=' || isVariable(text, start, nameEnd),
    ],
    [readAt(LINE_BREAK, text, closed), kind, false],
    [isFlag ? readAt(SPACE, text, closed) : undefined, kind, true],
    [readAt(CALL, text, closed), kind, false],
    [readAt(NEXT_ARGUMENT, text, closed), 'keyed', false],
    [readAt(VALUE_ATTRIBUTE, text, closed), kind, true],
    // Of an element: `<password encrypted="false">X</password>`, `<property name="password">X</property>`.
    [contentAt(text, nameEnd, closed), kind, true],
    [mayBeSpoken ? readAt(PARTICLE, text, closed) : undefined, spoken, false],
    [mayBeSpoken ? spokenAt(text, closed) : undefined, spoken, false],
    [mayBeSpoken ? readAt(SPACE, text, nameEnd) : undefined, spoken, false],
  ]
  for (const [at, place, isJoined] of ways) {
    const found = at === undefined ? undefined : readValue(text, at, place, isJoined)
    if (found) return found
  }
  return undefined
}

const ATTRIBUTES =
  /(?:[ \t]{1,4}[\w:.-]{1,40}=(?:"[^"\n]{0,100}"|'[^'\n]{0,100}')){0,6}[ \t]{0,4}>/y
const CHILD = /\s{0,20}<(?:value|string|text)>\s{0,20}/iy

/** Where the text of an element begins whose name, or whose attribute, is that of the credential. */
const contentAt = (text: string, nameEnd: number, closed: number): number | undefined => {
  const at = text.charAt(closed - 1) === '>' ? closed : readAt(ATTRIBUTES, text, nameEnd)
  return at === undefined ? undefined : (readAt(CHILD, text, at) ?? at)
}

/** The name of a variable of the environment in YAML: `POSTGRES_PASSWORD: word`. */
const isVariable = (text: string, start: number, nameEnd: number): boolean =>
  text.charAt(start - 1) === '_' && /^[A-Z_]+$/.test(text.slice(start, nameEnd))

const MAX_FLAG = 40

/** Whether the name at a place is that of an argument, such as `--token`. */
const isFlagAt = (text: string, start: number): boolean => {
  let at = start
  while (at > start - MAX_FLAG && /[\w-]/.test(text.charAt(at - 1))) at -= 1
  return text.charAt(at) === '-'
}

const readValue = (
  text: string,
  at: number,
  kind: ValuePlace['kind'],
  isJoined: boolean,
): Found | undefined => {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  const quote = opening?.[1]
  const start = at + (opening?.[0].length ?? 0)
  const pattern = quote === undefined ? UNQUOTED : quotedBy(quote)
  const end = readAt(pattern, text, start)
  if (end === undefined || end - start > MAX_VALUE) return undefined
  const raw = text.slice(start, end)
  const value = quote === undefined ? withoutEnd(raw) : raw.trimEnd()
  return isCredential(value, { isQuoted: quote !== undefined, kind, isJoined })
    ? { start, end: start + value.length }
    : undefined
}

const quotedBy = (quote: string): RegExp => {
  if (quote.endsWith('"')) return DOUBLE_QUOTED
  return quote.endsWith("'") ? SINGLE_QUOTED : QUOTED
}
