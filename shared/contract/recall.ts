import { Recall, RecallResult } from '../schemas/recall.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Memory'

export const recall = endpoint({
  name: 'recall',
  method: 'POST',
  path: '/api/recall',
  tag,
  summary: 'Find the memories that best answer a question, best first',
  credential: 'bearer',
  body: Recall,
  success: [200, RecallResult],
})
