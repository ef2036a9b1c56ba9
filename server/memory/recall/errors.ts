import { defineErrors } from '../../platform/http/error.ts'

export const recallError = defineErrors({
  agent_slug_missing: {
    status: 422,
    detail: [{ loc: ['body', 'agent_slug'], type: 'missing', msg: 'Field required' }],
  },
})
