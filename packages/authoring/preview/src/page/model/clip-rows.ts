import type { TreeClip } from '@vid/core'
import type { PlayerClip, PlayerMotion } from '@vid/runtime'

/** A clip as the timeline draws it. */
export interface TimelineClip {
  /** Names its place in the tree; the same after a reload that changes nothing about it. */
  readonly key: string
  readonly kind: PlayerClip['kind'] | 'animation'
  /** DOM id; empty when it has none. */
  readonly id: string
  /** Position among the timed elements of the page; -1 for an animation. */
  readonly index: number
  readonly name: string
  /** Seconds of the whole composition. */
  readonly start: number
  readonly end: number
  readonly track: number
  readonly mediaId: string | null
  /** Where it is written; null when that is not known. */
  readonly source: TreeClip | null
  readonly hasClips: boolean
}

/** Clips that are drawn beside each other. */
export interface TimelineRow {
  readonly key: string
  /** 0 for the clips of the composition itself. */
  readonly depth: number
  readonly label: string
  readonly clips: readonly TimelineClip[]
}

/** The key of a clip of the composition itself that has a DOM id. */
export const keyOfId = (id: string): string => `/${id}`

const hasName = (clip: PlayerClip, source: TreeClip): boolean =>
  clip.tag === source.tag && source.names.some((name) => name === clip.id || name === clip.name)

/** The source of each clip of one level: the one with its name, else the first of its kind that nothing else names. */
const matchSources = (
  clips: readonly PlayerClip[],
  sources: readonly TreeClip[],
): ReadonlyMap<PlayerClip, TreeClip> => {
  const byClip = new Map<PlayerClip, TreeClip>()
  const candidates = new Set(sources)
  const take = (clip: PlayerClip, source: TreeClip | undefined) => {
    if (!source) return
    byClip.set(clip, source)
    candidates.delete(source)
  }
  for (const clip of clips)
    take(
      clip,
      [...candidates].find((source) => hasName(clip, source)),
    )
  for (const clip of clips)
    if (!byClip.has(clip))
      take(
        clip,
        [...candidates].find((source) => source.tag === clip.tag && source.names.length === 0),
      )
  return byClip
}

/** Puts clips of one track that overlap into rows of their own. */
const lanesOf = (clips: readonly TimelineClip[]): readonly (readonly TimelineClip[])[] => {
  const lanes: TimelineClip[][] = []
  for (const clip of clips) {
    const lane = lanes.find((row) => (row.at(-1)?.end ?? 0) <= clip.start + 1e-6)
    if (lane) lane.push(clip)
    else lanes.push([clip])
  }
  return lanes
}

const byNumber = (a: number, b: number) => a - b

/**
 * The rows of a timeline: one for each track, more where clips of a track overlap, and those of unfolded compositions
 * below them.
 */
export const timelineRows = (
  clips: readonly PlayerClip[],
  sources: readonly TreeClip[],
  { duration, openClips }: { readonly duration: number; readonly openClips: ReadonlySet<string> },
  parent = { key: '', depth: 0 },
): readonly TimelineRow[] => {
  const sourceOf = matchSources(clips, sources)
  const keyOf = (clip: PlayerClip) => `${parent.key}/${clip.id || `${clip.tag}-${clips.indexOf(clip)}`}`
  const tracks = [...new Set(clips.map(({ track }) => track))].sort(byNumber)
  return tracks.flatMap((track) => {
    const ofTrack = clips.filter((clip) => clip.track === track).sort((a, b) => a.start - b.start)
    const bars = ofTrack.map(
      (clip): TimelineClip => ({
        key: keyOf(clip),
        kind: clip.kind,
        id: clip.id,
        index: clip.index,
        name: clip.name,
        start: clip.start,
        track: clip.track,
        mediaId: clip.mediaId,
        end: Math.max(clip.start, clip.end ?? duration),
        source: sourceOf.get(clip) ?? null,
        hasClips: clip.clips.length > 0,
      }),
    )
    return lanesOf(bars).flatMap((lane, index): readonly TimelineRow[] => {
      const [first] = lane
      const row: TimelineRow = {
        key: `${parent.key}#${track}.${index}`,
        depth: parent.depth,
        label: lane.length === 1 && first ? first.name : `Track ${track}`,
        clips: lane,
      }
      const inner = ofTrack.filter((clip) => openClips.has(keyOf(clip)) && lane.some(({ key }) => key === keyOf(clip)))
      return [
        row,
        ...inner.flatMap((clip) =>
          timelineRows(
            clip.clips,
            sourceOf.get(clip)?.clips ?? [],
            { duration, openClips },
            { key: keyOf(clip), depth: parent.depth + 1 },
          ),
        ),
      ]
    })
  })
}

/** Rows for animations: one for each element or kind of element, in which those that overlap are one bar. */
export const motionRows = (motions: readonly PlayerMotion[], duration: number): readonly TimelineRow[] =>
  [...new Set(motions.map(({ target }) => target))].map((target) => {
    const bars: TimelineClip[] = []
    for (const { name, start, end } of motions.filter((motion) => motion.target === target)) {
      const until = Math.min(end ?? duration, duration)
      const last = bars.at(-1)
      if (last && start <= last.end) bars[bars.length - 1] = { ...last, end: Math.max(last.end, until) }
      else if (start < duration)
        bars.push({
          key: `motion/${target}/${bars.length}`,
          kind: 'animation',
          id: '',
          index: -1,
          name,
          start,
          end: until,
          track: 0,
          mediaId: null,
          source: null,
          hasClips: false,
        })
    }
    return { key: `motion/${target}`, depth: 0, label: target, clips: bars }
  })
