import { simulate } from '../tests/faults/simulation.ts'
import { count, readArgs } from './lib/args.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/faults.ts: runs two web and two worker processes under random faults (freeze, kill, restart, cut and stalled connections, a full disk) and checks the history of every account; exits with 1 if a promise was broken',
  {
    minutes: count('how long requests are sent under faults, in minutes', 10),
    round: count('the length of a round in seconds; each ends with a check', 60),
    seed: count('selects the faults, their times and the requests', 1),
    accounts: count('accounts of a round that use all web processes', 4),
    longest: count('the longest fault in seconds', 35),
  },
)

const rounds = Math.max(1, Math.round((args.minutes * 60) / args.round))
const { histories, outcomes, faults, repeatedWebhooks } = await simulate(
  {
    seed: args.seed,
    rounds,
    roundSeconds: args.round,
    accounts: args.accounts,
    pauseMs: 50,
    longestSeconds: args.longest,
  },
  (line) => console.log(line),
)

const sum = (numberOf: (history: (typeof histories)[number]) => number): string =>
  String(histories.reduce((total, history) => total + numberOf(history), 0))
const violations = histories.flatMap((history) => history.violations)

console.log()
printTable(
  ['fault', 'times', 'longest time without an answer of a healthy web process, in s'],
  [...faults].map(([name, times]) => {
    const gap = outcomes.longestGaps.get(name)
    return [name, String(times), gap === undefined ? '' : (gap / 1_000).toFixed(1)]
  }),
)
console.log()
printTable(
  ['requests', ''],
  [
    ...Object.entries(outcomes.counts).map(([outcome, times]) => [outcome, String(times)]),
    ...[...outcomes.errors].map(([error, times]) => [`  ${error}`, String(times)]),
  ],
)
console.log()
printTable(
  ['acknowledged', ''],
  [
    ['memories', sum(({ notes, deleted }) => notes.size + deleted.size)],
    ['deletions', sum(({ deleted }) => deleted.size)],
    ['signals', sum(({ signals }) => signals.size)],
    ['webhooks sent again with the same id', String(repeatedWebhooks)],
    ['broken promises', String(violations.length)],
  ],
)
process.exit(violations.length > 0 ? 1 : 0)
