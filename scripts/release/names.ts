import { version } from '../../package.json'
import { nameOf, targets } from './targets.ts'

export const PLUGINS = 'svc-plugins.tar.gz'
export const MCP_BUNDLE = 'svc.mcpb'
export const NPM_PACKAGE = `svc-client-${version}.tgz`
/** The names of PEP 427 and PEP 625. */
export const PYTHON_PACKAGES = [
  `svc_client-${version}-py3-none-any.whl`,
  `svc_client-${version}.tar.gz`,
]

/** The files of a whole release, apart from their checksums. */
export const releaseFiles: string[] = [
  ...targets.map(nameOf).flatMap((name) => [`${name}.tar.gz`, `${name}.cdx.json`]),
  ...[PLUGINS, MCP_BUNDLE, NPM_PACKAGE, ...PYTHON_PACKAGES],
]
