import { Type } from '@sinclair/typebox'
import {
  AnswerDeviceLogin,
  DeviceAnswer,
  DeviceLogin,
  DeviceLoginResult,
  DeviceQuestion,
  PollDeviceLogin,
  StartDeviceLogin,
} from '../schemas/device.ts'
import { endpoint } from './endpoint.ts'

const tag = 'MCP login'

export const startDeviceLogin = endpoint({
  name: 'startDeviceLogin',
  method: 'POST',
  path: '/api/auth/mcp/start',
  tag,
  summary: 'Start a device login (RFC 8628): a code for the person, a secret for the client',
  credential: 'none',
  body: StartDeviceLogin,
  success: [200, DeviceLogin],
  errors: [429],
})

export const pollDeviceLogin = endpoint({
  name: 'pollDeviceLogin',
  method: 'POST',
  path: '/api/auth/mcp/poll',
  tag,
  summary: 'Ask whether the person has decided; the key is delivered exactly once',
  credential: 'none',
  body: PollDeviceLogin,
  success: [200, DeviceLoginResult],
  errors: [400, 409, 410],
})

export const deviceQuestion = endpoint({
  name: 'deviceQuestion',
  method: 'GET',
  path: '/api/auth/mcp/authorize',
  tag,
  summary: 'What is asking for access with this code',
  credential: 'jwt',
  query: Type.Object({ user_code: Type.String() }),
  success: [200, DeviceQuestion],
  errors: [403, 404, 429],
})

export const answerDeviceLogin = endpoint({
  name: 'answerDeviceLogin',
  method: 'POST',
  path: '/api/auth/mcp/authorize',
  tag,
  summary: 'Approve or deny a device login',
  credential: 'jwt',
  body: AnswerDeviceLogin,
  success: [200, DeviceAnswer],
  errors: [403, 404, 429],
})
