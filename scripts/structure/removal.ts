import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { OptionalFeatureName } from '../../shared/features.ts'

/** The files and folders of each optional feature; a folder ends with a slash. */
export const FEATURE_PATHS: Record<OptionalFeatureName, readonly string[]> = {
  automation: [
    'server/features/automation/',
    ...[
      'confirmations',
      'firings',
      'proactive',
      'reflex-triggers',
      'reflexes',
      'registry',
      'senses',
    ].map((name) => `shared/contract/${name}.ts`),
    'cli/features/automation/',
    'mcp/features/automation.ts',
    'console/areas/automation/',
  ],
  billing: [
    'server/features/billing/',
    'shared/contract/billing.ts',
    'shared/contract/payments.ts',
    'cli/features/billing/',
    'console/areas/billing/',
  ],
  openid: ['server/features/openid/', 'shared/contract/openid.ts'],
  people: [
    'server/features/people/',
    'shared/contract/dm.ts',
    'shared/contract/shares.ts',
    'cli/features/people/',
    'console/areas/messages/',
  ],
  policies: [
    'server/features/policies/',
    'shared/contract/policies.ts',
    'cli/features/policies/',
    'console/areas/policies/',
  ],
  proxy: ['server/features/proxy/', 'shared/contract/proxy.ts'],
  scim: [
    'server/features/scim/',
    'shared/contract/scim.ts',
    'shared/contract/scim-tokens.ts',
    'console/areas/scim/',
  ],
  'user-import': [
    'server/features/user-import/',
    'shared/contract/user-import.ts',
    'cli/features/user-import/',
  ],
  webhooks: [
    'server/features/webhooks/',
    'shared/contract/event-webhooks.ts',
    'console/areas/webhooks/',
  ],
}

/** The only files that name what belongs to an optional feature. */
export const LISTS = [
  'server/features.ts',
  'shared/features.ts',
  'shared/contract/index.ts',
  'cli/features.ts',
  'mcp/features.ts',
  'console/features.ts',
  'console/router.tsx',
  'console/styles/areas.css',
]

/** The files that a server is started and built from. */
const SOURCES = [
  ...['bun.lock', 'bunfig.toml', 'package.json', 'tsconfig.json', 'svc'],
  ...['cli', 'clients', 'console', 'mcp', 'migrations', 'patches', 'scripts', 'server', 'shared'],
]

export const isOfFeature = (feature: OptionalFeatureName, path: string): boolean =>
  FEATURE_PATHS[feature].some((each) =>
    each.endsWith('/') ? path.startsWith(each) : path === each,
  )

/** An import, an export of all, or an `@import` of CSS: what it names, and the file. */
const IMPORT =
  /^(?:import (?:type )?(?:\* as (\w+)|\{([^}]*)\}) from '(\.[^']+)'|export \* from '(\.[^']+)'|@import "(\.[^"]+)";)\n/gm

/**
 * Copies the source, without the folders and lines of a feature. The packages are links.
 * @param folder is created.
 */
export const copyWithout = (root: string, folder: string, feature: OptionalFeatureName): void => {
  for (const name of SOURCES) cpSync(join(root, name), join(folder, name), { recursive: true })
  // Links in a folder of its own, because the console is built into it.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '.cache'))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const path of FEATURE_PATHS[feature]) {
    if (!existsSync(join(folder, path))) throw new Error(`${path} of ${feature} does not exist`)
    rmSync(join(folder, path), { recursive: true })
  }
  for (const list of LISTS) {
    const path = join(folder, list)
    writeFileSync(path, withoutLines(readFileSync(path, 'utf8'), list, feature))
  }
}

const withoutLines = (text: string, list: string, feature: OptionalFeatureName): string => {
  const names: string[] = list === 'shared/features.ts' ? [`'${feature}'`] : []
  const kept = text.replace(IMPORT, (statement, all, some, from, exported, style) => {
    const target = relative('/', resolve('/', dirname(list), from ?? exported ?? style))
    if (!isOfFeature(feature, target)) return statement
    names.push(
      ...(all ?? some ?? '')
        .split(',')
        .map((name: string) => name.trim())
        .filter(Boolean),
    )
    return ''
  })
  return names.reduce(
    (rest, name) =>
      rest.replaceAll(new RegExp(`\\s*(?<![\\w./-])(?:\\.\\.\\.)?${name}(?![\\w./-]),?`, 'g'), ''),
    kept,
  )
}
