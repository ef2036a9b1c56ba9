import { BlockList, isIP, isIPv6 } from 'node:net'

/** Returns a client's address from its socket or, behind a trusted proxy, from X-Forwarded-For. */
export type ClientAddress = (socketAddress: string, forwardedFor: string | null) => string

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

/**
 * X-Forwarded-For counts only when the socket address is in `trustedProxies` (CIDR). The client is the
 * last address of the header that is not a trusted proxy.
 */
export const clientAddress = (trustedProxies: string[]): ClientAddress => {
  const isTrusted = addressCheck(trustedProxies)
  return (socketAddress, forwardedFor) => {
    let address = unmapped(socketAddress)
    const hops = forwardedFor?.split(',').map((hop) => unmapped(hop.trim())) ?? []
    while (isTrusted(address)) {
      const before = hops.pop()
      if (before === undefined || isIP(before) === 0) break
      address = before
    }
    return address
  }
}

/** An IPv4 client on a dual-stack socket looks like `::ffff:192.0.2.1`. */
const unmapped = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

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
