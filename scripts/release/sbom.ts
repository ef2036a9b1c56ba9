import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { parse } from 'jsonc-parser'
import { PackageURL } from 'packageurl-js'
import parseSpdx from 'spdx-expression-parse'
import { version } from '../../package.json'
import {
  type InstalledPackage,
  installedPackages,
  manifestOf,
  NATIVE_RUNTIME,
  ROOT,
} from './packages.ts'

const { Builders, Factories, Utils } = Contrib.FromNodePackageJson
const licences = new Contrib.License.Factories.LicenseFactory(parseSpdx)
const components = new Builders.ComponentBuilder(new Factories.ExternalReferenceFactory(), licences)

const purlOf = (type: string, group: string | undefined, name: string, version: string): string =>
  new PackageURL(type, group, name, version, undefined, undefined).toString()

/** The hashes of the packages, as npm distributes them, by `name@version`. */
const integrities = (): Map<string, string> => {
  const entries = [ROOT, NATIVE_RUNTIME].flatMap((directory) => {
    const lock: { packages: Record<string, unknown[]> } = parse(
      readFileSync(join(directory, 'bun.lock'), 'utf8'),
    )
    return Object.values(lock.packages)
  })
  return new Map(entries.map((entry) => [String(entry[0]), String(entry.at(-1))]))
}

const npmComponent = (installed: InstalledPackage, integrity: string | undefined) => {
  const component = components.makeComponent(installed, Enums.ComponentType.Library)
  if (!component) throw new Error(`${installed.directory} has no name`)
  component.purl = purlOf('npm', component.group, component.name, installed.version)
  if (integrity) component.hashes.set(...Utils.parsePackageIntegrity(integrity))
  return component
}

/** A native program, by the name that reports of vulnerabilities have. */
const nativeComponent = (name: string, version: string, licence: string) =>
  new Models.Component(Enums.ComponentType.Application, name, {
    version,
    purl: purlOf('generic', undefined, name, version),
    licenses: new Models.LicenseRepository([licences.makeFromString(licence)]),
  })

/** The version of PostgreSQL; its package has a third number of its own. */
const postgresqlVersion = (packages: string, database: string): string =>
  manifestOf(packages, database).version.split('.').slice(0, 2).join('.')

/**
 * The bill of materials of a release (CycloneDX 1.6, JSON): each installed package with its hash and licence,
 * PostgreSQL and Bun. It has no serial number and no time, so that equal releases have equal ones.
 * @param packages the directory of the installed packages.
 * @param database the package that has PostgreSQL.
 */
export const billOfMaterials = (packages: string, database: string): string => {
  const hashes = integrities()
  const root = new Models.Component(Enums.ComponentType.Application, 'svc', {
    version,
    bomRef: purlOf('generic', undefined, 'svc', version),
  })
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: root }) })
  const parts = [
    ...installedPackages(packages).map((each) =>
      npmComponent(each, hashes.get(`${each.name}@${each.version}`)),
    ),
    nativeComponent('postgresql', postgresqlVersion(packages, database), 'PostgreSQL'),
    nativeComponent('bun', manifestOf(packages, 'bun').version, 'MIT'),
  ]
  for (const component of parts) {
    if (component.purl) component.bomRef.value = component.purl
    bom.components.add(component)
    root.dependencies.add(component.bomRef)
  }
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(normalizer).serialize(bom, { sortLists: true, space: 2 })}\n`
}
