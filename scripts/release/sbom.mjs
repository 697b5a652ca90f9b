// The bill of materials of a release, in CycloneDX: what npm installs with the packages, and what is inside of their files.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imageLockfile } from '../container/lockfile.mjs'
import { worksOf } from '../notices/works.mjs'
import { path } from '../workspaces.mjs'

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** What npm says about an installation of all packages, as their users install them: without our development tools. */
const installedBill = (packages) => {
  const ours = new Map(
    packages.map(({ folder, staged }) => [folder, { manifest: readJson(join(staged, 'package.json')), place: {} }]),
  )
  const manifests = [...ours.values()].map(({ manifest }) => manifest)
  const root = {
    name: 'vid',
    version: manifests[0].version,
    license: 'MIT',
    dependencies: Object.fromEntries(manifests.map(({ name, version }) => [name, version])),
  }
  const lockfile = imageLockfile({
    lockfile: readJson(path('package-lock.json')),
    starts: [...ours.keys()],
    ours,
    extra: {},
    root,
  })
  const folder = mkdtempSync(join(tmpdir(), 'vid-sbom-'))
  try {
    writeJson(join(folder, 'package.json'), root)
    writeJson(join(folder, 'package-lock.json'), lockfile)
    const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 2 ** 20, stdio: ['ignore', 'pipe', 'inherit'] }
    return { ...JSON.parse(execFileSync('npm', ['sbom', ...flags], options)), root }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const LICENSE_ID = /^[\w.+-]+$/

/** Licences as packages state them, by name and version; npm leaves out what is no expression of SPDX. */
const statedLicenses = (packages) => {
  const locked = Object.entries(readJson(path('package-lock.json')).packages)
    .filter(([key, { license }]) => key.includes('node_modules/') && license)
    .map(([key, { version, license }]) => [`${key.replace(/^.*node_modules\//, '')}@${version}`, { name: license }])
  const local = packages.map(({ manifest }) => [`${manifest.name}@${manifest.version}`, { id: manifest.license }])
  return new Map([...locked, ...local])
}

/** A library or program inside a package, as a component of that package. */
const inside = (owner, type) => {
  const isLibrary = type === 'library'
  return ({ name, version, license, source }) => ({
    'bom-ref': `${owner}#${name}@${version}`,
    type,
    name,
    version,
    ...(isLibrary && {
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    }),
    licenses: [LICENSE_ID.test(license) ? { license: { id: license } } : { expression: license }],
    externalReferences: [{ type: 'vcs', url: source.split(/[ ,]/)[0] }],
  })
}

/** The bill of a release, given its staged packages; equal packages give equal bytes. */
export const releaseBill = (packages) => {
  const { root, serialNumber: _serialNumber, ...bill } = installedBill(packages)
  const { timestamp: _timestamp, component, ...metadata } = bill.metadata
  const carried = new Map(
    packages.map((entry) => {
      const { libraries, programs } = worksOf(entry)
      const owner = `${entry.manifest.name}@${root.version}`
      return [owner, [...libraries.map(inside(owner, 'library')), ...programs.map(inside(owner, 'application'))]]
    }),
  )
  const stated = statedLicenses(packages)
  const components = bill.components.map((component) => {
    const contained = carried.get(component['bom-ref']) ?? []
    const { licenses = [{ license: stated.get(`${component.name}@${component.version}`) }] } = component
    return { ...component, licenses, ...(contained.length > 0 && { components: contained }) }
  })
  // npm names the application by the folder that it was asked in, and as if it were published.
  const { purl: _purl, ...application } = component
  return { ...bill, metadata: { ...metadata, component: { ...application, name: root.name } }, components }
}

/** Writes the bill of a release into a file; throws what its schema says is wrong with it. */
export const writeBill = async (file, packages) => {
  const { Spec, Validation } = await import('@cyclonedx/cyclonedx-library')
  const text = `${JSON.stringify(releaseBill(packages), null, 2)}\n`
  const problem = await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text)
  if (problem !== null) throw new Error(`the bill of materials is not CycloneDX 1.5: ${JSON.stringify(problem)}`)
  writeFileSync(file, text)
}
