import type { TreeClip } from '@vid/core'
import type { PlayerClip } from '@vid/runtime'
import type { CompositionTimeline } from './timeline-schema.ts'

type Clip = CompositionTimeline['clips'][number]

/** The clip of the source that a clip of the page was made of: the first of its tag and id that is left. */
const takeSource = (left: TreeClip[], { tag, id }: PlayerClip): TreeClip | undefined => {
  const fits = left.findIndex((each) => each.tag === tag && (id === '' || each.names.includes(id)))
  const index = fits < 0 ? left.findIndex((each) => each.tag === tag && each.names.length === 0) : fits
  return index < 0 ? undefined : left.splice(index, 1)[0]
}

/** Clips as the page resolves them, with their places in the source: nested ones follow theirs. */
export const mergeClips = (
  live: readonly PlayerClip[],
  source: readonly TreeClip[],
  duration: number,
  depth = 0,
): readonly Clip[] => {
  const left = [...source]
  return live.flatMap((clip) => {
    const written = takeSource(left, clip)
    const merged: Clip = {
      element: written?.element ?? `<${clip.tag}${clip.id && ` id="${clip.id}"`}>`,
      name: clip.name,
      depth,
      file: written?.file ?? null,
      line: written?.line ?? null,
      written: written?.start ?? null,
      start: clip.start,
      end: Math.min(clip.end ?? duration, duration),
      track: clip.track,
      src: written?.src ?? null,
      embeds: written?.embeds ?? null,
    }
    return [merged, ...mergeClips(clip.clips, written?.clips ?? [], duration, depth + 1)]
  })
}
