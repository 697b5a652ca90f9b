import { findProject, parseComposition, type ReadOptions, readClipTree, readEntryText, type TreeClip } from '@vid/core'
import { readSource } from '@vid/ffmpeg'
import { isSourceAddress } from '@vid/kernel'
import { isMachineFault } from '@vid/protocol'
import type { CompositionReply, SourceMedia } from '../api.ts'
import { readCompositionEntry } from './compositions.ts'
import type { PreviewFiles } from './project-files.ts'
import type { ProjectSettings } from './settings.ts'

const sourcesOf = (clips: readonly TreeClip[]): string[] =>
  clips.flatMap(({ src, tag, clips: inner }) => [...(src !== null && tag !== 'img' ? [src] : []), ...sourcesOf(inner)])

/** Probes one source; undefined where it is no media or cannot be read, which is reported separately. */
const probe = async (src: string, files: PreviewFiles, signal: AbortSignal): Promise<SourceMedia | undefined> => {
  try {
    const file = await files.source(src)
    if (file === undefined) return undefined
    const { duration, picture, sound } = await readSource(file, { signal })
    const display = picture && {
      width: picture.width,
      height: picture.height,
      codec: picture.codec,
      fps: picture.fps,
    }
    return { src, duration, picture: display, sound }
  } catch (thrown) {
    signal.throwIfAborted()
    if (isMachineFault(thrown)) throw thrown
    return undefined
  }
}

/** Everything that the text of a composition says. */
export const describeComposition = async (
  files: PreviewFiles,
  entry: string,
  {
    settings,
    origin,
    revision,
    signal,
    textOf,
  }: {
    readonly settings: ProjectSettings
    readonly origin: string
    readonly revision: number
    readonly signal: AbortSignal
    /** Texts as they are staged. */
    readonly textOf: ReadOptions['textOf']
  },
): Promise<CompositionReply> => {
  const dir = await findProject(files.dir)
  const { isOther: _, ...source } = await readCompositionEntry(dir, entry, origin, { signal, textOf })
  const facts = { ...source, revision, fps: settings.fps, values: settings.values }
  if (source.error) return { ...facts, variables: [], clips: [], media: [] }
  const text = await readEntryText(dir, entry, { signal, textOf })
  const { declarations } = parseComposition(text.html, text)
  const clips = await readClipTree(dir, text, { signal, textOf })
  // Of an address, nothing is fetched before the page asks for it.
  const sources = [...new Set(sourcesOf(clips))].filter((src) => !isSourceAddress(src))
  const media = await Promise.all(sources.map((src) => probe(src, files, signal)))
  return { ...facts, variables: declarations, clips, media: media.filter((medium) => medium !== undefined) }
}
