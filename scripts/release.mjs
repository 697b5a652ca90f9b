// Publishes every package from a copy with published manifests; with --dry-run it packs, verifies, installs and renders.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isPublished } from '@vid/system'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { writeRecipe } from './container/recipe.mjs'
import { noticesOf } from './notices/write.mjs'
import { mapProblems, packedProblems } from './release/manifest.mjs'
import { writeBill } from './release/sbom.mjs'
import { stageRelease } from './release/stage.mjs'
import { machinePaths } from './structure/rules.mjs'
import { path } from './workspaces.mjs'

const run = promisify(execFile)
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Packs a package; resolves to what is in the tarball and what is wrong with it. */
const packPackage = async ({ staged, ...workspace }, tarballs) => {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', tarballs], {
    cwd: staged,
    maxBuffer: 64 * 2 ** 20,
  })
  const [{ name, filename, files, size }] = JSON.parse(stdout)
  const names = files.map((file) => file.path)
  const texts = names
    .filter((file) => /\.(?:js|json|md|map|ts)$/.test(file))
    .map((file) => [file, readFileSync(join(staged, file), 'utf8')])
  const maps = texts.filter(([file]) => file.endsWith('.map'))
  const tarball = join(tarballs, filename)
  const { buffer, byteOffset, byteLength } = readFileSync(tarball)
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, level: 'warning', strict: true })
  const manifest = readJson(join(staged, 'package.json'))
  const problems = [
    ...packedProblems(manifest, names, noticesOf(workspace)),
    ...messages.map((message) => formatMessage(message, pkg, { color: false })),
    ...machinePaths(texts),
    ...mapProblems(maps, names),
  ]
  return { name, manifest, tarball, size, count: names.length, problems }
}

const COMPOSITION = `<!doctype html><html><body style="margin:0;background:#fff">
<div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="0.5">vid</div></body></html>`

/** Bytes and packages below a `node_modules` folder. */
const installedSize = (modules) => {
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  const { packages } = readJson(join(modules, '.package-lock.json'))
  return { bytes: sizes.reduce((total, size) => total + size, 0), packages: Object.keys(packages).length }
}

/** The names of a package and of everything of ours that it needs. */
const neededBy = (name, manifests, seen = new Set()) => {
  if (!manifests.has(name) || seen.has(name)) return seen
  seen.add(name)
  const { dependencies, peerDependencies, optionalDependencies } = manifests.get(name)
  for (const other of Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }))
    neededBy(other, manifests, seen)
  return seen
}

/** Installs the command into an empty folder, as a stranger does, renders there, and adds the other packages. */
const tryInstalled = (folder, packed) => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const inFolder = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }
  const install = (chosen) => {
    const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    execFileSync('npm', ['install', ...flags, ...chosen.map(({ tarball }) => tarball)], inFolder)
  }
  const manifests = new Map(packed.map(({ name, manifest }) => [name, manifest]))
  const needed = neededBy('@vid/cli', manifests)
  install(packed.filter(({ name }) => needed.has(name)))
  const vid = (...args) =>
    execFileSync(process.execPath, [join(folder, 'node_modules/@vid/cli/bin/vid.js'), ...args], inFolder).trim()
  mkdirSync(join(folder, 'intro'))
  writeFileSync(join(folder, 'intro/index.html'), COMPOSITION)
  const version = vid('--version')
  const installed = installedSize(join(folder, 'node_modules'))
  vid('render', 'intro', '--quiet', '-o', 'intro.mp4')
  install(packed)
  return { version, installed, bytes: statSync(join(folder, 'intro.mp4')).size }
}

/** Stages the packages, with the recipe of the image that is made of them once they are published, and their bill of materials. */
const stage = async () => {
  const staged = stageRelease()
  const { packages } = staged
  const container = packages.find(({ folder }) => folder === 'packages/services/container')
  await writeRecipe(join(container.staged, 'recipe'), packages, { isPublished: true })
  await writeBill(join(staged.stage, 'sbom.cdx.json'), packages)
  return staged
}

const dryRun = async () => {
  const started = performance.now()
  const { packages } = await stage()
  const work = mkdtempSync(join(tmpdir(), 'vid-release-'))
  try {
    const tarballs = join(work, 'tarballs')
    mkdirSync(tarballs)
    const packed = []
    for (const entry of packages) packed.push(await packPackage(entry, tarballs))
    for (const { name, count, size } of packed)
      console.log(`${name.padEnd(32)} ${String(count).padStart(4)} files ${(size / 1024).toFixed(0).padStart(6)} kB`)
    const problems = packed.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`))
    if (problems.length > 0) {
      console.error(problems.join('\n'))
      process.exitCode = 1
      return
    }
    const empty = join(work, 'project')
    mkdirSync(empty)
    const { version, bytes, installed } = tryInstalled(empty, packed)
    const megabytes = (installed.bytes / 1e6).toFixed(0)
    console.log(`the command, installed: ${megabytes} MB in ${installed.packages} packages`)
    console.log(`installed without the workspace: vid ${version} rendered intro.mp4 of ${bytes} bytes`)
    cpSync(tarballs, path('release/tarballs'), { recursive: true })
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`${packed.length} packages are fit to publish (release/tarballs), in ${seconds} s`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (process.argv.includes('--dry-run')) await dryRun()
else if (!isPublished) {
  console.error(
    'The pages still say how to install from a clone: change packages/base/system/src/origin/published.ts, then run npm run lab -- origin-pages.',
  )
  process.exitCode = 1
} else {
  const { stage: folder } = await stage()
  execFileSync(path('node_modules/.bin/changeset'), ['publish'], { cwd: folder, stdio: 'inherit' })
}
