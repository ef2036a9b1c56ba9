/** Texts that slow down, confuse or break code that parses text, each cut to a length. */
const UNITS: Record<string, string> = {
  'opening brackets': '(',
  'nested brackets': '[({<',
  'URL of underscores': 'http://____________________________________________________________',
  'many URLs': 'http://a.b/( ',
  spaces: ' ',
  'lines of spaces': '          \n',
  'empty lines': '\n',
  digits: '1',
  dates: '1/2/3 4:5 on 6.7.2026 ',
  'relative dates': 'next friday at 5 in 3 days ',
  'at signs': 'a@',
  'dotted words': 'a.a.a.',
  'combining marks': 'e\u0301\u0302\u0303',
  'ligatures that grow': '\ufdfa',
  quotes: '"',
  'opening quotes': '“„«',
  apostrophes: "'a ",
  'code fences': '```\n',
  'code fences and text': '``` a\nb\n',
  backslashes: '\\"',
  'Han characters': '漢字仮名交じり文',
  'Thai letters': 'สวัสดีชาวโลก',
  'tags that do not close': '<a <b ',
  'closing marks': '.,;:!?',
  commas: ', and ',
  'task and colon': 'translate write read: ',
  names: 'My sister Ada Bell Cole Dorn ',
  statements: 'I live in Berlin and I work at Acme. ',
  reminders: 'Remind me to call Ada every day at 5. ',
  'German reminders': 'kannst du mich bitte an , erinnern ',
  'right-to-left marks': '\u202e\u2066',
  emoji: '👩‍👩‍👧‍👦',
  'percent signs': '%',
  templates: '{{a}}{{',
}

/** Text at the end that makes a started match fail there. */
const END = 'x'

export const TEXTS = Object.keys(UNITS)

export const textOf = (name: string, length: number): string => {
  const unit = UNITS[name] ?? ''
  if (length < 2) return END.repeat(length)
  const repeated = unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1)
  return repeated.replace(/[\ud800-\udbff]$/, 'x') + END
}
