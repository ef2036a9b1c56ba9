import { inTerminal, type Machine } from './svc.ts'

export interface Step {
  /** The arguments of `svc`. Words that earlier steps keep are replaced by their values. */
  typed: string[]
  stdin?: string
  /** Input at a terminal, sent when the pattern is shown. */
  does?: [sees: RegExp, types: string][]
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
    [process.execPath, 'bun'],
    [/\/\S*\/cli\/main\.ts/g, 'cli/main.ts'],
    [/\bsvc_\w{20,}/g, 'svc_KEY'],
    [/\bsvc_\w{4}\b/g, 'PREFIX  '],
    [
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '00000000-0000-0000-0000-000000000000',
    ],
    [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-31T09:30:00.000Z'],
    [/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, '2026-01-31T09:30Z'],
    [/\d{4}-\d\d-\d\d(?!T)/g, '2026-01-31'],
    [/\d{8}T\d{6}Z/g, '20260131T093000Z'],
    [/\d+ ms/g, '1 ms'],
    [/score [\d.]+/g, 'score 1.5'],
    [/(?<=Code {3}|user_code=)[A-Z0-9-]+/g, 'USER-CODE'],
    [/svc on \S+/g, 'svc on machine'],
    [/(?:ok {4}part .*\n)+/g, 'ok    part         …\n'],
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

export const piped = async (
  machine: Machine,
  { stdin = '' }: Step,
  args: string[],
): Promise<Ended> => {
  const { stdout, stderr, code } = await machine.svc(args, { stdin })
  return { out: stdout + stderr, shown: `${stdout}-- stderr\n${stderr}`, code }
}

export const typedAt =
  (columns: number) =>
  async (machine: Machine, { does = [] }: Step, args: string[]): Promise<Ended> => {
    const terminal = inTerminal(machine, args, {}, columns)
    for (const [pattern, keys] of does) {
      await terminal.sees(pattern)
      terminal.type(keys)
    }
    const code = await terminal.child.exited
    return { out: terminal.seen(), shown: visible(terminal.seen()), code }
  }

interface Recording {
  machine: Machine
  run: typeof piped
  /** Values that words of the steps stand for; steps add to them. */
  kept?: Record<string, string>
  /** Values that differ between runs, beside those that every transcript has. */
  replaced: Replacements
}

/** A transcript to which steps are added. */
export const createTranscript = ({ machine, run, kept = {}, replaced }: Recording) => {
  const parts: string[] = []
  const note = (words: string[], { shown, code }: Ended) =>
    void parts.push(
      `$ svc ${words.join(' ')}\n${masked(shown, machine, replaced)}-- exit ${code}\n`,
    )
  return {
    note,
    async walk(steps: readonly Step[]) {
      for (const step of steps) {
        const args = step.typed.map((word) => kept[word] ?? word)
        const output = await run(machine, step, args)
        note(step.typed, output)
        if (step.keeps) kept[step.keeps[0]] = step.keeps[1].exec(output.out)?.[1] ?? ''
      }
    },
    text: () => parts.join('\n'),
  }
}
