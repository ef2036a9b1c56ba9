import type { Interface } from 'node:readline'

export type Variables = Readonly<Record<string, string | undefined>>

/** Stdout or stderr: a terminal, a pipe or a file. */
export interface OutputStream extends NodeJS.WritableStream {
  isTTY?: boolean
  /** The size of the terminal, in characters. */
  columns?: number
  rows?: number
}

/** The keys that a user types at a terminal. */
export interface KeyStream extends NodeJS.ReadableStream {
  setRawMode(isRaw: boolean): unknown
}

/** Stdin: a terminal, a pipe or a file. */
export interface InputStream {
  readonly isTTY: boolean
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  readonly keys: KeyStream
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number): Promise<void>
}

/**
 * The process that svc runs in. Commands use it in place of the globals, so that a program can run several
 * of them at once, each with its own input, output, variables and folder.
 */
export interface Runtime {
  readonly env: Variables
  /** The current folder, in which relative paths begin. */
  readonly folder: string
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly clock: Clock
  /** Ends svc at once. It is called in handlers, after which nothing runs. */
  exit(code: number): void
  /** Calls a handler when svc ends, until the returned object is disposed. */
  onExit(handler: () => void): Disposable
  /** Handles Ctrl-C and the signals that end a process in place of the previous handler, until it is disposed. */
  onInterrupt(handler: () => void): Disposable
  /** Does the same as Ctrl-C. */
  interrupt(): void
  /**
   * Runs a program at the terminal of svc, such as an editor.
   * @param input its stdin; default: that of svc.
   * @returns its exit code. @throws if it cannot be started.
   */
  run(command: string[], input?: string): Promise<number>
  /** Starts a program that outlives svc, such as a browser. */
  launch(command: string[]): void
}

/** The handlers of Ctrl-C. The latest one is called. */
export const createInterrupts = (): Pick<Runtime, 'onInterrupt' | 'interrupt'> => {
  const handlers: (() => void)[] = []
  return {
    onInterrupt(handler) {
      handlers.push(handler)
      return {
        [Symbol.dispose]: () => {
          handlers.splice(handlers.lastIndexOf(handler), 1)
        },
      }
    },
    interrupt: () => handlers.at(-1)?.(),
  }
}

/** Ignores errors. @param place the variables and the current folder of the program. */
export const launchProgram = (
  [command = '', ...args]: string[],
  { env, folder }: Pick<Runtime, 'env' | 'folder'>,
): void => {
  void import('node:child_process').then(({ spawn }) =>
    spawn(command, args, { stdio: 'ignore', detached: true, env: { ...env }, cwd: folder })
      .on('error', () => {})
      .unref(),
  )
}

/** In raw mode readline receives Ctrl-C, not the process. */
export const passInterrupts = (readline: Pick<Interface, 'once'>, runtime: Runtime): void => {
  readline.once('SIGINT', () => {
    runtime.stderr.write('\n')
    runtime.interrupt()
  })
}
