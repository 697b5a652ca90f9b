import { mkdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadProjectConfig, openContext } from '@vid/render'
import { makeScratchFolder, removeAbandoned, scratchName } from '@vid/system'
import { fail } from '../errors.ts'
import { ownFolder } from '../own-package.ts'
import { checkPackage, stageFiles } from './check-package.ts'
import { closePackages } from './closure.ts'
import { bundleConfig } from './config-bundle.ts'
import { fontRoots } from './font-roots.ts'
import { isImageContext, writeImageContext } from './image-context.ts'
import { openInstalled } from './installed.ts'
import { layOutPackages } from './layout.ts'
import { checkNativeCode } from './native-code.ts'
import { noticesText } from './notices.ts'
import { type PackageFile, packageFilesOf } from './package-files.ts'
import { compressPrograms } from './programs.ts'
import { followImports } from './reach.ts'
import { checkReplaceable, isFile, writeTarget } from './target.ts'
import { writeZip } from './zip.ts'

/** Largest unzipped package of a function, in bytes. */
export const MAX_PACKAGE_BYTES = 262_144_000

/** Largest image of a function, in bytes. */
const MAX_IMAGE_BYTES = 10 * 2 ** 30

const PREFIX = 'vid-function-'

/** Options of a package of the function. */
export interface PackageOptions {
  /** Folder to start the search for the config; its packages are resolved from here. */
  readonly cwd: string
  /** Path of the config, in place of the search. */
  readonly configFile?: string | undefined
  /** Output path; if left out, the zip is in the temporary folder until the caller removes it. */
  readonly out?: string | undefined
  /** Whether an existing output is replaced; by default a zip is, and a folder is not. */
  readonly replaces?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called before the package is checked by starting it once, and before it is written. */
  onStep?(step: 'checking' | 'compressing', unzippedBytes: number): void
}

/** The size of an npm package in the function, or of the files beside the packages. */
export interface PackagePart {
  readonly name: string
  readonly bytes: number
}

/** A package of the function. */
export interface FunctionPackage {
  /** Absolute path of the zip. */
  readonly path: string
  readonly sha256: string
  readonly bytes: number
  readonly unzippedBytes: number
  /** Largest first. */
  readonly parts: readonly PackagePart[]
  /** The formats that it supports. */
  readonly formats: readonly string[]
}

/** A folder for building the function's image. */
export type ImageContext = Omit<FunctionPackage, 'sha256' | 'bytes'>

const INDEX = `import { checkFunction, createHandler, openEnvironment } from '@vid/lambda/function'

const environment = openEnvironment(import.meta.dirname)
export const handler = createHandler(environment)
export const check = () => checkFunction(environment)
`
const MANIFEST = `${JSON.stringify({ private: true, type: 'module' })}\n`

const generated = (path: string, content: string): PackageFile => ({
  path,
  from: { content },
  bytes: Buffer.byteLength(content),
  isExecutable: false,
})

const findConfig = async ({ cwd, configFile }: PackageOptions): Promise<string | undefined> => {
  if (configFile !== undefined) return resolve(cwd, configFile)
  const context = await openContext({ cwd: resolve(cwd), configFrom: 'cwd' })
  return (await loadProjectConfig(resolve(cwd), {}, context)).file
}

const partOf = (path: string): string =>
  /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.split('/')[0] ?? path

const partsOf = (files: readonly PackageFile[]): readonly PackagePart[] => {
  const bytes = new Map<string, number>()
  for (const file of files) bytes.set(partOf(file.path), (bytes.get(partOf(file.path)) ?? 0) + file.bytes)
  return [...bytes].map(([name, size]) => ({ name, bytes: size })).toSorted((a, b) => b.bytes - a.bytes)
}

/** Collects all files of the function: its entry point, the config, and every package that they may load. */
const collectFiles = async (options: PackageOptions, config: string | undefined): Promise<readonly PackageFile[]> => {
  const { content, name, imports } = await bundleConfig(config)
  const installed = openInstalled()
  const start = { specifier: '@vid/lambda/function', from: ownFolder() }
  const roots = [start, ...imports]
  const fonts = await fontRoots([resolve(options.cwd), ownFolder()])
  const files = await followImports({ start, folder: await realpath(ownFolder()), config: imports })
  const closure = await closePackages([...roots, ...fonts], files, installed)
  const placedPackages = layOutPackages(closure)
  const copied = (
    await Promise.all(
      placedPackages.map((placedPackage) => packageFilesOf(placedPackage.installed, placedPackage.place)),
    )
  ).flat()
  await checkNativeCode(closure, copied, installed)
  const notices = generated('THIRD_PARTY_NOTICES', noticesText(placedPackages, copied))
  const generatedFiles = [
    generated('index.mjs', INDEX),
    generated('package.json', MANIFEST),
    generated(name, content),
    notices,
  ]
  return [...generatedFiles, ...(await compressPrograms(copied))]
}

/** A staged function that passed its check; the staged files are removed after use. */
interface StagedFunction {
  readonly files: readonly PackageFile[]
  readonly unzippedBytes: number
  readonly parts: readonly PackagePart[]
  readonly formats: readonly string[]
}

/** Collects a function within a size limit, checks it in a separate process, and passes it to `use`. */
const withCheckedFunction = async <T>(
  options: PackageOptions,
  maxBytes: number,
  use: (staged: StagedFunction, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { signal = new AbortController().signal } = options
  signal.throwIfAborted()
  const files = await collectFiles(options, await findConfig(options))
  const parts = partsOf(files)
  const unzippedBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  if (unzippedBytes > maxBytes) throw fail('VID_LAMBDA_PACKAGE_SIZE', { bytes: unzippedBytes, maxBytes, parts })
  signal.throwIfAborted()
  await removeAbandoned(tmpdir(), PREFIX)
  const work = await makeScratchFolder(tmpdir(), PREFIX)
  try {
    const folder = join(work, 'function')
    const temp = join(work, 'temp')
    for (const target of [folder, temp]) await mkdir(target, { mode: 0o700 })
    await stageFiles(files, folder)
    options.onStep?.('checking', unzippedBytes)
    const { formats } = await checkPackage(folder, temp, signal)
    options.onStep?.('compressing', unzippedBytes)
    return await use({ files, unzippedBytes, parts, formats }, signal)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * Builds the package of the function: the config with the user's own code in one file, and the installed packages that
 * it and the function may load. It is checked in a separate process before it is zipped.
 */
export const buildFunctionPackage = async (options: PackageOptions): Promise<FunctionPackage> => {
  const path = options.out === undefined ? join(tmpdir(), `${scratchName(PREFIX)}.zip`) : resolve(options.out)
  await checkReplaceable(path, options.replaces ?? true, isFile)
  return withCheckedFunction(options, MAX_PACKAGE_BYTES, async ({ files, ...facts }, signal) => {
    const zip = await writeTarget(path, (staged) => writeZip(files, staged, signal))
    return { path, ...zip, ...facts }
  })
}

/** Writes a folder from which `docker build` builds the function's image, with the same files as the package. */
export const buildImageContext = async (options: PackageOptions & { readonly out: string }): Promise<ImageContext> => {
  const path = resolve(options.out)
  await checkReplaceable(path, options.replaces ?? false, isImageContext)
  return withCheckedFunction(options, MAX_IMAGE_BYTES, async ({ files, ...facts }, signal) => {
    await writeTarget(path, (staged) => writeImageContext(files, staged, signal))
    return { path, ...facts }
  })
}
