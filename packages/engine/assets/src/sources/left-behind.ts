import { mkdir, readFile } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import { digestOf, findProjectFile } from '@vid/system'
import { createInputLog } from '../inputs/input-log.ts'
import { createLibraryAnswer } from './library-answer.ts'

/** A project that is about to be sent to another machine. */
export interface SentProject {
  readonly projectDir: string
  /** The files that are sent: paths in the project, and bytes. */
  readonly files: readonly { readonly path: string; readonly length: number }[]
  readonly entry: string
  /** Absolute folder for what is removed again. */
  readonly workDir: string
}

/** What a render here would read and the other machine would not have: its picture may be another one. */
export interface LeftBehind {
  /** Whether the entry file exists, and is not sent. */
  readonly entry: boolean
  /** Files that the texts of the project name. */
  readonly files: readonly string[]
  /** Packages of the project that answer addresses here. */
  readonly packages: readonly string[]
}

/** Files whose text may name others. */
const TEXTS: ReadonlySet<string> = new Set(['.html', '.htm', '.css', '.js', '.mjs', '.json', '.svg'])
/** Larger ones are data. */
const MAX_TEXT_BYTES = 4 * 2 ** 20
const MAX_NAMES = 20_000

const PATH =
  /(?<![\w@~%+./-])[\w@~%+./-]+\.(?:html?|css|m?js|json|csv|txt|svg|png|jpe?g|gif|webp|avif|mp4|m4v|mov|webm|mp3|m4a|wav|ogg|opus|flac|aac|woff2?|ttf|otf|glb|gltf|wasm|vtt|srt|lottie)\b/gi
const ADDRESS = /https?:\/\/[^\s"'`<>\\)]+/g

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What the texts of a project name: paths in the project, and addresses. */
const readNames = async ({ projectDir, files }: SentProject) => {
  const paths = new Set<string>()
  const addresses = new Set<string>()
  for (const { path, length } of files) {
    if (!TEXTS.has(extname(path).toLowerCase()) || length > MAX_TEXT_BYTES) continue
    const text = await readFile(join(projectDir, path), 'utf8')
    for (const [address] of text.matchAll(ADDRESS)) addresses.add(address.replaceAll('&amp;', '&'))
    for (const [name] of text.replaceAll(ADDRESS, ' ').matchAll(PATH)) {
      // Scripts name files from their own folder, or from that of the page.
      for (const base of [posix.dirname(path), '.'])
        if (paths.size < MAX_NAMES) paths.add(posix.normalize(posix.join(base, decodePath(name))).replace(/^\/+/, ''))
    }
  }
  return { paths, addresses }
}

/** Named files that a render here would find, and that are not sent. */
const findLeftOut = async ({ projectDir, files }: SentProject, names: Iterable<string>): Promise<string[]> => {
  const sentPaths = new Set(files.map(({ path }) => path))
  const paths: string[] = []
  for (const name of names) {
    if (!sentPaths.has(name) && (await findProjectFile(projectDir, name)) !== undefined) paths.push(name)
  }
  return paths.sort()
}

/** What answers an address for a project, and the files of its packages that were looked up for that. */
const answerOf = async (projectDir: string, address: string) => {
  const inputs = createInputLog()
  const answer = await createLibraryAnswer({ projectDir, inputs, warn() {} })(address)
  const sources = (await inputs.all()).map(({ source }) => source)
  const packageFiles = sources.filter((source) => source.startsWith('node_modules/'))
  const identity = answer && ('redirect' in answer ? answer.redirect : digestOf(answer.asset.body))
  return { identity, packageFiles }
}

/** Packages of the project that answer addresses here, and are not sent. */
const findPackages = async (
  { projectDir, files, workDir }: SentProject,
  addresses: Iterable<string>,
): Promise<string[]> => {
  const sentPaths = new Set(files.map(({ path }) => path))
  const empty = join(workDir, 'no-packages')
  await mkdir(empty, { recursive: true })
  const paths = new Set<string>()
  for (const address of addresses) {
    if (!URL.canParse(address)) continue
    const answer = await answerOf(projectDir, address)
    if (answer.identity === undefined) continue
    if (answer.packageFiles.length > 0 && answer.packageFiles.every((path) => sentPaths.has(path))) continue
    if ((await answerOf(empty, address)).identity === answer.identity) continue
    const manifest = answer.packageFiles.find((path) => path.endsWith('/package.json'))
    paths.add(manifest?.slice('node_modules/'.length, -'/package.json'.length) ?? address)
  }
  return [...paths].sort()
}

/** Finds what a render of a project would read here, and is not sent. */
export const findLeftBehind = async (project: SentProject): Promise<LeftBehind> => {
  const { entry, files, projectDir } = project
  const isSent = files.some(({ path }) => path === posix.normalize(entry))
  if (!isSent && (await findProjectFile(projectDir, entry)) !== undefined)
    return { entry: true, files: [], packages: [] }
  const { paths, addresses } = await readNames(project)
  return {
    entry: false,
    files: await findLeftOut(project, paths),
    packages: await findPackages(project, addresses),
  }
}
