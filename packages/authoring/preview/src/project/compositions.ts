import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  extractCompositionMetadata,
  findProject,
  NO_COMPOSITION,
  parseComposition,
  type ReadOptions,
  readEntryText,
} from '@vid/core'
import { isVidError, rethrowMachineFault, type VidError } from '@vid/protocol'
import { fileMark } from '@vid/server'
import { listFiles } from '@vid/system'
import type { CompositionEntry } from '../api.ts'

/** Files that are looked into at most; more than a person keeps apart. */
const MAX_FILES = 1000
/** The path of a file in an address. */
export const pathOf = (file: string): string => `/${file.split('/').map(encodeURIComponent).join('/')}`

/** Whether a file that cannot be rendered is not meant to be; a root with one of its two sizes is. */
const isOther = ({ code, facts }: VidError, html: string): boolean => {
  if (code !== 'VID_COMPOSITION_NO_SIZE') return NO_COMPOSITION.has(code)
  const { width, height } = extractCompositionMetadata(html)
  return width === null && height === null && facts.value === null
}

/** Reads one composition of a project; `origin` is that of the compositions. */
export const readCompositionEntry = async (
  dir: string,
  entry: string,
  origin: string,
  options: ReadOptions & { readonly signal: AbortSignal },
): Promise<CompositionEntry & { readonly isOther: boolean }> => {
  const src = `${origin}${pathOf(entry)}`
  let text = ''
  try {
    const { html, file } = await readEntryText(dir, entry, options)
    text = html
    const { id, width, height, duration } = parseComposition(html, { file })
    return { entry, id, width, height, duration, src, isOther: false }
  } catch (thrown) {
    options.signal.throwIfAborted()
    rethrowMachineFault(thrown)
    if (!isVidError(thrown)) throw thrown
    const nothing = { width: null, height: null, duration: null }
    return { entry, id: entry, ...nothing, src, error: thrown.toJSON(), isOther: isOther(thrown, text) }
  }
}

const FIRST = 'index.html'

/** The compositions of a project, `index.html` first; a mistake in one is reported with it. */
export interface CompositionList {
  readonly compositions: readonly CompositionEntry[]
  /** HTML files that are not looked into, because there are so many. */
  readonly unlisted: number
}

type ReadEntry = Awaited<ReturnType<typeof readCompositionEntry>>

/** Tells a file from the same one after a change, also of its rights. */
const markOf = async (path: string): Promise<string> => {
  const facts = await stat(path).catch(rethrowMachineFault)
  return facts ? `${fileMark(facts)}-${facts.ctimeMs}` : ''
}

/** Lists the compositions of a project again and again: a file that stays as it is is read once. */
export const createCompositionList = (projectDir: string) => {
  let entries = new Map<string, { readonly mark: string; readonly read: ReadEntry }>()
  return async (origin: string, signal: AbortSignal): Promise<CompositionList> => {
    const dir = await findProject(projectDir)
    const all = await listFiles(dir, /\.html?$/i)
    const files = [...all].sort((a, b) => Number(b === FIRST) - Number(a === FIRST)).slice(0, MAX_FILES)
    const results = await Promise.all(
      files.map(async (file) => {
        const mark = await markOf(join(dir, file))
        const before = entries.get(file)
        if (before && before.mark === mark) return [file, before] as const
        return [file, { mark, read: await readCompositionEntry(dir, file, origin, { signal }) }] as const
      }),
    )
    entries = new Map(results)
    const compositions = results
      .map(([, { read }]) => read)
      .filter((composition) => !composition.isOther || composition.entry === FIRST)
      .sort((a, b) => Number(b.entry === FIRST) - Number(a.entry === FIRST) || (a.entry < b.entry ? -1 : 1))
      .map(({ isOther: _, ...composition }) => ({ ...composition, src: `${origin}${pathOf(composition.entry)}` }))
    return { compositions, unlisted: all.length - files.length }
  }
}
