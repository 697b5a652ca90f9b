import { attributeOf, labelOf } from '@vid/core/source-model'
import { fail } from '../errors.ts'
import { isPlayed } from '../plan/trim.ts'
import { type ClipScope, clipOf, clipsOf, type SourceClip, scopesIn } from '../source/clips.ts'
import type { Sources } from '../source/sources.ts'
import { keyedClips } from './windows.ts'

/** The clips of the entry that hold a composition. */
const hostsOf = ({ project, entry, htmlFile }: Sources, { file, holder, isRoot }: ClipScope): readonly SourceClip[] => {
  const page = htmlFile(entry)
  if (!page) return []
  const elements = isRoot
    ? project.hosts.filter((host) => host.file === file.file && host.from === entry).map(({ element }) => element)
    : file.file === entry
      ? [holder]
      : []
  return elements.flatMap((element) => clipOf(page, element) ?? [])
}

/**
 * Whether a video or a sound of an embedded composition is timed in seconds of the whole: its time as it is written then
 * overlaps the window of its host. The page decides it in the same way.
 */
const isGlobal = ({ start, end, clip }: SourceClip, hosts: readonly SourceClip[]): boolean =>
  start !== null &&
  /^[\d.+-]/.test(clip.start) &&
  hosts.some(
    (host) =>
      host.start !== null &&
      host.start > 0 &&
      start < (host.end ?? Number.POSITIVE_INFINITY) &&
      (end ?? Number.POSITIVE_INFINITY) > host.start,
  )

/** A video or a sound, and whether it is timed in seconds of the whole. */
interface TimedMedia {
  readonly clip: SourceClip
  readonly isGlobal: boolean
}

const globalMedia = (sources: Sources): ReadonlyMap<string, TimedMedia> => {
  const clips = sources.project.files.flatMap((file) =>
    scopesIn(file).flatMap((scope) => {
      const hosts = hostsOf(sources, scope)
      return clipsOf(scope)
        .filter(({ element }) => isPlayed(element))
        .map((clip) => ({ clip, isGlobal: isGlobal(clip, hosts) }))
    }),
  )
  return new Map(
    [...keyedClips(clips.map(({ clip }) => clip))].map(([key, clip], index) => [
      key,
      { clip, isGlobal: clips[index]?.isGlobal ?? false },
    ]),
  )
}

const isCopyOf = ({ file, element }: SourceClip, original: SourceClip): boolean =>
  file.file === original.file.file && attributeOf(element, 'src') === attributeOf(original.element, 'src')

/** How a clip was timed, or for a new one those that it may be a copy of; any other is timed in its own composition. */
const timingsBefore = (old: ReadonlyMap<string, TimedMedia>, key: string, clip: SourceClip): readonly boolean[] => {
  const same = old.get(key)
  const originals = same ? [same] : [...old.values()].filter((media) => isCopyOf(clip, media.clip))
  return originals.length > 0 ? originals.map(({ isGlobal }) => isGlobal) : [false]
}

/** Refuses an edit after which the time of media in an embedded composition would be counted from another beginning. */
export const requireSameMediaTime = (before: Sources, after: Sources): void => {
  const old = globalMedia(before)
  for (const [key, { clip, isGlobal: isNow }] of globalMedia(after)) {
    if (timingsBefore(old, key, clip).includes(isNow)) continue
    throw fail('VID_EDIT_REFUSED', {
      what: `The edit of ${clip.file.file}`,
      reason: `the start "${clip.clip.start}" of ${labelOf(clip.element)} would be read as seconds of ${isNow ? 'the whole video' : 'its own composition'}, and not of ${isNow ? 'its own composition' : 'the whole video'}`,
      advice:
        'Choose a time at which the media, counted from the start of the video, overlaps its host as it did before, or does not as before.',
    })
  }
}
