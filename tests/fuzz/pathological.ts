import fc from 'fast-check'

/** Units of one to six characters that parsers handle badly when they are repeated. */
const UNITS = [
  ...[
    '_a',
    '<!--',
    '2024-01-01T',
    '](',
    '((((',
    '{"a":',
    '\\u0000',
    'a@',
    'a.',
    '.-',
    '/',
    '-',
    '%',
  ],
  ...[
    '"',
    "'",
    '“',
    '1',
    '9,',
    '1e',
    '<',
    '<a ',
    '</p>',
    '&amp;',
    '[',
    '{',
    '[[',
    '![',
    '](a)',
    '**a',
  ],
  ...[
    '`',
    '# ',
    '> ',
    '- ',
    '|a',
    '{{',
    '{{#a',
    '}}',
    '*/5 ',
    '* * ',
    '.a[',
    '..',
    '**/',
    '{a,b',
    '(a+)+',
  ],
  ...[
    '(?:',
    '[^]',
    '\\',
    '\\"',
    '$',
    '^',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\n\n',
    ' \n',
    ':',
    '::',
    '=',
    '+1 ',
  ],
  ...[
    'e\u0301',
    '\u0301',
    '\u202e',
    '\u200b',
    '\u200d',
    '👩‍👩‍👧',
    '\ufe0f',
    '\ufdfa',
    '漢',
    '漢a',
    'ก',
    'สวัสดี',
  ],
  ...[
    'ا',
    'İ',
    'ß',
    'a ',
    'A',
    'aB',
    'a-',
    "a'",
    'é',
    'http:/',
    'a@b.c ',
    '+',
    '~',
    ';',
    '?',
    '!',
    'x=1&',
  ],
  ...[
    'I am ',
    'my ',
    'at 5 ',
    'or ',
    'to ',
    'May 1 ',
    '1/2/3 ',
    '12:30',
    '$5 ',
    '5 days',
    'Ada B ',
  ],
]

/** How a unit becomes a text. */
const SHAPES: Record<string, (unit: string, length: number) => string> = {
  repeated: (unit, length) => unit.repeat(Math.ceil(length / unit.length)),
  'repeated after a word': (unit, length) => `word ${unit.repeat(Math.ceil(length / unit.length))}`,
  'repeated in words': (unit, length) => {
    const word = unit.repeat(Math.ceil(40 / unit.length))
    return `${word} `.repeat(Math.ceil(length / (word.length + 1)))
  },
  'repeated in lines': (unit, length) => {
    const line = unit.repeat(Math.ceil(2_000 / unit.length))
    return `${line}\n`.repeat(Math.ceil(length / (line.length + 1)))
  },
}

export interface Pathological {
  name: string
  /** A text of a length in UTF-16 code units. Texts with different tails differ. */
  of(length: number, tail?: string): string
}

export const textFrom = (unit: string, shape: string): Pathological => ({
  name: `${JSON.stringify(unit)} ${shape}`,
  of(length, tail = 'x') {
    if (length <= 2 * tail.length) return 'x'.repeat(length)
    const text = (SHAPES[shape]?.(unit, length) ?? '').slice(0, length - tail.length - 1)
    // A started match fails at the end, after a space or in the same word.
    const end = unit.length % 2 ? `${tail}x` : ` ${tail}`
    return text.replace(/[\ud800-\udbff]$/, 'x') + end
  },
})

const nested = (open: string, close: string): Pathological => ({
  name: `${JSON.stringify(open)} nested`,
  of(length, tail = 'x') {
    const levels = Math.floor((length - tail.length) / (open.length + close.length))
    if (levels < 1) return 'x'.repeat(length)
    return open.repeat(levels) + tail + close.repeat(levels)
  },
})

const NESTED = [
  nested('(', ')'),
  nested('[{', '}]'),
  nested('<b>', '</b>'),
  nested('<div><p>', '</p></div>'),
  nested('> - ', ' '),
  nested('{"a":[', ']}'),
  nested('{{#if a}}', '{{/if}}'),
  nested('“‘', '’”'),
]

const CHARACTERS = [...'aA1_-./:@%&<>()[]{}"\'`*#|\\,;!?=+~^$ \n\t\u0301\u200b\u202eกา漢ا']

/** Units of one to six characters that resemble no known one. */
const drawUnits = (seed: number, count: number): string[] =>
  fc.sample(
    fc
      .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 6 })
      .map((all) => all.join('')),
    { seed, numRuns: count },
  )

/**
 * Each known unit in each shape, the nested texts, and `drawn` units from `seed`, in an order that depends
 * on the seed, so that the first of them are a sample.
 */
export const pathologicalTexts = (seed: number, drawn: number): Pathological[] => {
  const known = Object.keys(SHAPES).flatMap((shape) => UNITS.map((unit) => textFrom(unit, shape)))
  const shapes = Object.keys(SHAPES)
  const others = drawUnits(seed, drawn).map((unit, i) =>
    textFrom(unit, shapes[i % shapes.length] ?? ''),
  )
  const all = [...known, ...NESTED, ...others]
  const [order = []] = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), {
    seed,
    numRuns: 1,
  })
  return order
}
