import { pythonResult } from './python.ts'
import { type Reply, startScripted } from './scripted-server.ts'

export const CHAT = 'svc.conversations.chat(message="Hello")'
export const ME = { id: 'a', email: 'ada@example.com' }

/** Makes a call of the Python client to a server with these replies. @returns its outcome and the requests. */
export const call = async (expression: string, replies: Reply[], options: object = {}) => {
  await using server = await startScripted(...replies)
  const outcome = await pythonResult('faults.py', {
    args: [expression, JSON.stringify({ base_url: server.url, api_key: 'svc_key', ...options })],
  })
  return { ...outcome, received: server.received, connections: server.connections }
}
