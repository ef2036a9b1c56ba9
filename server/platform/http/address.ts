import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns a client's address from its socket or, behind a trusted proxy, from the headers of the request. */
export type ClientAddress = (socketAddress: string, headers: Headers) => string

/** Whether a text is an address or a range of addresses (CIDR). */
export const isAddressRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  const isSize = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  return isIP(address) !== 0 && !address.includes('%') && isSize && rest.length === 0
}

/** Whether an address is in one of the ranges (CIDR). */
export const addressCheck = (ranges: readonly string[]): ((address: string) => boolean) => {
  const listed = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    listed.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (socketAddress) => {
    const address = unmapped(socketAddress)
    return isIP(address) !== 0 && listed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}

/** The headers in which proxies name the client. */
export const FORWARDED_HEADERS = ['x-forwarded-for', 'forwarded'] as const

/**
 * Headers count only when the socket address is in `trustedProxies` (CIDR). The client is the last address of
 * the header that is not a trusted proxy. An entry without an address hides all entries before it: the proxy
 * before it may have passed on what a client wrote.
 * @param header the one that the proxies set; by default X-Forwarded-For, and Forwarded without it.
 */
export const clientAddress = (
  trustedProxies: string[],
  header?: (typeof FORWARDED_HEADERS)[number],
): ClientAddress => {
  const isTrusted = addressCheck(trustedProxies)
  const isRead = (name: (typeof FORWARDED_HEADERS)[number]) =>
    header === undefined || header === name
  const hopsOf = (headers: Headers): string[] => {
    const forwardedFor = isRead('x-forwarded-for') && headers.get('x-forwarded-for')
    if (typeof forwardedFor === 'string') return forwardedFor.split(',').filter(isFilled)
    return isRead('forwarded') ? forwardedHops(headers.get('forwarded') ?? '') : []
  }
  return (socketAddress, headers) => {
    let address = unmapped(socketAddress)
    if (!isTrusted(address)) return address
    const hops = hopsOf(headers)
    while (isTrusted(address)) {
      const before = hopAddress(hops.pop() ?? '')
      if (before === undefined) break
      address = before
    }
    return address
  }
}

const isFilled = (text: string): boolean => text.trim() !== ''

/** The parameter `for` of each element of Forwarded (RFC 7239), empty where an element has none. */
const forwardedHops = (header: string): string[] =>
  splitOutsideQuotes(header, ',')
    .filter(isFilled)
    .map((element) => {
      const pairs = splitOutsideQuotes(element, ';').map((pair) => pair.trim())
      return pairs.find((pair) => /^for=/i.test(pair))?.slice('for='.length) ?? ''
    })

/**
 * A client may send a quote that it does not close, to hide what the proxy appends. A header with an odd number of
 * quotes is therefore split at each separator.
 */
const splitOutsideQuotes = (text: string, separator: string): string[] => {
  const quoted = text.split('"')
  if (quoted.length % 2 === 0) return text.split(separator)
  const parts = ['']
  for (const [i, run] of quoted.entries()) {
    const [first = '', ...others] = i % 2 === 0 ? run.split(separator) : [`"${run}"`]
    parts.push(`${parts.pop()}${first}`, ...others)
  }
  return parts
}

/** An address or `[IPv6]`, with an optional port or the hidden one of RFC 7239. */
const HOP = /^(?:\[([^[\]]*)\]|([^:[\]]*))(?::(?:\d{1,5}|_[\w.-]+))?$/

/** @returns undefined for an entry without an address, such as `unknown` and `_hidden`. */
const hopAddress = (hop: string): string | undefined => {
  const text = hop
    .trim()
    .replace(/^"([^"]*)"$/, '$1')
    .trim()
  const [, bracketed, plain] = HOP.exec(text) ?? []
  const address = unmapped(bracketed ?? plain ?? text)
  return isIP(address) === 0 ? undefined : address
}

/** An IPv4 client on a dual-stack socket looks like `::ffff:192.0.2.1`. */
const unmapped = (address: string): string => {
  if (!/^[\da-f:.]*:ffff:/i.test(address) || isIP(address) !== 6) return address
  return ipaddr.process(address).toString()
}

/** Key of the rate limits: the address, or for IPv6 its /64, the usual allocation of one customer. */
export const limiterKey = (address: string): string =>
  isIPv6(address) ? `${expandIPv6(address).slice(0, 4).join(':')}::/64` : address

const expandIPv6 = (address: string): string[] => {
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}
