import { isAbsolute, resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import { OPTIONAL_FEATURES, type OptionalFeatureName } from '../../shared/features.ts'
import { isModelName, isModelPath } from '../memory/engines/embedding/encoder/names.ts'
import { isExportKey } from '../memory/transfer/signatures.ts'
import { cronProblem } from '../platform/cron.ts'
import { isAddressRange } from '../platform/http/address.ts'
import { canonicalAddress } from '../platform/mail/address.ts'

/** Parses a value. */
export interface Parse<T> {
  /** @throws InvalidValue with the expected form. */
  (text: string): T
  /** The accepted values. */
  readonly choices?: readonly string[]
  /** The lowest and the highest number. */
  readonly range?: readonly [number, number]
}

/** The message is the expected form. */
export class InvalidValue extends Error {}

export const text: Parse<string> = (value) => value
/** Absolute, because child processes run in other folders. */
export const path: Parse<string> = (value) => resolve(value)
/** For a value that processes with different working directories read. */
export const absolutePath: Parse<string> = (value) => {
  if (!isAbsolute(value)) throw new InvalidValue('an absolute path such as /var/backups/svc')
  return resolve(value)
}
export const integer = (min: number, max: number): Parse<number> => {
  const parse = (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new InvalidValue(`a whole number from ${min} to ${max}`)
    return number
  }
  return Object.assign(parse, { range: [min, max] as const })
}
export const url =
  (...protocols: string[]): Parse<string> =>
  (value) => {
    const expected = `a URL that starts with ${protocols.map((p) => `${p}://`).join(' or ')}`
    if (!URL.canParse(value)) throw new InvalidValue(expected)
    const { protocol, hostname } = new URL(value)
    if (!protocols.includes(protocol.slice(0, -1)) || hostname === '')
      throw new InvalidValue(expected)
    return value
  }
export const webUrl = url('http', 'https')
/** The address of the server. Paths are appended to it, and it is in public documents. */
export const publicUrl: Parse<string> = (value) => {
  const url = URL.parse(webUrl(value))
  if (!url || /[?#]/.test(value) || url.username || url.password)
    throw new InvalidValue(
      'a URL without a query, a fragment and credentials, such as https://example.com/svc',
    )
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
}
/** URLs that secrets are sent to: HTTPS, or HTTP on this machine. */
export const secureUrl: Parse<string> = (value) => {
  const expected = 'a URL that starts with https://, or http:// on this machine'
  if (!URL.canParse(value)) throw new InvalidValue(expected)
  const { protocol, hostname } = new URL(value)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) throw new InvalidValue(expected)
  return value
}
/** OpenID Connect Discovery 1.0, section 2: a URL without query and fragment. */
export const issuer: Parse<string> = (value) => {
  const url = URL.parse(secureUrl(value))
  if (!url || /[?#]/.test(value) || url.username || url.password)
    throw new InvalidValue('the URL of an issuer, without a query, a fragment and credentials')
  return value
}
/** RFC 6749, section 3.3. The ID token is returned only for `openid`. */
export const openIdScopes: Parse<string> = (value) => {
  const scopes = value.split(/\s+/)
  if (!scopes.includes('openid') || !scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope)))
    throw new InvalidValue('scopes separated by spaces, with openid, such as: openid email profile')
  return scopes.join(' ')
}
export const label: Parse<string> = (value) => {
  if (value.length > 60 || /\p{C}/u.test(value)) throw new InvalidValue('at most 60 characters')
  return value
}
export const oneOf = <const T extends string>(...values: T[]): Parse<T> => {
  const parse = (value: string): T => {
    const found = values.find((candidate) => candidate === value)
    if (!found) throw new InvalidValue(`one of ${values.join(', ')}`)
    return found
  }
  return Object.assign(parse, { choices: values })
}
/** `all`, names, or what is left of all: `-name`. @returns the features that are off. */
export const features: Parse<ReadonlySet<OptionalFeatureName>> = (value) => {
  const words = value.split(',').map((word) => word.trim())
  const names = words.map((word) => word.replace(/^-/, ''))
  if (names.some((name) => name !== 'all' && !OPTIONAL_FEATURES.some((each) => each === name)))
    throw new InvalidValue(
      `all, or a list of ${OPTIONAL_FEATURES.join(', ')}, with - before those to turn off`,
    )
  const isChosen = (name: OptionalFeatureName) =>
    words.includes(name) || words.every((word) => word === 'all' || word.startsWith('-'))
  return new Set(OPTIONAL_FEATURES.filter((name) => words.includes(`-${name}`) || !isChosen(name)))
}
export const listOf =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
      .map(parse)
export const origin: Parse<string> = (value) => {
  const expected = 'origins such as https://app.example.com, without a path'
  try {
    if (webUrl(value) && new URL(value).origin === value) return value
  } catch {
    // Reported below, as an invalid origin.
  }
  throw new InvalidValue(expected)
}
export const cidr: Parse<string> = (value) => {
  if (!isAddressRange(value)) throw new InvalidValue('addresses or ranges such as 10.0.0.0/8')
  return value
}
export const exportKey: Parse<string> = (value) => {
  if (!isExportKey(value)) throw new InvalidValue('keys of exports: `signature.key` of a line')
  return value
}
export const secret: Parse<string> = (value) => {
  if (value.length < 32) throw new InvalidValue('at least 32 characters long')
  // A file and a backup have one secret in each line.
  if (/[\r\n]/.test(value)) throw new InvalidValue('a single line')
  return value
}
/** Who has the file can try passphrases without a limit. */
export const passphrase: Parse<string> = (value) => {
  if (value.length < 12) throw new InvalidValue('at least 12 characters long')
  return value
}
export const email: Parse<string> = (value) => {
  if (!/^[^\s@]+@[^\s@]+$/.test(value)) throw new InvalidValue('email addresses')
  return canonicalAddress(value)
}
/** The sender of emails: an address, with a name before it if it is in angle brackets. */
export const sender: Parse<string> = (value) => {
  const [, inBrackets = value] = /^[^<>]*<([^<>]*)>$/.exec(value) ?? []
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(inBrackets))
    throw new InvalidValue('an address such as svc@example.com or svc <svc@example.com>')
  return value
}
export const cron: Parse<string> = (value) => {
  if (cronProblem(value))
    throw new InvalidValue('a cron expression of five fields such as 0 3 * * *')
  return value
}
export const domain: Parse<string> = (value) => {
  if (!/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value))
    throw new InvalidValue('a domain such as example.com')
  return value
}
/** The part of email addresses after the @, in ASCII and lower case. */
export const mailDomain: Parse<string> = (value) => {
  const ascii = domainToASCII(value.replace(/^@/, ''))
  if (!ascii.includes('.') || !/^[a-z0-9.-]+$/.test(ascii))
    throw new InvalidValue('domains of email addresses such as example.com')
  return ascii
}
/** @returns the name of a model, or its directory, which is absolute. */
export const encoderModel: Parse<string> = (value) => {
  if (value === 'off') return value
  const model = value.replace(/^onnx:/, '')
  if (model !== value && isModelPath(model)) return resolve(model)
  if (model !== value && isModelName(model)) return model
  throw new InvalidValue(
    'off, or onnx: and the name of a model or a directory, such as onnx:multilingual-e5',
  )
}
