import { isIP } from 'node:net'
import { version } from '../../package.json'
import { DESCRIPTION, json, TITLE } from './mcp-bundle.ts'

/**
 * The entry of a public server in the MCP registry (`server.json`, schema of 2025-12-11). Its name is in the
 * namespace of its domain, which the registry checks.
 * @throws Error for an address that the registry refuses.
 */
export const registryEntry = (text: string): string => {
  const { hostname, origin, protocol } = new URL(text)
  if (protocol !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, '')) || !hostname.includes('.'))
    throw new Error('--url must be an https address with a domain name')
  return json({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${hostname.split('.').reverse().join('.')}/svc`,
    title: TITLE,
    description: DESCRIPTION,
    version,
    websiteUrl: origin,
    icons: [{ src: `${origin}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [{ type: 'streamable-http', url: `${origin}/api/mcp` }],
  })
}
