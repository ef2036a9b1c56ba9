import { expect, test } from 'bun:test'
import { createProgram } from '../../cli/parse/program.ts'
import { isNamed } from '../../cli/parse/synonyms.ts'

const nothing = async () => {}
const program = createProgram({ print: nothing, message: nothing }, nothing, nothing)

const find = (words: string) => {
  let command = program
  for (const word of words.split(' ')) {
    const found = command.commands.filter((each) => isNamed(each, word))
    expect([words, found.length]).toEqual([words, 1])
    command = found[0] ?? command
  }
  return command
}

test.each([
  ['add', 'remember'],
  ['search', 'recall'],
  ['ls', 'list'],
  ['forget', 'delete'],
  ['start', 'serve'],
  ['memory ls', 'memories list'],
  ['memories forget', 'memories delete'],
  ['memory rm', 'memories delete'],
  ['key delete', 'keys revoke'],
  ['reflex view', 'reflexes show'],
  ['conflict resolve', 'conflicts settle'],
  ['org new', 'orgs create'],
  ['orgs remove', 'orgs remove'],
])('svc %s is svc %s', (typed, command) => {
  expect(find(typed)).toBe(find(command))
})

test('removing a member and deleting an organization share no word', () => {
  expect(find('orgs delete').aliases()).toEqual([])
})
