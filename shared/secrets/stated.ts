import { alternatives } from '../text/alternatives.ts'
/*
 * Passwords of plain words, which only a sentence gives away: "my password is hunter2 apple", "Mein Passwort
 * lautet: Blauer Elefant", "credentials: ada / X".
 */
import { isCredential, isDescription, withoutEnd } from './values.ts'

const PASSWORD = alternatives(`
      passwords? | passphrase | passcode | pw | pwd | passwort | kennwort | mot de passe | mdp
      contraseña | clave | senha | password | wachtwoord | lösenord
    `)

/** Whose password it is. Without one a sentence is about passwords: "the password is required". */
const OWNER = alternatives(`
      my | our | his | her | their | mein | unser | dein | ihr | sein | mon | notre | ton | votre
      son | mi | nuestra | tu | su | minha | nossa | mia | nostra | mijn | ons | mitt | vårt
    `)

/** "My new Wi-Fi password is", "Mein WLAN-Passwort:", "La contraseña de mi correo es", "Das Passwort lautet". */
const STATEMENT = new RegExp(
  '(?<!\\p{L})(?:(?:mon|ton|notre|mi|tu|minha|mia) (?:mot de passe|contraseña|clave|senha|password)' +
    "(?: [\\p{L}\\d'.-]{2,20}){1,2}? (?:est|es|é|è) |" +
    `(?:${OWNER}) (?:[\\p{L}\\d'-]{1,20}[ -]){0,3}?(?:[\\p{L}\\d]{1,20}-)?(?:${PASSWORD})` +
    '(?: (?:for|of|to|at|für|vom|von|zum|pour|de|du|del|do|da|van|voor|para)' +
    "(?: [\\p{L}\\d'.-]{1,20}){1,3}?)?" +
    '(?: (?:is|was|ist|lautet|est|es|é|è|är)(?: (?:now|jetzt|maintenant|ahora))?:?[ \\t]{1,2}|[ \\t]?[:=][ \\t]{1,4})' +
    `|(?:${PASSWORD}) (?:de|del|do|da) (?:mi|nuestra|minha|nossa|mia)(?: [\\p{L}\\d]{1,20}){1,2}? (?:es|é|è) ` +
    '|(?:passwort|kennwort)(?: (?:für|vom|von|zum)(?: [\\p{L}\\d-]{1,20}){1,3}?)? lautet(?: jetzt)?:?[ \\t]{1,2})',
  'giu',
)

/** "The password is sunshine", where one word stands alone. */
const SENTENCE = new RegExp(
  `(?<!\\p{L})(?:the|das|le|la|el|il|het|a|o) (?:[\\p{L}\\d'-]{1,20}[ -]){0,2}?(?:${PASSWORD}) (?:is|ist|est|es|é|è)(?: (?:now|jetzt|maintenant|ahora))?[ \\t]{1,2}`,
  'giu',
)
/** "Root PW: otterpond". A name in lower case is one of code or of a file of settings. */
const LABEL = new RegExp(
  `^[ \\t\\d.)*-]{0,8}(?:[\\p{L}\\d][\\p{L}\\d-]{1,20} ){0,3}(?:${alternatives(`
      P(?:assword|assphrase|asswort|W) | Kennwort | Mot de passe | MDP | Contraseña | Clave | Senha
      pw
    `)})[ \\t]?:[ \\t]{1,4}`,
  'gmu',
)
/** A label of another thing. */
const OTHER_LABEL = new RegExp(
  `\\b(?:${alternatives(`
      invalid | wrong | incorrect | reset | change | forgot | forgotten | no | bad | missing | weak
      confirm | confirmation | test | error | example | minimum | maximum | falsches
      neues? vergeben
    `)})\\b`,
  'i',
)
/** A word that describes: "plaintext", "required", "sichtbar", "obligatorio". */
const DESCRIPTIVE = new RegExp(
  `(?:${alternatives(`
      ed | ing | able | ible | ive | ory | ary | al | ous | ful | less | text | word | bar | lich
      ig | isch | iert | able | oire | orio | oria | ado | ada | ido | ida | é | ée | ato | ata
    `)})$`,
  'iu',
)
const MIN_LABELLED = 6

/** Up to four words, to the end of the clause. A word in quotes has a rule of its own. */
const WORDS =
  /[^\s"'`“„«「<>[\](){}$%*,.;:!?…]{3,40}(?: [^\s"'`“„«「<>[\](){}$%*,.;:!?…]{1,40}){0,3}/y
const CLAUSE_END = new RegExp(
  `(?:[,.;!?](?=\\s|$)|[ \\t]*(?:$|\\n)| (?:${alternatives(`
      and | but | for | on | in | at | so | since | und | aber | für | seit | et | mais | pour | y
      pero | para | e | ma | maar | och
    `)})(?= ))`,
  'uy',
)

const wordList = (...languages: string[]): RegExp =>
  new RegExp(`^(?:${languages.join('|')})$`, 'iu')

/** Words of a sentence about a password, which a password of words does not have. */
const GRAMMAR = wordList(
  alternatives(`
      too | not | no | never | always | now | still | also | only | just | very | really | quite
      so | the | a | an | my | our | your | their | in | on | at | with | by | from | of | for | to
      what | how | where | when | that | this | it | one | some | something | nothing | about | like
      as | is | are | was | being | getting | stored | saved | kept | written | set | reset | hashed
      encrypted | shown | sent | required | needed | used | reused | shared | managed | generated
      rejected | accepted | refused | blocked | locked | leaked | compromised | stolen | forgotten
      due | up | out | than | enough | anymore
    `),
  alternatives(`
      nicht | kein | zu | sehr | noch | schon | immer | nie | der | die | das | ein | eine | mein
      im | auf | bei | abgelaufen | gespeichert | weg | verloren | vergessen | nur | auch | gleich
      überall | mehr
    `),
  alternatives(`
      trop | pas | plus | très | le | la | les | un | une | mon | dans | sur | en | oublié
      obligatoire | requis | toujours | encore | enregistré
    `),
  'demasiado|muy|el|los|una|mi|obligatoria|siempre|todavía|olvidada|muito|troppo|molto|te|niet',
)
/** Alone or in pairs they describe a password. */
const ADJECTIVES = wordList(
  alternatives(`
      same | different | longer | shorter | stronger | weaker | long | short | strong | weak | wrong
      right | correct | incorrect | invalid | valid | expired | expiring | old | new | lost | gone
      safe | unsafe | secure | insecure | secret | unique | known | unknown | missing | empty
      blank | broken | fine | good | bad | okay | easy | hard | simple | complex | difficult
      important | working | changed | hidden | masked | visible | available | case | optional
      public | private
    `),
  alternatives(`
      falsch | richtig | sicher | unsicher | lang | kurz | stark | schwach | neu | bekannt | geheim
      leer | ungültig | gültig | anders
    `),
  alternatives(`
      faux | incorrect | correcte? | expiré | perdu | sûr | long | court | fort | faible
      incorrecta | correcta | segura | insegura | larga | corta | débil | fuerte | importante
      única | errada | sbagliata | corretta | verkeerd
    `),
)

/** Replaces what follows each introduction. @param valueAt empty where nothing does. */
const replaceAfter = (
  text: string,
  introduction: RegExp,
  mark: string,
  valueAt: (found: string, at: number) => string,
): string => {
  let redacted = ''
  let from = 0
  for (const { index, 0: found } of text.matchAll(introduction)) {
    const start = index + found.length
    const value = start < from ? '' : valueAt(found, start)
    if (value === '') continue
    redacted += text.slice(from, start) + mark
    from = start + value.length
  }
  return redacted + text.slice(from)
}

/** @param mark what takes the place of a credential. */
export const redactStatedSecrets = (text: string, mark: string): string => {
  const stated = replaceAfter(text, STATEMENT, mark, (_, at) => wordsAt(text, at))
  return redactLabels(stated, mark)
}

const redactLabels = (text: string, mark: string): string =>
  [SENTENCE, LABEL].reduce(
    (rest, place) =>
      replaceAfter(rest, place, mark, (found, at) => {
        const word = OTHER_LABEL.test(found) ? '' : wordsAt(rest, at)
        const isName = word.length >= MIN_LABELLED && !/\s/.test(word) && !ADJECTIVES.test(word)
        return isName && !DESCRIPTIVE.test(word) && !isDescription(word) ? word : ''
      }),
    text,
  )

/** The words at a place that stand for a password: as many as end a clause. */
const wordsAt = (text: string, at: number): string => {
  WORDS.lastIndex = at
  const all = WORDS.exec(text)?.[0].split(' ') ?? []
  for (let count = 1; count <= all.length; count++) {
    const words = all.slice(0, count)
    const length = words.join(' ').length
    CLAUSE_END.lastIndex = at + length
    if (CLAUSE_END.test(text)) return isPassword(words) ? text.slice(at, at + length) : ''
  }
  return ''
}

const isPassword = (words: string[]): boolean => {
  const [first = ''] = words
  const isDescribed = words.length < 3 && words.some((word) => ADJECTIVES.test(word))
  return first.length >= 4 && !isDescribed && !words.some((word) => GRAMMAR.test(word))
}

const CREDENTIALS = alternatives(`
  credentials? | creds | logins? | access | account | zugangsdaten | zugang | anmeldung
  identifiants | accès | credenciales | acceso | credenziali | ログイン
`)
const ACCOUNT = 'login|user(?:name)?|account|benutzer|usuario|utilisateur'
const AUTH_CALL = alternatives(`
  auth ?= ?\\( | (?:set_?)?(?:http)?basic_?auth\\( | (?<=\\.)(?:auth|login|authenticate)\\(
`)
/** "credentials: ada / X", "login ada@example.org pass X", "use pass X", `auth=("ada", "X")`. */
const PAIR = new RegExp(
  `(?<!\\p{L})(?:${alternatives(`
    (?:${CREDENTIALS})[ \\t]{0,2}[:=：][ \\t]{0,3}[\\w.@+-]{2,64}[ \\t]{0,2}[/|:,][ \\t]{0,2}
    (?:${ACCOUNT})[ \\t]{0,2}[:=]?[ \\t]{1,3}[\\w.@+-]{2,64},?[ \\t]{1,3}(?:with |and |mit |und )?(?:pass|pw|passwort|password)[ \\t]{1,3}
    (?:use|using|enter|type|with) (?:the |my )?(?:pass|pw|pwd)[ \\t]{1,3}
    (?:${AUTH_CALL})["'][^"'\\n]{1,64}["'], ?["']
    (?:api|auth|openai|anthropic|stripe)\\w{0,20}:[ \\t]*\\n(?:[ \\t]+[\\w-]{1,40}:[^\\n]{0,80}\\n){0,4}[ \\t]+key:[ \\t]*["']?
  `)})(?=\\S)`,
  'giu',
)
const PAIR_VALUE = /[^\s"'`<>,;[\](){}]{4,100}/y

export const redactPairs = (text: string, mark: string): string =>
  replaceAfter(text, PAIR, mark, (_, at) => {
    PAIR_VALUE.lastIndex = at
    const value = withoutEnd(PAIR_VALUE.exec(text)?.[0] ?? '')
    return isCredential(value, { isQuoted: false, kind: 'named', isJoined: false }) ? value : ''
  })

/** "Sign in with X as the password", "mit X als Passwort". */
const AS_PASSWORD =
  /(?<=[ \t])[^\s"'`<>,;]{4,100}(?=["'`]? (?:as (?:the |my |your )?(?:password|passphrase|passcode|pw)|als (?:das )?(?:Passwort|Kennwort)|comme mot de passe|como contraseña)(?!\p{L}))/giu

export const redactReversed = (text: string, mark: string): string =>
  text.replace(AS_PASSWORD, (value) =>
    isCredential(value, { isQuoted: false, kind: 'named', isJoined: false }) ? mark : value,
  )
