import fc from 'fast-check'

/** How a text of settings is written. */
interface Style {
  unit: string
  eol: string
  comma: boolean
  comments: boolean
  mark: string
  end: string
  /** Everything in one line. */
  flat: boolean
}

const style: fc.Arbitrary<Style> = fc.record({
  unit: fc.constantFrom('  ', '    ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  comma: fc.boolean(),
  comments: fc.boolean(),
  mark: fc.constantFrom('', '\uFEFF'),
  end: fc.constantFrom('', '\n', '\n\n'),
  flat: fc.boolean(),
})

const print = (value: unknown, style: Style, outer = ''): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const items = Array.isArray(value)
    ? value.map((each) => print(each, style, outer + style.unit))
    : Object.entries(value).map(
        ([key, each]) => `${JSON.stringify(key)}: ${print(each, style, outer + style.unit)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (style.flat)
    return `${open}${items.join(', ')}${style.comma && items.length ? ',' : ''}${close}`
  if (!items.length)
    return style.comments ? `${open}${style.eol}${outer}${close}` : `${open}${close}`
  const lines = items.map((item, i) => {
    const comma = i < items.length - 1 || style.comma ? ',' : ''
    return `${outer}${style.unit}${item}${comma}${style.comments ? ` // ${i}, "x" {` : ''}`
  })
  const last = style.comments ? `${style.eol}${outer}${style.unit}/* end, */` : ''
  return `${open}${style.eol}${lines.join(style.eol)}${last}${style.eol}${outer}${close}`
}

const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.string(), fc.constant(null))
const key = fc.string({ minLength: 1 }).filter((text) => !/^(?:svc|__proto__|version)$/.test(text))
const settings = fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), {
  maxKeys: 3,
  noNullPrototype: true,
})
const command = fc.record({ type: fc.constant('command'), command: fc.string() })
const servers = fc.dictionary(key, settings, { maxKeys: 2, noNullPrototype: true })

/** Settings in JSON with comments that other programs and the user wrote. @param events with hooks. */
export const foreignJson = (
  table: string,
  events: readonly string[],
  isGrouped: boolean,
): fc.Arbitrary<string> => {
  const entry: fc.Arbitrary<object> = isGrouped
    ? fc.record({ hooks: fc.array(command, { maxLength: 2 }) })
    : command
  const hooks = fc.record(
    Object.fromEntries(events.map((event) => [event, fc.array(entry, { maxLength: 2 })])),
    { requiredKeys: [], noNullPrototype: true },
  )
  const tables = fc.record({ [table]: servers, hooks }, { requiredKeys: [], noNullPrototype: true })
  const written = fc.tuple(settings, tables, settings, style).map(([before, inner, after, how]) => {
    const text = print({ ...before, ...inner, ...after }, how)
    return `${how.mark}${how.comments ? `// mine${how.eol}` : ''}${text}${how.end}`
  })
  return fc.oneof({ weight: 9, arbitrary: written }, fc.constantFrom('', '\n', ' ', '\uFEFF'))
}

const tomlSection = fc.constantFrom(
  '# a comment',
  '',
  '[mcp_servers.other]\ncommand = "other" # keep',
  '[mcp_servers.other.env]\nA = "[mcp_servers.svc]"',
  '[profiles.fast]\neffort = 1.0\n# the end of fast',
  '[[tasks]]\nargs = [\n  "a", # one\n]',
  '[mcp_servers.svcs]\ncommand = "another"',
  '[history]\ntext = """\n[x]\n"""',
)

/** Settings in TOML that other programs and the user wrote. */
export const foreignToml: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', 'model = "x"\n', '# mine\n\nmodel = "x" # m\n'),
    fc.uniqueArray(tomlSection, { maxLength: 6 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n', '\n\n'),
  )
  .map(([start, sections, eol, end]) =>
    `${start}${sections.join('\n')}${end}`.replaceAll('\n', eol),
  )
