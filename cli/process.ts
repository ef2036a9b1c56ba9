import { processVariables } from './config.ts'
import { createInterrupts, launchProgram, type Runtime } from './runtime.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The process itself. Only this file and `main.ts` use its globals. */
export const processRuntime = (): Runtime => {
  const { onInterrupt, interrupt } = createInterrupts()
  for (const signal of SIGNALS) process.on(signal, interrupt)
  return {
    ...currentEnvironment(),
    stdin: {
      get isTTY() {
        return Boolean(process.stdin.isTTY)
      },
      bytes: () => Bun.stdin.bytes(),
      stream: () => Bun.stdin.stream(),
      get keys() {
        return process.stdin
      },
    },
    // The streams are opened on first use, because opening them slows down every start.
    get stdout() {
      return process.stdout
    },
    get stderr() {
      return process.stderr
    },
    clock: { now: Date.now, sleep: Bun.sleep },
    exit: (code) => process.exit(code),
    onExit(handler) {
      process.once('exit', handler)
      return { [Symbol.dispose]: () => process.off('exit', handler) }
    },
    onInterrupt,
    interrupt: () => process.kill(process.pid, 'SIGINT'),
    run: (command, input) =>
      Bun.spawn(command, {
        stdio: [input === undefined ? 'inherit' : new Blob([input]), 'inherit', 'inherit'],
      }).exited,
    launch: (command) => launchProgram(command, currentEnvironment()),
  }
}

/** Restores the default behaviour of the signals. */
export const releaseSignals = (): void => {
  for (const signal of SIGNALS) process.removeAllListeners(signal)
}

/** The variables and the current folder of the process. */
export const currentEnvironment = (): Pick<Runtime, 'env' | 'folder'> => ({
  env: processVariables(),
  folder: process.cwd(),
})

/** The name by which the executable was started. */
export const startedAs = (): string => process.argv0
