import { alternatives } from '../text/alternatives.ts'
/* Credentials in the arguments of programs, in headers of cookies, in manifests and in recovery phrases. */
import { isCredential } from './values.ts'

interface CommandRule {
  /** The program, and what may follow on its line. */
  program: RegExp
  /** A text that the rest of the line must have. */
  needs?: string
  /** Its first group stays, its second one is the credential. */
  flag: RegExp
}

const VALUE = `(["']?)([^\\s"'|;&]{3,200})`
const flag = (source: string): RegExp => new RegExp(`((?:^|\\s)${source})${VALUE}`, 'g')

const COMMANDS: readonly CommandRule[] = [
  { program: /\b(?:mysql\w{0,10}|mariadb[\w-]{0,10})\b/g, flag: flag('-p') },
  {
    program: new RegExp(
      `\\b(?:${alternatives(`
          mongo | mongosh | mongodump | mongorestore | cqlsh | docker login | podman login
          helm registry login | az login | az acr login | cf login | oc login | snowsql | influx
          bcp | sqlplus | nexus
        `)})\\b`,
      'g',
    ),
    flag: flag('(?:-p|--password)[ =]'),
  },
  { program: /\b(?:sshpass)\b/g, flag: flag('-p ?') },
  { program: /\b(?:redis-cli|valkey-cli|keydb-cli)\b/g, flag: flag('(?:-a|--pass)[ =]') },
  {
    program: /\b(?:curl|http|https|wget|xh|ab|git)\b/g,
    flag: flag('(?:-u|--user|-U|--proxy-user|-a|--auth)[ =]?["\']?[\\w.@+-]{1,64}:'),
  },
  { program: /\b(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami)\b/g, flag: flag('-w ?') },
  {
    program: /\b(?:sqlcmd|mosquitto_pub|mosquitto_sub|ipmitool|isql|zip|unzip|tsql|nxc|bcp)\b/g,
    flag: flag('-P ?'),
  },
  { program: /\b(?:7z|7za|rar|unrar)\b/g, flag: flag('-p') },
  { program: /\b(?:openssl)\b/g, flag: flag('-pass(?:in|out)? pass:') },
  {
    program: /\b(?:smbclient|rpcclient|net use|mount\.cifs)\b/g,
    flag: flag('-U ?["\']?[\\w.\\\\@-]{1,64}%'),
  },
  {
    program: /\b(?:htpasswd)\b/g,
    flag: flag('-[a-zA-Z]{0,4}b[a-zA-Z]{0,4} (?:\\S{1,100} )?\\S{1,64} '),
  },
  { program: /\b(?:rabbitmqctl)\b/g, flag: flag('(?:add_user|change_password) \\S{1,64} ') },
  {
    program: /\b(?:vault login|doppler login|gh auth login --with-token|heroku login)\b/g,
    flag: flag(''),
  },
  { program: /\b(?:kubectl|oc|docker)\b/g, flag: flag('--from-literal=["\']?[\\w.-]{1,64}=') },
  { program: /\b(?:plink|pscp|psftp|putty)\b/g, flag: flag('-pw ') },
  { program: /\bssh-keygen\b/g, flag: flag('-[NP] ') },
  { program: /\b(?:keytool|jarsigner)\b/g, flag: flag('-(?:store|key|new)pass(?:wd)? ') },
  { program: /\bcmdkey\b/g, flag: flag('/pass:') },
  { program: /\bConvertTo-SecureString\b/g, flag: flag('(?:-String )?(?=["\'])') },
  { program: /\bwpa_passphrase\b/g, flag: flag('\\S{1,64} ') },
  { program: /\bftp> user\b/g, flag: flag('\\S{1,64} ') },
  { program: /\b(?:echo|printf)\b/g, needs: 'sudo -S', flag: flag('') },
  { program: /\bnet user\b/g, flag: flag('\\S{1,64} ') },
  { program: /\b(?:echo|printf)\b/g, needs: '--password-stdin', flag: flag('') },
  { program: /\becho\b/g, needs: 'chpasswd', flag: flag('["\']?[a-z_][\\w-]{0,31}:') },
]

const MAX_LINE = 500

/** @param mark what takes the place of a credential. */
export const redactArguments = (text: string, mark: string): string => {
  const places: { start: number; end: number }[] = []
  for (const { program, needs = '', flag } of COMMANDS) {
    let lineEnd = 0
    for (const { index, 0: name } of text.matchAll(program)) {
      const start = index + name.length
      if (start < lineEnd) continue
      const line = /^[^\n]*(?:\\\n[^\n]*){0,8}/.exec(text.slice(start, start + MAX_LINE))?.[0] ?? ''
      lineEnd = start + line.length
      if (!line.includes(needs)) continue
      for (const found of line.matchAll(flag)) {
        const [all, , quote = '', value = ''] = found
        if (!isCredential(value, { isQuoted: quote !== '', kind: 'named', isJoined: true }))
          continue
        const end = start + found.index + all.length
        places.push({ start: end - value.length, end })
      }
    }
  }
  return replacePlaces(text, places, mark)
}

const replacePlaces = (
  text: string,
  places: { start: number; end: number }[],
  mark: string,
): string => {
  let redacted = ''
  let from = 0
  for (const { start, end } of places.sort((a, b) => a.start - b.start)) {
    if (start < from) continue
    redacted += text.slice(from, start) + mark
    from = end
  }
  return redacted + text.slice(from)
}

const COOKIES = /\b((?:set-)?cookie["']?[ \t]{0,4}:[ \t]{0,4}["']?)([^\n"']+)/gi
const ATTRIBUTE = /^(?:expires|max-age|path|domain|samesite|priority)$/i
const MIN_COOKIE = 8

/** The values of cookies, without the attributes of a new one. */
export const redactCookies = (text: string, mark: string): string =>
  text.replace(COOKIES, (_, before: string, cookies: string) => {
    const redactOne = (cookie: string): string => {
      const at = cookie.indexOf('=')
      const value = cookie.slice(at + 1).trimEnd()
      if (at < 1 || value.length < MIN_COOKIE || /\s/.test(value) || !/\d/.test(value))
        return cookie
      return ATTRIBUTE.test(cookie.slice(0, at).trim()) ? cookie : cookie.slice(0, at + 1) + mark
    }
    return before + cookies.split(';').map(redactOne).join(';')
  })

const SECRET_MANIFEST = /^kind:[ \t]{0,4}["']?Secret\b/m
const MANIFEST_VALUE =
  /^([ \t]{1,8}[\w.-]{1,100}:[ \t]{1,4}["']?)([A-Za-z0-9+/=!@#$%^&*_-]{6,4000})(?=["']?[ \t]{0,4}$)/gm
const MANIFEST_FIELD = new RegExp(
  `^[ \\t]{0,8}(?:${alternatives(`
      name | namespace | type | creationTimestamp | uid | resourceVersion | app | immutable
      [\\w.-]{0,60}\\/[\\w.-]{0,60}
    `)}):`,
)

/** The data of a Secret of Kubernetes, whose names tell nothing. */
export const redactManifest = (text: string, mark: string): string =>
  SECRET_MANIFEST.test(text)
    ? text.replace(MANIFEST_VALUE, (line, before: string) =>
        MANIFEST_FIELD.test(before) ? line : before + mark,
      )
    : text

const PHRASE = new RegExp(
  `((?:${alternatives(`
    (?:seed|recovery|mnemonic|backup|secret|wallet)[ -]?(?:phrase|words|seed) | mnemonic
    wiederherstellungsphrase | phrase de récupération | frase (?:semilla|de recuperación)
  `)})["']?[ \\t]{0,3}(?:is|are|lautet|ist|est|es|:|=)[:=]?[ \\t\\n"'\`]{1,4})` +
    '((?:[a-z]{3,8}[ \\t\\n,]{1,2}){11,23}[a-z]{3,8})\\b',
  'gi',
)

/** The words of a wallet (BIP 39). */
export const redactPhrases = (text: string, mark: string): string =>
  text.replace(PHRASE, (_, before: string) => before + mark)

const CODE_OF = alternatives(`
  pin | code | safe | alarm | door | gate | garage | entry | lock | unlock | keypad | access
  security | backup | verification | recovery | 2fa | mfa | otp | sms | login | confirmation
  one-?time
`)
const PIN = new RegExp(
  `(\\b(?:${alternatives(`
    pin | puk | (?:${CODE_OF})[- ]?(?:code|pin|combination|passcode|password|passwort)
    code (?:pin|secret|confidentiel) | geheimzahl | türcode | código (?:pin|secreto|de seguridad)
    暗証番号 | 验证码 | 인증번호
  `)})` +
    `(?: (?:for|of|to|für|vom|pour|de|del)(?: [\\p{L}\\d'-]{1,20}){1,3}?)?` +
    `[ \\t]{0,3}(?:is|was|ist|lautet|est|es|:|=|は|是|${'[ \\t]'})(?: now| jetzt)?:?[ \\t]{0,3}["'\`“「]?)(\\d{3}[ -]?\\d{3}|\\d{4,8})(?![\\d:/-]|\\.\\d)`,
  'giu',
)

export const redactPins = (text: string, mark: string): string =>
  text.replace(PIN, (_, before: string) => before + mark)

/** The password of a source of the MySQL driver of Go: `user:password@tcp(host)/database`. */
const SOURCE_HOST = /@(?:tcp|unix)\(/g
const MAX_SOURCE = 200

export const redactSources = (text: string, mark: string): string => {
  const places = [...text.matchAll(SOURCE_HOST)].flatMap(({ index: end }) => {
    const before = text.slice(Math.max(0, end - MAX_SOURCE), end)
    const start = end - before.length + before.lastIndexOf(':') + 1
    return before.includes(':') && /^[^\s"'`$<{]+$/.test(text.slice(start, end))
      ? [{ start, end }]
      : []
  })
  return replacePlaces(text, places, mark)
}
