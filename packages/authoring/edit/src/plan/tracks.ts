import { attributeOf } from '@vid/core/source-model'
import { type ClipScope, clipsOf, type SourceClip } from '../source/clips.ts'

/** A time; an end of null is one that only the page knows. */
interface Window {
  readonly start: number
  readonly end: number | null
}

const EPSILON = 1e-6

const overlaps = ({ start, end }: SourceClip, window: Window) =>
  start !== null &&
  start < (window.end ?? Number.POSITIVE_INFINITY) - EPSILON &&
  (end ?? Number.POSITIVE_INFINITY) > window.start + EPSILON

/** The attribute that puts a clip on a track; undefined for one without. */
export const trackName = ({ element }: SourceClip): 'data-track-index' | 'data-layer' | undefined =>
  (['data-track-index', 'data-layer'] as const).find((attribute) => attributeOf(element, attribute) !== null)

/** The clips of a composition that are on a track. */
export const trackedClips = (scope: ClipScope): readonly SourceClip[] =>
  clipsOf(scope).filter((clip) => trackName(clip) !== undefined)

/** A track while it is free in a window, else a new one above all. */
export const freeTrack = (scope: ClipScope, track: number, window: Window): number => {
  const clips = trackedClips(scope)
  const isTaken = clips.some((clip) => clip.clip.track === track && overlaps(clip, window))
  return isTaken ? Math.max(...clips.map((clip) => clip.clip.track)) + 1 : track
}
