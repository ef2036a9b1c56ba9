import { recallTool } from './recall.ts'
import { rememberTool } from './remember.ts'
import { talkTool } from './talk.ts'
import type { Tool } from './tool.ts'

/** In the order that clients list them. */
export const tools: readonly Tool[] = [recallTool, rememberTool, talkTool]
