import { spawn } from 'node:child_process'
import { cp, lutimes, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTempFolder, makeScratchFolder, removeAbandoned } from '@vid/system'
import { callEngine, lastWords } from '../engine/engine-call.ts'
import type { Engine } from '../engine/find-engine.ts'
import { fail } from '../errors.ts'
import type { Recipe } from './recipe.ts'

const PREFIX = 'vid-image-'

/** The time of every file of an image, in seconds since 1970: the same files make the same image on every day. */
const FILE_TIME = 315_532_800

/** Installs what the lockfile names, for the image's system and whatever system this is; no script of a package runs. */
const INSTALL = [
  'ci',
  '--omit=dev',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--os=linux',
  '--cpu=x64',
  '--libc=glibc',
]

/** How a build runs, and what is notified of it. */
export interface BuildOptions {
  readonly env: NodeJS.ProcessEnv
  readonly signal?: AbortSignal | undefined
  /** Image to start from, in place of the Dockerfile's own. */
  readonly baseImage?: string | undefined
  /** Whether to use nothing that an earlier build has left. */
  readonly isFresh?: boolean | undefined
  /** Called with what the programs write, as they do. */
  onText?(text: string): void
}

/** Runs npm in a folder; its environment is the user's, with registry and proxies. */
const runNpm = (cwd: string, { env, signal, onText }: BuildOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', INSTALL, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const take = (text: string) => {
      output = (output + text).slice(-4000)
      onText?.(text)
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    const stop = () => child.kill('SIGTERM')
    signal?.addEventListener('abort', stop, { once: true })
    const failure = (reason: string) => fail('VID_CONTAINER_BUILD_FAILED', { step: 'npm ci', reason })
    child.once('error', (cause) => reject(failure(cause.message)))
    child.once('close', (code) => {
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) reject(signal.reason)
      else if (code === 0) resolve()
      else reject(failure(lastWords(output)))
    })
  })

/** Gives every file below a folder the same time, which decides whether an engine finds its layers again. */
const settleTimes = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await settleTimes(path)
    else await lutimes(path, FILE_TIME, FILE_TIME)
  }
  await lutimes(folder, FILE_TIME, FILE_TIME)
}

/** Puts what the engine is to build from into a folder: the Dockerfile, and the installed packages in `app`. */
const stage = async (recipe: Recipe, folder: string, options: BuildOptions): Promise<void> => {
  const app = join(folder, 'app')
  await cp(recipe.folder, app, { recursive: true })
  await runNpm(app, options)
  for (const name of ['Dockerfile', '.dockerignore']) {
    await cp(join(recipe.folder, name), join(folder, name))
    await rm(join(app, name))
  }
  for (const name of ['packages', 'package-lock.json', 'recipe.json'])
    await rm(join(app, name), { recursive: true, force: true })
  await writeFile(join(app, 'package.json'), '{ "private": true, "type": "module" }\n')
  await settleTimes(folder)
}

/** What differs between the engines: how files and image get a fixed time. */
const timeFlags = ({ kind }: Engine): readonly string[] =>
  kind === 'podman' ? ['--timestamp', String(FILE_TIME)] : ['--build-arg', `SOURCE_DATE_EPOCH=${FILE_TIME}`]

/** The words of a build. */
export const buildArguments = (
  engine: Engine,
  { reference, version, digest }: Recipe,
  { baseImage, isFresh }: Pick<BuildOptions, 'baseImage' | 'isFresh'>,
): readonly string[] => [
  'build',
  '--platform',
  'linux/amd64',
  '--network',
  'none',
  ...timeFlags(engine),
  '--build-arg',
  `VERSION=${version}`,
  '--build-arg',
  `RECIPE=${digest}`,
  ...(baseImage === undefined ? [] : ['--build-arg', `BASE_IMAGE=${baseImage}`]),
  ...(isFresh ? ['--no-cache'] : []),
  '--tag',
  reference,
  '.',
]

/** Removes the first stage, which some engines keep as an image of more than a gigabyte; it never fails: it only tidies up. */
const removeStage = async (engine: Engine, { digest }: Recipe): Promise<void> => {
  const filter = `label=dev.vid.prepared=${digest}`
  await callEngine(engine, ['image', 'prune', '--force', '--filter', filter]).catch(() => undefined)
}

/** Builds the image of a recipe. */
export const buildImage = async (engine: Engine, recipe: Recipe, options: BuildOptions): Promise<void> => {
  const { signal, onText } = options
  const folder = await inTempFolder(async (temp) => {
    await removeAbandoned(temp, PREFIX)
    return makeScratchFolder(temp, PREFIX)
  })
  try {
    await stage(recipe, folder, options)
    const words = buildArguments(engine, recipe, options)
    const result = await callEngine(engine, words, {
      ...(signal && { signal }),
      ...(onText && { onText }),
      cwd: folder,
    })
    if (result.code === 0) return
    const step = `${engine.kind} build`
    throw fail('VID_CONTAINER_BUILD_FAILED', { step, reason: lastWords(result.stderr) })
  } finally {
    await removeStage(engine, recipe)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
