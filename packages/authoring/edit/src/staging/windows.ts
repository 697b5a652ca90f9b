import { labelOf, lineOf } from '@vid/core/source-model'
import type { EditReceipt } from '../events.ts'
import { clipsOf, type SourceClip, scopesIn } from '../source/clips.ts'
import type { Sources } from '../source/sources.ts'

type WindowChange = EditReceipt['windows'][number]

const clipsIn = ({ project }: Sources): readonly SourceClip[] =>
  project.files.flatMap((file) => scopesIn(file).flatMap((scope) => clipsOf(scope)))

/** Names clips by their labels, in their order among alike ones of a file. */
export const keyedClips = (clips: readonly SourceClip[]): ReadonlyMap<string, SourceClip> => {
  const counts = new Map<string, number>()
  return new Map(
    clips.map((clip) => {
      const name = `${clip.file.file} ${labelOf(clip.element)}`
      const number = (counts.get(name) ?? 0) + 1
      counts.set(name, number)
      return [`${name} ${number}`, clip]
    }),
  )
}

const windowOf = (clip: SourceClip | undefined) => (clip ? { start: clip.start, end: clip.end } : null)

const isSame = (one: WindowChange['before'], other: WindowChange['before']) =>
  JSON.stringify(one) === JSON.stringify(other)

/** The clips that come, go, or have another time. */
export const windowChanges = (before: Sources, after: Sources): readonly WindowChange[] => {
  const old = keyedClips(clipsIn(before))
  const now = keyedClips(clipsIn(after))
  const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((key): WindowChange[] => {
    const clip = now.get(key) ?? old.get(key)
    const change = { before: windowOf(old.get(key)), after: windowOf(now.get(key)) }
    if (!clip || isSame(change.before, change.after)) return []
    return [{ element: labelOf(clip.element), file: clip.file.file, line: lineOf(clip.element), ...change }]
  })
  // A clip with another label, such as one with another source, neither came nor went.
  return changes.filter(
    (change) =>
      !changes.some(
        (other) =>
          other !== change &&
          (change.before === null ? other.after === null : change.after === null && other.before === null) &&
          isSame(change.before ?? change.after, other.before ?? other.after),
      ),
  )
}
