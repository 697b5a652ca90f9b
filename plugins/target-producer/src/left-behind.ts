import { mkdir, readFile } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import { createInputLog, createLibraryAnswer, digestOf } from '@vid/assets'
import { findProjectFile, type Warning } from '@vid/kernel'
import type { Manifest } from '@vid/project'
import { fail } from './errors.ts'
import { targetProducerWarning } from './warnings.ts'

/** A project that is about to be sent. */
export interface Sending {
  readonly projectDir: string
  readonly manifest: Manifest
  readonly entry: string
  /** Absolute folder for what is removed again. */
  readonly workDir: string
  warn(warning: Warning): void
}

/** Files whose text may name others. */
const TEXTS: ReadonlySet<string> = new Set(['.html', '.htm', '.css', '.js', '.mjs', '.json', '.svg'])
/** Larger ones are data. */
const MAX_TEXT_BYTES = 4 * 2 ** 20
const MAX_NAMES = 20_000

const PATH =
  /[\w@~%+./-]+\.(?:html?|css|m?js|json|csv|txt|svg|png|jpe?g|gif|webp|avif|mp4|m4v|mov|webm|mp3|m4a|wav|ogg|opus|flac|aac|woff2?|ttf|otf|glb|gltf|wasm|vtt|srt|lottie)\b/gi
const ADDRESS = /https?:\/\/[^\s"'`<>\\)]+/g

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What the texts of a project name: paths in the project, and addresses. */
const readNames = async ({ projectDir, manifest }: Sending) => {
  const paths = new Set<string>()
  const addresses = new Set<string>()
  for (const { path, length } of manifest.files) {
    if (!TEXTS.has(extname(path).toLowerCase()) || length > MAX_TEXT_BYTES) continue
    const text = await readFile(join(projectDir, path), 'utf8')
    for (const [address] of text.matchAll(ADDRESS)) addresses.add(address.replaceAll('&amp;', '&'))
    for (const [name] of text.replaceAll(ADDRESS, ' ').matchAll(PATH)) {
      // Scripts name files from their own folder, or from that of the page.
      for (const base of [posix.dirname(path), '.'])
        if (paths.size < MAX_NAMES)
          paths.add(posix.normalize(posix.join(base, decoded(name))).replace(/^\/+/, ''))
    }
  }
  return { paths, addresses }
}

/** Named files that a render here would find, and that are not sent. */
const findLeftOut = async ({ projectDir, manifest }: Sending, names: Iterable<string>): Promise<string[]> => {
  const sent = new Set(manifest.files.map(({ path }) => path))
  const found: string[] = []
  for (const name of names) {
    if (!sent.has(name) && (await findProjectFile(projectDir, name)) !== undefined) found.push(name)
  }
  return found.sort()
}

/** What answers an address for a project, and the files of its packages that were looked up for that. */
const answerOf = async (projectDir: string, address: string) => {
  const inputs = createInputLog()
  const answer = await createLibraryAnswer({ projectDir, inputs, warn() {} })(address)
  const sources = (await inputs.all()).map(({ source }) => source)
  const used = sources.filter((source) => source.startsWith('node_modules/'))
  const identity = answer && ('redirect' in answer ? answer.redirect : digestOf(answer.asset.body))
  return { identity, used }
}

/** Packages of the project that answer addresses here, and are not sent. */
const findPackages = async (
  { projectDir, manifest: { files }, workDir }: Sending,
  addresses: Iterable<string>,
): Promise<string[]> => {
  const sent = new Set(files.map(({ path }) => path))
  const empty = join(workDir, 'no-packages')
  await mkdir(empty, { recursive: true })
  const found = new Set<string>()
  for (const address of addresses) {
    if (!URL.canParse(address)) continue
    const here = await answerOf(projectDir, address)
    if (here.identity === undefined) continue
    if (here.used.length > 0 && here.used.every((path) => sent.has(path))) continue
    if ((await answerOf(empty, address)).identity === here.identity) continue
    const own = here.used.find((path) => path.endsWith('/package.json'))
    found.add(own?.slice('node_modules/'.length, -'/package.json'.length) ?? address)
  }
  return [...found].sort()
}

/** Warns of what a render here would read and the server would not have: its picture may be another one. */
export const warnOfLeftBehind = async (sending: Sending): Promise<void> => {
  const { entry, manifest, warn, projectDir } = sending
  const isSent = manifest.files.some(({ path }) => path === posix.normalize(entry))
  if (!isSent && (await findProjectFile(projectDir, entry)) !== undefined)
    throw fail('VID_PRODUCER_ENTRY_LEFT_OUT', { entry })
  const { paths, addresses } = await readNames(sending)
  const files = await findLeftOut(sending, paths)
  if (files.length > 0) warn(targetProducerWarning('VID_PRODUCER_LEFT_BEHIND', { files }))
  const packages = await findPackages(sending, addresses)
  if (packages.length > 0) warn(targetProducerWarning('VID_PRODUCER_PACKAGES', { packages }))
}
