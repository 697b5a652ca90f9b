import type { CompositionClip, CompositionMedia, CompositionMotion } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import type { PageOutline } from '@vid/runtime'
import type { FollowedPage } from './follow-page.ts'

type Clips = PageOutline['clips']

const flatten = (clips: Clips): Clips => clips.flatMap((clip) => [clip, ...flatten(clip.clips)])

/** A media element, with what else identifies it. */
export interface ListedMedia extends CompositionMedia {
  readonly id: string
  readonly name: string
}

/** The timed elements of a composition in the order of the page, its animations and its media. */
export interface CompositionParts {
  readonly clips: readonly CompositionClip[]
  readonly motions: readonly CompositionMotion[]
  readonly media: readonly ListedMedia[]
}

/** Reads them from the outline of a followed page and from its plan. */
export const compositionParts = ({ outline, placed }: FollowedPage, plan: RenderPlan): CompositionParts => {
  const all = [...flatten(outline.clips)].sort((one, other) => one.index - other.index)
  const places = new Map(all.map(({ index }, position) => [index, position]))
  const clips = all.map(({ name, index, start, end }) => ({
    name,
    element: placed.timed[index] ?? null,
    start,
    end: Math.min(end ?? plan.duration, plan.duration),
  }))
  const motions = outline.motions.map(({ target, kind, properties, start, end }, index) => {
    const place = placed.targets[index]
    const clip = place?.clip === null || place?.clip === undefined ? null : (places.get(place.clip) ?? null)
    return { target, kind, properties, start, end, clip, element: place?.element ?? null }
  })
  const tracks = new Map([...plan.media, ...plan.audio].map((track) => [track.id, track]))
  const media = [...tracks.values()].map((track) => {
    const { id, kind, src, start, end, mediaStart, rate, loop, source, volume, muted, volumeCurve } = track
    const clip = all.find(({ mediaId }) => mediaId === id)
    const named = placed.sources.find((each) => each.src.replace(/^\.\//, '') === src)?.element ?? null
    const element = clip ? (placed.timed[clip.index] ?? named) : named
    const name = clip ? `${clip.id} ${clip.name}` : ''
    return {
      id,
      name,
      kind,
      src,
      element,
      start,
      // In a clip that ends earlier, its sound ends with the clip.
      end: Math.min(end, track.heardUntil ?? end),
      mediaStart,
      sourceDuration: source.duration,
      rate,
      isLooped: loop,
      ...(!muted && volumeCurve === undefined && { volume }),
    }
  })
  return { clips, motions, media }
}
