import { PassThrough, Writable } from 'node:stream'
import { main } from '../../cli/run.ts'
import {
  createInterrupts,
  type InputStream,
  launchProgram,
  type OutputStream,
  type Runtime,
} from '../../cli/runtime.ts'

/** svc that runs in this process. */
export interface Running {
  /** The exit code. */
  exited: Promise<number>
  /** Ends it as a signal does. */
  kill(signal?: NodeJS.Signals): void
}

interface Options {
  args: readonly string[]
  env: Record<string, string>
  folder: string
  stdin: InputStream
  stdout: OutputStream
  stderr: OutputStream
  clock?: Runtime['clock']
}

type Place = Omit<Options, 'args'>

/** Runs svc in this process, with its own input, output, variables and folder. */
export const startInProcess = ({ args, ...options }: Options): Running => {
  const { onInterrupt, interrupt } = createInterrupts()
  const ended = Promise.withResolvers<number>()
  const atExit = new Set<() => void>()
  const end = (code: number) => {
    for (const handler of atExit) handler()
    atExit.clear()
    ended.resolve(code)
    options.stdout.end()
    options.stderr.end()
  }
  const runtime: Runtime = {
    clock: { now: Date.now, sleep: Bun.sleep },
    ...options,
    exit: end,
    onExit(handler) {
      atExit.add(handler)
      return { [Symbol.dispose]: () => void atExit.delete(handler) }
    },
    onInterrupt,
    interrupt,
    run: (command, input) => runProgram(command, input, options),
    launch: (command) => launchProgram(command, options),
  }
  const run = async () => {
    const code = await main(args, runtime)
    // As a process, it exits after the events of its last output, such as an error.
    await new Promise(setImmediate)
    end(code)
  }
  run().catch(ended.reject)
  return { exited: ended.promise, kill: () => runtime.interrupt() }
}

/** Runs a program whose output goes to the streams of svc. */
const runProgram = async (command: string[], input: string | undefined, place: Place) => {
  const child = Bun.spawn(command, {
    env: place.env,
    cwd: place.folder,
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: input === undefined ? 'ignore' : new Blob([input]),
  })
  const copy = async (from: ReadableStream<Uint8Array>, to: OutputStream) => {
    for await (const part of from) to.write(part)
  }
  await Promise.all([copy(child.stdout, place.stdout), copy(child.stderr, place.stderr)])
  return child.exited
}

/** A stdin with a fixed content. */
export const pipedInput = (content: string | Uint8Array = ''): InputStream => {
  const blob = new Blob([content])
  return {
    isTTY: false,
    bytes: () => blob.bytes(),
    stream: () => blob.stream(),
    keys: Object.assign(new PassThrough().end(content), { setRawMode: () => {} }),
  }
}

/** A stdin that stays open until `end`. */
export const openInput = () => {
  const { readable, writable } = new TransformStream<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >()
  const input: InputStream = {
    isTTY: false,
    bytes: async () => new Uint8Array(await new Response(readable).arrayBuffer()),
    stream: () => readable,
    keys: Object.assign(new PassThrough(), { setRawMode: () => {} }),
  }
  return { input, end: () => writable.close() }
}

/** An output that is collected, and that can be read meanwhile. */
export const pipedOutput = () => {
  const parts: Buffer[] = []
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, {
    highWaterMark: Number.POSITIVE_INFINITY,
  })
  const writer = writable.getWriter()
  const stream: OutputStream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      parts.push(chunk)
      void writer.write(chunk)
      done()
    },
    final(done) {
      void writer.close()
      done()
    },
  })
  // The output after the end has no reader, as after the exit of a process.
  stream.on('error', () => {})
  return {
    stream,
    readable,
    bytes: () => Buffer.concat(parts),
    text: () => Buffer.concat(parts).toString(),
  }
}

const CTRL_C = '\x03'
const CTRL_D = '\x04'

/** The streams of a terminal. As a terminal does, it handles Ctrl-C and Ctrl-D unless a program reads keys. */
export const createTerminal = (
  size: { columns: number; rows: number },
  onOutput: (text: string) => void,
) => {
  let isRaw = false
  const keys = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (wanted: boolean) => {
      isRaw = wanted
    },
  })
  const output = (): OutputStream => {
    const decoder = new TextDecoder()
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        onOutput(decoder.decode(chunk, { stream: true }).replaceAll('\n', '\r\n'))
        done()
      },
    })
    stream.on('error', () => {})
    return Object.assign(stream, { isTTY: true, ...size })
  }
  const stdin: InputStream = {
    isTTY: true,
    bytes: async () => Buffer.concat(await keys.toArray()),
    // No test reads a stream at a terminal.
    stream: () => new Blob().stream(),
    keys,
  }
  return {
    stdin,
    stdout: output(),
    stderr: output(),
    /** Sends keys. @param interrupt does what Ctrl-C does to a program that does not read keys. */
    type(text: string, interrupt: () => void) {
      if (isRaw) keys.write(text)
      else if (text === CTRL_C) interrupt()
      else if (text === CTRL_D) keys.end()
      else keys.write(text)
    },
  }
}
