import type { Element } from '@vid/core/source-model'
import { clipsOf, followedClip, type SourceClip } from '../source/clips.ts'
import { isElementWithin } from '../source/locate.ts'

/** The clips that take a clip along when they move: those around it, the one that it starts after, and theirs. */
const carriersOf = (clip: SourceClip, clips: readonly SourceClip[]): ReadonlySet<Element> => {
  const carriers = new Set<Element>()
  const visit = (carried: SourceClip) => {
    const followed = followedClip(carried.clip, carried.scope.clips)
    for (const other of clips) {
      const isAround = other.element !== carried.element && isElementWithin(carried, other)
      if (carriers.has(other.element) || (other.clip !== followed && !isAround)) continue
      carriers.add(other.element)
      visit(other)
    }
  }
  visit(clip)
  return carriers
}

/** Clips in an order in which those that take others along come before these. */
export const carriersFirst = (clips: readonly SourceClip[]): readonly SourceClip[] => {
  const siblings = new Map<Element, readonly SourceClip[]>()
  const counts = new Map<SourceClip, number>()
  const moved = new Set(clips.map(({ element }) => element))
  for (const clip of clips) {
    const { holder } = clip.scope
    const others = siblings.get(holder) ?? clipsOf(clip.scope)
    siblings.set(holder, others)
    counts.set(clip, [...carriersOf(clip, others)].filter((element) => moved.has(element)).length)
  }
  return clips.toSorted((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0))
}
