// Publishes every package from a copy with published manifests; with --dry-run it packs, verifies, installs and renders.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packedProblems } from './release/manifest.mjs'
import { stageRelease } from './release/stage.mjs'
import { machinePaths } from './structure/rules.mjs'
import { path } from './workspaces.mjs'

const run = promisify(execFile)
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Packs a package; resolves to what is in the tarball and what is wrong with it. */
const packPackage = async (staged, tarballs) => {
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', tarballs],
    {
      cwd: staged,
      maxBuffer: 64 * 2 ** 20,
    },
  )
  const [{ name, filename, files, size }] = JSON.parse(stdout)
  const names = files.map((file) => file.path)
  const texts = names
    .filter((file) => /\.(?:js|json|md|map|d\.ts)$/.test(file))
    .map((file) => [file, readFileSync(join(staged, file), 'utf8')])
  const tarball = join(tarballs, filename)
  const { buffer, byteOffset, byteLength } = readFileSync(tarball)
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: bytes }, level: 'warning', strict: true })
  const problems = [
    ...packedProblems(readJson(join(staged, 'package.json')), names),
    ...messages.map((message) => formatMessage(message, pkg, { color: false })),
    ...machinePaths(texts),
  ]
  return { name, tarball, size, count: names.length, problems }
}

const COMPOSITION = `<!doctype html><html><body style="margin:0;background:#fff">
<div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="0.5">vid</div></body></html>`

/** Installs the tarballs into an empty folder, as a stranger does, and renders there. */
const tryInstalled = (folder, tarballs) => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const inFolder = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }
  const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs]
  execFileSync('npm', install, inFolder)
  const vid = (...args) =>
    execFileSync(
      process.execPath,
      [join(folder, 'node_modules/@vid/cli/bin/vid.js'), ...args],
      inFolder,
    ).trim()
  mkdirSync(join(folder, 'intro'))
  writeFileSync(join(folder, 'intro/index.html'), COMPOSITION)
  const version = vid('--version')
  vid('render', 'intro', '--quiet', '-o', 'intro.mp4')
  return { version, bytes: statSync(join(folder, 'intro.mp4')).size }
}

const dryRun = async () => {
  const started = performance.now()
  const { packages } = stageRelease()
  const work = mkdtempSync(join(tmpdir(), 'vid-release-'))
  try {
    const tarballs = join(work, 'tarballs')
    mkdirSync(tarballs)
    const packed = []
    for (const { staged } of packages) packed.push(await packPackage(staged, tarballs))
    for (const { name, count, size } of packed)
      console.log(
        `${name.padEnd(32)} ${String(count).padStart(4)} files ${(size / 1024).toFixed(0).padStart(6)} kB`,
      )
    const problems = packed.flatMap(({ name, problems }) => problems.map((each) => `${name}: ${each}`))
    if (problems.length > 0) {
      console.error(problems.join('\n'))
      process.exitCode = 1
      return
    }
    const empty = join(work, 'project')
    mkdirSync(empty)
    const { version, bytes } = tryInstalled(
      empty,
      packed.map(({ tarball }) => tarball),
    )
    console.log(`installed without the workspace: vid ${version} rendered intro.mp4 of ${bytes} bytes`)
    cpSync(tarballs, path('release/tarballs'), { recursive: true })
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(`${packed.length} packages are fit to publish (release/tarballs), in ${seconds} s`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (process.argv.includes('--dry-run')) await dryRun()
else {
  const { stage } = stageRelease()
  execFileSync(path('node_modules/.bin/changeset'), ['publish'], { cwd: stage, stdio: 'inherit' })
}
