import { describe, expect, test } from 'bun:test'
import { isWithoutMemory, personText } from '../../shared/assistant-text.ts'

describe('the text of a person is what the client did not add', () => {
  const cases: Record<string, [message: string, text: string]> = {
    'a message without elements stays verbatim': ['  Use <b>bold</b>.\n', '  Use <b>bold</b>.\n'],
    'an element at the beginning is removed': [
      '<system-reminder>x</system-reminder>\nDeploy it.',
      'Deploy it.',
    ],
    'elements at the end are removed': [
      'Deploy it.\n<environment_details>x</environment_details>\n<svc-memory>\ny\n</svc-memory>',
      'Deploy it.',
    ],
    'an element around the words is removed': [
      '<user_info>x</user_info><user_query>\nDeploy it.\n</user_query>',
      'Deploy it.',
    ],
    'an element with a second word is removed': [
      '<permissions instructions>x</permissions instructions>',
      '',
    ],
    'a message that the client wrote is empty': ['<turn_aborted>x</turn_aborted>', ''],
    'a summary is empty': ['This session is being continued from a previous conversation …', ''],
    'an element that does not end stays': ['<skill>x', '<skill>x'],
    'white space is empty': [' \n ', ''],
  }
  for (const [name, [message, text]] of Object.entries(cases))
    test(name, () => expect(personText(message)).toBe(text))
})

test('only a prompt that begins with the word #nomem is without memory', () => {
  for (const text of ['#nomem', ' #nomem Deploy it.', '#NoMem: x'])
    expect(isWithoutMemory(text)).toBe(true)
  for (const text of ['#nomemory', '#nomem-x', '#nomem2', 'x #nomem', ''])
    expect(isWithoutMemory(text)).toBe(false)
})
