import { useMemo } from 'react'
import { useTokenColors } from '../../ui/token-colors.ts'

/** Further clusters get them again. */
const CLUSTER_TOKENS = [
  '--cluster-1',
  '--cluster-2',
  '--cluster-3',
  '--cluster-4',
  '--cluster-5',
  '--cluster-6',
  '--cluster-7',
  '--cluster-8',
] as const
const OTHER_TOKENS = ['--ink', '--card', '--accent', '--line', '--line-strong', '--warn'] as const
const TOKENS = [...OTHER_TOKENS, ...CLUSTER_TOKENS]

export const clusterToken = (cluster: number): string =>
  CLUSTER_TOKENS[cluster % CLUSTER_TOKENS.length] ?? '--line-strong'

export interface GraphColors {
  clusters: readonly string[]
  ink: string
  card: string
  accent: string
  line: string
  strongLine: string
  warn: string
}

export const useGraphColors = (): GraphColors => {
  const colors = useTokenColors(TOKENS)
  return useMemo(() => {
    const [ink = '', card = '', accent = '', line = '', strongLine = '', warn = '', ...clusters] =
      colors
    return { ink, card, accent, line, strongLine, warn, clusters }
  }, [colors])
}
