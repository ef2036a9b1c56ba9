import { type Machine, type McpClient, mcpClients } from '../../../shared/mcp-clients.ts'
import { BASE_URL } from '../../base.ts'
import type { AssistantChoice } from './assistant-search.ts'

/** The machine of this browser, with names instead of directories, which pages cannot read. */
const browserMachine = (): Machine => {
  const { userAgent } = navigator
  if (userAgent.includes('Windows'))
    return { platform: 'win32', home: '%USERPROFILE%', appData: '%APPDATA%', folder: '.' }
  const platform = userAgent.includes('Mac OS X') ? 'darwin' : 'linux'
  return { platform, home: '~', folder: '.' }
}

/** The settings file of a client for the user, as text. */
export const settingsFile = (client: McpClient): string => {
  const machine = browserMachine()
  return (client.file('user', machine) ?? []).join(machine.platform === 'win32' ? '\\' : '/')
}

export const clientOf = (name: AssistantChoice): McpClient | undefined =>
  Object.entries(mcpClients).find(([key]) => key === name)?.[1]

export const mcpUrl = (): string => `${BASE_URL}/api/mcp`

/** Services on the internet reach only public addresses with TLS. */
export const isPublicAddress = (): boolean =>
  location.protocol === 'https:' && !/^(localhost|[\d.]+|\[.*\])$|\.local$/.test(location.hostname)
