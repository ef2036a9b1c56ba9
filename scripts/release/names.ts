import { version } from '../../package.json'
import { nameOf, targets } from './targets.ts'

export const PLUGINS = 'svc-plugins.tar.gz'
export const MCP_BUNDLE = 'svc.mcpb'
export const REGISTRY_ENTRY = 'server.json'
export const NPM_PACKAGE = `svc-client-${version}.tgz`
/** Named as PEP 427 and PEP 625 say. */
export const PYTHON_WHEEL = `svc_client-${version}-py3-none-any.whl`
export const PYTHON_SOURCES = `svc_client-${version}.tar.gz`

/** The files that run on each system. */
export const packageFiles = [PLUGINS, MCP_BUNDLE, NPM_PACKAGE, PYTHON_WHEEL, PYTHON_SOURCES]

/** The files of a whole release, apart from their checksums. */
export const releaseFiles: string[] = [
  ...targets.map(nameOf).flatMap((name) => [`${name}.tar.gz`, `${name}.cdx.json`]),
  ...packageFiles,
]
