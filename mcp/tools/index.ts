import { forgetTool } from './forget.ts'
import { getTool } from './get.ts'
import { listTool } from './list.ts'
import { recallTool } from './recall.ts'
import { rememberTool } from './remember.ts'
import { rememberBatchTool } from './remember-batch.ts'
import { restoreTool } from './restore.ts'
import { reviewTool } from './review.ts'
import { statusTool } from './status.ts'
import { talkTool } from './talk.ts'
import type { Tool } from './tool.ts'
import { updateTool } from './update.ts'

/** In the order that clients list them. */
export const tools: readonly Tool[] = [
  recallTool,
  rememberTool,
  rememberBatchTool,
  updateTool,
  forgetTool,
  restoreTool,
  listTool,
  getTool,
  talkTool,
  statusTool,
]

/** Tools that no model sees: the page of a recall calls them. */
export const appTools: readonly Tool[] = [reviewTool]
