import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** In the public range, but inside Azure it serves instance secrets. */
const AZURE_HOST = '168.63.129.16'

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to the public internet: not private, loopback, link-local, shared
 * (RFC 6598), multicast, reserved or for documentation (IANA special-purpose registries). For IPv6 only
 * global unicast addresses without an embedded IPv4 address qualify (no mapped, compatible, NAT64, 6to4
 * or Teredo addresses).
 */
export const isPublicAddress = (address: string): boolean => {
  // ipaddr.js also accepts zone identifiers and the numeric forms of inet_aton.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv6' ? parsed.match(GLOBAL_UNICAST) : address !== AZURE_HOST
}
