import type { Deployment, Node } from './deployment.ts'

/** Ends a fault. The deployment may need time to recover. */
type Heal = () => void | Promise<void>

/** A fault of one process, or of PostgreSQL. */
export interface Fault {
  name: string
  begin(node: Node): Heal | Promise<Heal>
}

const RESTART_PAUSE_MS = 200

/** Starts a process again until it runs: a start fails while PostgreSQL does not answer. */
const startAgain = async ({ process }: Node): Promise<void> => {
  for (;;)
    try {
      return await process.start()
    } catch {
      await Bun.sleep(RESTART_PAUSE_MS)
    }
}

/** The faults of one process. */
export const nodeFaults: readonly Fault[] = [
  {
    name: 'freeze',
    begin({ process }) {
      process.signal('SIGSTOP')
      return () => process.signal('SIGCONT')
    },
  },
  {
    name: 'kill',
    async begin(node) {
      node.process.signal('SIGKILL')
      await node.process.ended()
      return () => startAgain(node)
    },
  },
  {
    name: 'restart',
    async begin(node) {
      await node.process.stop()
      return () => startAgain(node)
    },
  },
  {
    name: 'cut connections',
    begin({ link }) {
      link.cut()
      return () => link.open()
    },
  },
  {
    name: 'stall connections',
    begin({ link }) {
      link.stall()
      return () => link.open()
    },
  },
]

/** The faults of PostgreSQL. */
export const postgresFaults = ({ postgres, nodes }: Deployment): Fault[] => [
  {
    name: 'kill PostgreSQL',
    begin() {
      postgres.kill()
      return () => {}
    },
  },
  {
    name: 'cut all connections',
    begin() {
      for (const { link } of nodes) link.cut()
      return () => {
        for (const { link } of nodes) link.open()
      }
    },
  },
  ...(postgres.disk
    ? [
        {
          name: 'fill the disk',
          begin() {
            postgres.disk?.fill()
            return () => postgres.disk?.free()
          },
        },
      ]
    : []),
]
