import { join } from 'node:path'
import { inSystemTerminal, inTerminal, type Machine, readUntil } from './svc.ts'

export interface Step {
  /** The arguments of `svc`. Words that earlier steps keep are replaced by their values. */
  typed: string[]
  stdin?: string
  /** Input at a terminal, sent when the pattern is shown. */
  does?: [sees: RegExp, types: string][]
  /** Approves the sign-in in another browser. */
  approves?: boolean
  /** Shown at a terminal of 40 columns too, where its layout is another one. It changes nothing. */
  narrow?: boolean
  /** Stores the first group of the pattern. */
  keeps?: [name: string, pattern: RegExp]
}

export const ID = /([0-9a-f]{8}-[0-9a-f-]{27})/

type Replacements = readonly (readonly [from: string | RegExp, to: string])[]

/** Replaces values that differ between runs. */
const masked = (text: string, machine: Machine, replaced: Replacements): string =>
  [
    [machine.env.HOME ?? '', '~'],
    ...replaced,
    [join(import.meta.dir, '../../svc'), '/path/to/svc'],
    [/\bsvc_\w{20,}/g, 'svc_KEY'],
    [/\bsvc_\w{4}\b/g, 'PREFIX  '],
    // The length of a short id depends on the others.
    [/^(?![0-9a-f-]{36} )[0-9a-f]{8}[0-9a-f-]* +/gm, 'SHORT-ID  '],
    [/^ID {2,20}(?=\S)/gm, 'ID        '],
    [/^ID {2,16}(?=\S)/gm, 'ID        '],
    [/^[0-9a-f]{8}[0-9a-f-]{0,10} +(?=\S)/gm, '00000000  '],
    [
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '00000000-0000-0000-0000-000000000000',
    ],
    [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-31T09:30:00.000Z'],
    [/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, '2026-01-31T09:30Z'],
    [/\d{4}-\d\d-\d\d(?!T)/g, '2026-01-31'],
    [/\d{8}T\d{6}Z/g, '20260131T093000Z'],
    // Digits follow a username that is taken, as by another transcript.
    [/\bdora-\d{6,14}\b/g, 'dora'],
    [/\d+ ms/g, '1 ms'],
    [/(?<=^(?:next|signing) .*)[\w-]{20,42}…/gm, 'KID…'],
    [/score(":)? [\d.]+/g, 'score$1 1.5'],
    [/(?<=Code {3}|user_code=)[A-Z0-9-]+/g, 'USER-CODE'],
    [/svc on [\w.-]+…?/g, 'svc on machine'],
    [/user-[0-9a-f-]+…?/g, 'ada'],
    [/http:\/\/[\d.]+:?\d*…/g, 'http://…'],
    [/(?:ok {4}part .*\n)+/g, 'ok    part         …\n'],
    [/(?: {4}\{\n {6}"name": "part",[^}]*\},\n)+/g, '    …\n'],
  ].reduce<string>((shown, [what, by]) => shown.replaceAll(what as string, by as string), text)

/** Makes escape sequences visible and removes transient status lines. */
const visible = (text: string): string =>
  text
    .replace(/\r\x1b\[K[^\r\n]*(?=\r\x1b\[K)/g, '')
    .replaceAll('\r\x1b[K', '')
    .replace(/\x1b\[\d*[GJ]/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '')
    .replaceAll('\x1b', '␛')

export interface Ended {
  out: string
  shown: string
  code: number
}

/** Approves a device login by its user code. */
type Approve = (userCode: string) => Promise<unknown>

export type Run = (machine: Machine, step: Step, args: string[], approve: Approve) => Promise<Ended>

/** `svc mcp run` reads the stdin of its process. */
const isServer = ([noun, verb]: string[]): boolean => noun === 'mcp' && verb === 'run'

const USER_CODE = /Code {3}(\S+)/

export const piped: Run = async (machine, { stdin = '', approves }, args, approve) => {
  const decided = Promise.withResolvers<void>()
  const clock = { now: Date.now, sleep: () => decided.promise }
  const running = isServer(args)
    ? undefined
    : machine.start(args, { stdin, ...(approves && { clock }) })
  if (running && approves)
    await approve((await readUntil(running.stderr.getReader(), USER_CODE))[1] ?? '')
  decided.resolve()
  const { code, stdout, stderr } = await (running?.ended ?? machine.run(args, { stdin }))
  return { out: stdout + stderr, shown: `${stdout}-- stderr\n${stderr}`, code }
}

export const withJson: Run = (machine, step, args, approve) =>
  piped(machine, step, [...args, '--json'], approve)

const typedAt =
  (columns: number): Run =>
  async (machine, { does = [], approves }, args, approve) => {
    const terminal = (isServer(args) ? inSystemTerminal : inTerminal)(machine, args, {}, columns)
    if (approves) await approve((await terminal.sees(USER_CODE))[1] ?? '')
    for (const [pattern, keys] of does) {
      await terminal.sees(pattern)
      terminal.type(keys)
    }
    const code = await terminal.child.exited
    return { out: terminal.seen(), shown: visible(terminal.seen()), code }
  }

export const atTerminal = typedAt(80)

const atNarrowTerminal = typedAt(40)

interface Recording {
  machine: Machine
  run: Run
  approve?: Approve
  /** Values that words of the steps stand for; steps add to them. */
  kept?: Record<string, string>
  /** Values that differ between runs, beside those that every transcript has. */
  replaced: Replacements
}

const noSignIn: Approve = () => Promise.reject(new Error('the transcript has no sign-in'))

/** Runs steps in order. @returns their commands and outputs. */
export const recordTranscript = async (
  steps: readonly Step[],
  { machine, run, approve = noSignIn, kept = {}, replaced }: Recording,
): Promise<string> => {
  const parts: string[] = []
  for (const step of steps) {
    const args = step.typed.map((word) => kept[word] ?? word)
    const name = step.typed.join(' ')
    const add = ({ shown, code }: Ended, title: string) =>
      parts.push(`$ svc ${title}\n${masked(shown, machine, replaced)}-- exit ${code}\n`)
    const ended = await run(machine, step, args, approve)
    const { out } = ended
    add(ended, name)
    if (run === atTerminal && step.narrow)
      add(await atNarrowTerminal(machine, step, args, approve), `${name}   (40 columns)`)
    if (step.keeps) kept[step.keeps[0]] = step.keeps[1].exec(out)?.[1] ?? ''
  }
  return parts.join('\n')
}
