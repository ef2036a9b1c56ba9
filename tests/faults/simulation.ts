import { random as seeded } from '../../bench/lib/text.ts'
import { eventually } from '../harness/eventually.ts'
import { type Account, newAccount } from './account.ts'
import { check } from './check.ts'
import { type Deployment, type Node, startDeployment } from './deployment.ts'
import { type Fault, nodeFaults, postgresFaults } from './faults.ts'
import type { History } from './history.ts'
import { createOutcomes, type Outcomes } from './outcomes.ts'
import { startWebhooks, type Webhooks } from './webhooks.ts'
import { startRequests } from './workload.ts'

export interface SimulationOptions {
  /** Selects the faults, their times and the requests. */
  seed: number
  /** The number of rounds of requests under faults; each ends with a check. */
  rounds: number
  /** The length of a round in seconds, without the recovery and the check. */
  roundSeconds: number
  /**
   * The accounts of a round that use all web processes; one more uses each process. Each sends one request
   * at a time.
   */
  accounts: number
  /** The pause of an account between two requests. */
  pauseMs: number
  /** The longest fault in seconds. A lease of an engine lasts 30. */
  longestSeconds: number
}

export interface SimulationResult {
  histories: History[]
  outcomes: Outcomes
  /** How often each fault happened. */
  faults: Map<string, number>
  /** Webhooks that were sent again with the same id, after a fault before their receipt was stored. */
  repeatedWebhooks: number
}

/** Seconds that a fault may last. */
const LENGTHS = [0.2, 1, 3, 8, 35]
const LONGEST_PAUSE_MS = 3_000

interface Simulation {
  options: SimulationOptions
  deployment: Deployment
  random: () => number
  outcomes: Outcomes
  faults: Map<string, number>
  /** Ends what measures the gaps of a process, because it or PostgreSQL has a fault itself. */
  gaps: Map<string, Set<() => void>>
}

/** Runs svc under random faults and checks the history of every account. */
export const simulate = async (
  options: SimulationOptions,
  report: (line: string) => void = () => {},
): Promise<SimulationResult> => {
  using webhooks = startWebhooks()
  await using deployment = await startDeployment(webhooks.port)
  const { nodes } = deployment
  const simulation: Simulation = {
    options,
    deployment,
    random: seeded(options.seed),
    outcomes: createOutcomes(),
    faults: new Map(),
    gaps: new Map(nodes.map(({ name }) => [name, new Set()])),
  }
  const histories: History[] = []
  for (let round = 1; round <= options.rounds; round++) {
    const accounts = await runRound(simulation, webhooks)
    histories.push(...accounts.map(({ history }) => history))
    const violations = accounts.flatMap(({ history }) => history.violations)
    report(`round ${round}: ${violations.length} violations`)
    for (const violation of violations) report(`  ${violation}`)
  }
  const repeated = [...webhooks.deliveries.values()].reduce((sum, ids) => sum + ids.length - 1, 0)
  const { outcomes, faults } = simulation
  return { histories, outcomes, faults, repeatedWebhooks: repeated }
}

const runRound = async (simulation: Simulation, webhooks: Webhooks): Promise<Account[]> => {
  const { deployment, options, outcomes, random } = simulation
  const accounts: Account[] = []
  const { postgres, webs } = deployment
  const databaseUrl = postgres.url(postgres.port)
  for (let index = 0; index < options.accounts; index++)
    accounts.push(await newAccount(databaseUrl, webs))
  // One that uses a single process shows whether that process answers.
  for (const web of webs) accounts.push(await newAccount(databaseUrl, [web]))
  const { pauseMs } = options
  const stops = accounts.map((account) =>
    startRequests(account, outcomes, { random: seeded(random() * 1e9), pauseMs }),
  )
  const until = performance.now() + options.roundSeconds * 1_000
  const [first, second] = [0, 1].map((index) =>
    deployment.nodes.filter((_, number) => number % 2 === index),
  )
  await Promise.all([
    runFaults(simulation, first ?? [], nodeFaults, until),
    runFaults(simulation, second ?? [], nodeFaults, until),
    runFaults(simulation, deployment.nodes, postgresFaults(deployment), until, true),
  ])
  await Promise.all(stops.map((stop) => stop()))
  for (const { process } of webs)
    await eventually(async () => (await statusOf(`${process.url}/api/ready`)) === 200)
  await Promise.all(accounts.map((account) => check(account, webhooks)))
  return accounts
}

/** Runs faults one after the other, each on one of the nodes. */
const runFaults = async (
  simulation: Simulation,
  nodes: Node[],
  faults: readonly Fault[],
  until: number,
  isForAll = false,
): Promise<void> => {
  // Own numbers for each sequence: the order in which sequences continue depends on time.
  const random = seeded(simulation.random() * 1e9)
  const choose = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(random() * values.length)]
    if (value === undefined) throw new Error('nothing to choose from')
    return value
  }
  const lengths = LENGTHS.filter((seconds) => seconds <= simulation.options.longestSeconds)
  for (;;) {
    // Faults of PostgreSQL concern everybody: they are a third as frequent.
    await Bun.sleep(random() * LONGEST_PAUSE_MS * (isForAll ? 5 : 1))
    if (performance.now() > until) return
    const fault = choose(faults)
    const node = choose(nodes)
    const endGaps = observeGaps(simulation, fault, node, isForAll)
    const heal = await fault.begin(node)
    await Bun.sleep(choose(isForAll ? lengths.filter((seconds) => seconds < 5) : lengths) * 1_000)
    endGaps()
    await heal()
    simulation.faults.set(fault.name, (simulation.faults.get(fault.name) ?? 0) + 1)
  }
}

/** Measures how long the web processes without a fault give no answer, until one of them gets a fault. */
const observeGaps = (
  { deployment, gaps, outcomes }: Simulation,
  fault: Fault,
  node: Node,
  isForAll: boolean,
): (() => void) => {
  const affected = isForAll ? deployment.nodes : [node]
  for (const { name } of affected) for (const end of [...(gaps.get(name) ?? [])]) end()
  if (isForAll) return () => {}
  const ends = deployment.webs
    .filter((web) => web !== node)
    .map(({ name }) => {
      const stop = outcomes.during(fault.name, [name])
      const end = () => {
        if (gaps.get(name)?.delete(end)) stop()
      }
      gaps.get(name)?.add(end)
      return end
    })
  return () => {
    for (const end of ends) end()
  }
}

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  )
