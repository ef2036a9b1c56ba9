import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse } from './common.ts'
import { endpoint } from './endpoint.ts'

export const Instructions = Type.Object({
  instructions: Type.String({
    trim: true,
    examples: ['Answer briefly.'],
    description: 'Fewer than 2,000 characters after trimming; empty if not set.',
  }),
})
export type Instructions = Static<typeof Instructions>

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
  isIdempotent: true,
  success: [200, MessageResponse],
  affects: ['getInstructions'],
  errors: { 400: ['instructions_too_long'] },
})
