import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workspaces } from '../../scripts/workspaces.mjs'
import type { Finished } from './vid.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** What a script of this repository adds to its environment would lead npm and vitest back here. */
const outsideEnv = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_)|npm_config_(local_)?prefix$|INIT_CWD$|VITEST|NODE_ENV$|TEST$)/.test(name),
    ),
  )

/** Runs a program with more variables in a folder outside of this repository, to its end. */
export const outsideWith = (
  env: NodeJS.ProcessEnv,
  cwd: string,
  program: string,
  ...args: string[]
): Promise<Finished> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...outsideEnv(), ...env }, maxBuffer: 2 ** 26 }
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : null) : 0
      resolve({ code, stdout, stderr: error?.killed ? `${stderr}\nkilled` : stderr })
    })
  })

/** Runs a program in a folder outside of this repository, to its end. */
export const outside = (cwd: string, program: string, ...args: string[]): Promise<Finished> =>
  outsideWith({}, cwd, program, ...args)

/** A command line, in the folder of the installation where no other is named. */
export interface Line {
  readonly words: readonly string[]
  /** Absolute. */
  readonly cwd?: string
  /** What the command line itself reads besides the environment of the process. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs command lines in turn, in one process of the command that is installed in a folder outside of this repository:
 * most of what a short one costs is its start.
 */
export const runLines = async (folder: string, lines: readonly Line[]): Promise<Finished[]> => {
  const script = join(folder, 'run-lines.mjs')
  await copyFile(fileURLToPath(new URL('run-lines.mjs', import.meta.url)), script)
  const { stdout, stderr } = await outside(folder, process.execPath, script, JSON.stringify(lines))
  await rm(script)
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Finished[]
}

const succeeded = async (running: Promise<Finished>) => {
  const { code, stdout, stderr } = await running
  if (code !== 0) throw new Error(`exit code ${code}\n${stdout}\n${stderr}`)
}

/** The packages of this repository that those of some names need, themselves among them. */
const neededBy = (names: readonly string[]): readonly string[] => {
  const manifests = new Map(workspaces().map(({ manifest }) => [manifest.name, manifest]))
  const needed = new Set<string>()
  const need = (name: string) => {
    const manifest = manifests.get(name)
    if (!manifest || needed.has(name)) return
    needed.add(name)
    for (const other of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) need(other)
  }
  for (const name of names) need(name)
  return [...needed]
}

/** Packs every package as it is published; returns a folder of tarballs, which the caller removes. */
export const packToolkit = async (): Promise<string> => {
  const packs = await mkdtemp(join(tmpdir(), 'vid-packs-'))
  // The manifests of this repository point at sources, which are not packed.
  const stage = await mkdtemp(join(tmpdir(), 'vid-stage-'))
  try {
    const script = join(repository, 'scripts/release/stage-to.mjs')
    await succeeded(outside(repository, process.execPath, script, stage))
    // What an installation costs is not the subject: nothing is compressed, and so nothing decompressed either.
    const env = { NODE_OPTIONS: `--import=${new URL('stored-gzip.mjs', import.meta.url)}` }
    await succeeded(outsideWith(env, stage, 'npm', 'pack', '--workspaces', '--silent', '--pack-destination', packs))
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
  return packs
}

const tarballsIn = async (packs: string): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await readdir(packs)).map((file) => {
      const [, name = ''] = /^vid-(.*)-\d+\.\d+\.\d+\.tgz$/.exec(file) ?? []
      return [`@vid/${name}`, join(packs, file)]
    }),
  )

/** Makes packed packages and further ones those of a folder, which may have some already, as from the registry. */
const installInto = async (
  folder: string,
  packs: string,
  names: readonly string[],
  others: Readonly<Record<string, string>>,
) => {
  const tarballs = await tarballsIn(packs)
  const dependencies = {
    ...Object.fromEntries(names.map((name) => [name, `file:${tarballs.get(name)}`])),
    ...others,
  }
  const manifest = { name: 'author', private: true, type: 'module', dependencies }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const quick = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  await succeeded(outside(folder, 'npm', 'install', ...quick))
}

/** An empty folder elsewhere with some packed packages installed and what they need. Removed by the caller. */
export const installToolkit = async (packs: string, names: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'vid-author-'))
  await installInto(folder, packs, neededBy(names), {})
  return folder
}

/** Adds all other packed packages to a folder, and the libraries of authors. */
export const completeToolkit = async (folder: string, packs: string): Promise<void> => {
  const { libraryVersions } = await import('@vid/cli')
  await installInto(folder, packs, [...(await tarballsIn(packs)).keys()], libraryVersions)
}
