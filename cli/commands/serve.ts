import { serve } from '../../server/main.ts'
import { commandName, isExecutable, startCommand } from '../executable.ts'
import { currentEnvironment, releaseSignals, startedAs } from '../process.ts'

export interface ServeArgs {
  port?: number
  host?: string
  dataDir?: string
}

/** Runs the server, which reads its own variables and handles signals itself. Options override variables. */
export const runServe = ({ port, host, dataDir }: ServeArgs = {}): Promise<void> => {
  releaseSignals()
  return serve(isExecutable() ? startedAs() : commandName(currentEnvironment()), {
    own: [...startCommand(), 'serve'],
    settings: {
      ...(port !== undefined && { SVC_PORT: `${port}` }),
      ...(host !== undefined && { SVC_HOST: host }),
      ...(dataDir !== undefined && { SVC_DATA_DIR: dataDir }),
    },
  })
}
