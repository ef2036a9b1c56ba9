import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** RFC 1035, section 2.3.4, and RFC 5890, section 2.3.1: a name of host names in ASCII, with two labels or more. */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const MAX_NAME = 253

/**
 * The one form in which a domain is stored and compared: lower case and ASCII (UTS #46).
 * @returns undefined for a text that is no domain, such as an IP address or a wildcard.
 */
export const domainOf = (text: string): string | undefined => {
  // The conversion decodes percent-encoding and drops characters, as for the host of a URL.
  if (/[%\s/\\?#:@[\]]/.test(text)) return undefined
  const domain = domainToASCII(text.toLowerCase())
  const labels = domain.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label))
  return isName && domain.length <= MAX_NAME && isIP(domain) === 0 ? domain : undefined
}

/** The domain of an email address. */
export const domainOfAddress = (email: string): string | undefined =>
  domainOf(email.slice(email.lastIndexOf('@') + 1))
