import { CliError, usageError } from './errors.ts'
import { type FieldSelection, type JsonFormat, oneLine, stripControls } from './output.ts'

/**
 * The format of `--jq` or `--template`. It is checked before the command runs.
 * @throws CliError if it is invalid.
 */
export const loadFormat = async ({
  jq,
  template,
}: {
  jq?: string
  template?: string
}): Promise<JsonFormat | undefined> => {
  if (jq !== undefined) return loadJqFormat(jq)
  return template === undefined ? undefined : loadTemplate(template)
}

const SEE_ALL = 'To see the whole value, use --json.'

/** The exit code of jq for an expression that is not valid. */
const JQ_COMPILE_ERROR = 3

/** Texts are printed without quotes, as by `jq -r`. */
const loadJqFormat = async (expression: string): Promise<JsonFormat> => {
  const { loadJq } = await import('jq-wasm/inline')
  const jq = await loadJq()
  const run = (json: string) => jq.raw(json, expression, ['-r'])
  // Without input the expression is compiled only.
  const { exitCode, stderr } = run('')
  if (exitCode === JQ_COMPILE_ERROR)
    throw usageError(
      `--jq is not a valid expression: ${reasonOf(stderr)}`,
      "Quote it for the shell: --jq '.memories[].content_text'",
    )
  return (values) => {
    const result = run(values.map((value) => JSON.stringify(value)).join('\n'))
    if (result.exitCode === 0) return printable(result.stdout)
    throw new CliError(`--jq failed: ${reasonOf(result.stderr)}`, SEE_ALL)
  }
}

/** The first error of jq, such as `jq: error: syntax error, unexpected end of file`. */
const reasonOf = (stderr: string): string =>
  oneLine(stderr.split('\n', 1)[0] ?? '').replace(/^jq: error(?: \(at [^)]*\))?: /, '')

const loadTemplate = async (text: string): Promise<JsonFormat> => {
  const { default: handlebars } = await import('handlebars')
  const engine = handlebars.create()
  engine.registerHelper('json', (value: unknown) => JSON.stringify(value))
  const source = text.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
  try {
    engine.parse(source)
  } catch (cause) {
    const [where = ''] = cause instanceof Error ? cause.message.split('\n', 1) : []
    throw usageError(
      `--template is not valid: ${oneLine(where)}`,
      "For example: --template '{{#each memories}}{{memory_id}}\\n{{/each}}'",
      cause,
    )
  }
  const render = engine.compile(source, { noEscape: true, strict: true })
  return (values) => {
    try {
      const texts = values.map((value) => printable(render(value)))
      return texts.filter((text) => text !== '').join('\n')
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : `${cause}`
      throw new CliError(`--template failed: ${oneLine(reason)}`, SEE_ALL, { cause })
    }
  }
}

/** Without control characters, and without the last line break. */
const printable = (text: string): string => stripControls(text).replace(/\n$/, '')

type Fields = Record<string, unknown>

export const selectFields = (names: readonly string[]): FieldSelection => ({
  check(known) {
    const unknown = names.find((name) => !known.includes(name))
    if (unknown !== undefined) throw unknownField(unknown, known)
  },

  select(value) {
    const own = isObject(value) ? Object.keys(value) : []
    if (isObject(value) && names.every((name) => own.includes(name))) return pick(value, names)
    const entries = entriesOf(value)
    const known = entries?.length ? fieldsOf(entries) : own
    const unknown = names.find((name) => !known.includes(name))
    if (entries && (entries.length === 0 || unknown === undefined))
      return entries.map((entry) => pick(entry, names))
    throw unknownField(unknown ?? '', known)
  },
})

const unknownField = (name: string, known: readonly string[]) =>
  usageError(
    `--json: there is no field ${oneLine(name)}.`,
    `Use some of: ${known.map(oneLine).join(', ')}`,
  )

/** The entries of a list: an array of objects, or an object that begins with one. */
const entriesOf = (value: unknown): Fields[] | undefined => {
  const list = isObject(value) ? Object.values(value)[0] : value
  return Array.isArray(list) && list.every(isObject) ? list : undefined
}

const fieldsOf = (objects: readonly Fields[]): string[] => [
  ...new Set(objects.flatMap((each) => Object.keys(each))),
]

const pick = (value: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, value[name] ?? null]))

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
