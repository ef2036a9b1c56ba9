import { type ClientName, mcpClients } from '../../../shared/mcp-clients.ts'
import { type AssistantName, isAssistantName } from '../../assistants/clients.ts'
import { commandLine } from '../../command-line.ts'
import type { Context } from '../../context.ts'
import { adviseSignIn } from '../mcp/install.ts'
import type { ConnectArgs } from './connect.ts'

/** Steps that only the user can do, and limits of the hooks. */
const notes: Partial<Record<AssistantName, string>> = {
  codex:
    'Codex runs new hooks after you trust them. Start codex, enter /hooks and trust those of svc.',
  cursor:
    'The hooks of Cursor add context at the start of a session only. Within it, the model asks svc by its tools.',
  vscode:
    'The hooks of VS Code add context at the start of a session only. Within it, the model asks svc by its tools.',
}

/** Assistants whose transcripts `svc import --from` reads. */
const importable: readonly ClientName[] = ['codex', 'claude-code', 'opencode', 'gemini-cli']

/** Says what is left to do after `svc connect`. */
export const advise = (
  context: Context,
  args: ConnectArgs & { client: ClientName },
  isNew: boolean,
): void => {
  const { io, environment } = context
  const { client, only } = args
  const { title } = mcpClients[client]
  const hasHooks = isAssistantName(client) && only !== 'mcp'
  const note = hasHooks ? notes[client] : undefined
  if (note) io.info(note)
  if (!isAssistantName(client))
    io.info(
      `${title} has no hooks that can run svc: it remembers when the model calls a tool of svc.`,
    )
  if (hasHooks && environment.platform === 'win32' && environment.explicitConfigDir)
    io.info(`Set SVC_CONFIG_DIR for ${title} too.`)
  if (!args.dryRun) adviseSignIn(context, {}, io)
  if (isNew && hasHooks && importable.includes(client))
    io.info(
      `To import the conversations that ${title} has kept, run: ${commandLine(context, ['import'], { from: client })}`,
    )
}
