import type { SoundBeats } from './beats-schema.ts'
import { findBeatLength, smooth } from './find-tempo.ts'
import { secondsAt } from './onset-strength.ts'

/** How much an uneven beat costs, against the strength of what begins at it. */
const EVENNESS = 15

/** The position of the highest of some values. */
const highestOf = (values: Float64Array, from: number, end: number): number => {
  let highest = from
  for (let index = from; index < end; index++) if ((values[index] ?? 0) > (values[highest] ?? 0)) highest = index
  return highest
}

/** The best chain of beats by dynamic programming (D. Ellis, 2007): strong onsets at even distances. */
const chainBeats = (strength: Float64Array, length: number): number[] => {
  const nearest = Math.round(length / 2)
  const farthest = Math.round(length * 2)
  const costs = Float64Array.from(
    { length: farthest + 1 },
    (_, distance) => -EVENNESS * Math.log(Math.max(1, distance) / length) ** 2,
  )
  const scores = new Float64Array(strength.length)
  const links = new Int32Array(strength.length).fill(-1)
  for (let index = 0; index < strength.length; index++) {
    let best = 0
    for (let distance = nearest; distance <= Math.min(farthest, index); distance++) {
      const score = (scores[index - distance] ?? 0) + (costs[distance] ?? 0)
      if (score <= best) continue
      best = score
      links[index] = index - distance
    }
    scores[index] = best + (strength[index] ?? 0)
  }
  const beats: number[] = []
  const last = highestOf(scores, Math.max(0, scores.length - Math.round(length)), scores.length)
  for (let index = last; index >= 0; index = links[index] ?? -1) beats.unshift(index)
  return beats
}

/** Fewest beats at which something is heard to begin that are a rhythm. */
const MIN_STRONG = 4

/** The beats from the first to the last at which something begins; none where that is no rhythm. */
const heardBeats = (beats: readonly number[], strength: Float64Array): readonly number[] => {
  const strengths = beats.map((beat) => strength[beat] ?? 0)
  const usual = Math.sqrt(strengths.reduce((sum, value) => sum + value * value, 0) / Math.max(1, beats.length))
  const isStrong = (value: number) => value > usual / 4
  if (strengths.filter(isStrong).length < MIN_STRONG) return []
  return beats.slice(strengths.findIndex(isStrong), strengths.findLastIndex(isStrong) + 1)
}

/** The place of a peak between the values around it, by a parabola through them. */
const peakNear = (values: Float64Array, index: number): number => {
  const [before, at, after] = [-1, 0, 1].map((step) => values[index + step] ?? 0) as [number, number, number]
  const bend = before - 2 * at + after
  return bend < 0 ? index + Math.max(-0.5, Math.min(0.5, (before - after) / (2 * bend))) : index
}

/** Seconds from beat to beat, by the line that fits all of them best. */
const meanDistance = (beats: readonly number[]): number => {
  const middle = (beats.length - 1) / 2
  const sum = beats.reduce((whole, beat, index) => whole + (index - middle) * beat, 0)
  return sum / beats.reduce((whole, _, index) => whole + (index - middle) ** 2, 0)
}

/** Finds the beats of a sound from the strength of its onsets. */
export const trackBeats = (strength: Float64Array): Pick<SoundBeats, 'tempo' | 'beats'> => {
  const length = findBeatLength(strength)
  if (length === null) return { tempo: null, beats: [] }
  const local = smooth(strength, length / 32)
  const places = heardBeats(chainBeats(local, length), local)
  if (places.length === 0) return { tempo: null, beats: [] }
  const beats = places.map((place) => secondsAt(peakNear(local, place)))
  return {
    tempo: Math.round(6000 / meanDistance(beats)) / 100,
    beats: beats.map((beat) => Math.round(beat * 1000) / 1000),
  }
}
