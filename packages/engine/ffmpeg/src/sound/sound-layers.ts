import { type SampleRange, type SoundTrack, samplesOf } from './sound-track.ts'

/** Most tracks that are decoded at once: each is a process. */
export const MAX_OPEN_TRACKS = 8

/** Most tracks that overlap at any time of a range. */
const overlapOf = (tracks: readonly SoundTrack[], range: SampleRange): number => {
  const changes = tracks.flatMap((track) => {
    const { first, end } = samplesOf(track, range)
    return [
      { sample: first, change: 1 },
      { sample: end, change: -1 },
    ]
  })
  changes.sort((one, two) => one.sample - two.sample || one.change - two.change)
  let open = 0
  let most = 0
  for (const { change } of changes) {
    open += change
    most = Math.max(most, open)
  }
  return most
}

/**
 * Divides tracks, without changing their order, into layers that are mixed one after the other: not too many tracks
 * of one overlap.
 */
export const layersOf = (
  tracks: readonly SoundTrack[],
  range: SampleRange,
  maxOpen = MAX_OPEN_TRACKS,
): SoundTrack[][] => {
  const layers: SoundTrack[][] = []
  let layer: SoundTrack[] = []
  for (const track of tracks) {
    if (overlapOf([...layer, track], range) > maxOpen) {
      layers.push(layer)
      layer = []
    }
    layer.push(track)
  }
  return [...layers, layer]
}
