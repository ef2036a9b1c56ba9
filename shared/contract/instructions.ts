import { MessageResponse } from '../schemas/common.ts'
import { Instructions } from '../schemas/instructions.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Profile'

export const getInstructions = endpoint({
  name: 'getInstructions',
  method: 'GET',
  path: '/api/auth/instructions',
  tag,
  summary: 'Get the caller’s custom instructions',
  credential: 'bearer',
  success: [200, Instructions],
})

export const setInstructions = endpoint({
  name: 'setInstructions',
  method: 'PUT',
  path: '/api/auth/instructions',
  tag,
  summary: 'Replace the custom instructions',
  credential: 'bearer',
  body: Instructions,
  success: [200, MessageResponse],
  errors: { 400: ['instructions_too_long'] },
})
