import { createMix, hat, kick, pad, pitch, pluck } from './synthesizer.mjs'

const BEAT = 60 / 100

/** Chords of the piece, a bar of four beats each, in semitones from A of 220 Hz. */
const CHORDS = [
  [-12, 0, 3, 7, 10],
  [-16, -4, 3, 8, 12],
  [-9, 3, 7, 10, 15],
  [-14, -2, 2, 5, 10],
]

/** A short piece of music: two channels of samples between -1 and 1. */
export const makeMusic = (seconds) => {
  const { add, end } = createMix(seconds)
  for (let bar = 0; bar * 4 * BEAT < seconds; bar += 1) {
    const chord = CHORDS[bar % CHORDS.length]
    const start = bar * 4 * BEAT
    for (const [n, note] of chord.entries())
      add(start, 4 * BEAT, (n - 2) * 0.3, (time) => pad(time, 4 * BEAT, pitch(note)))
    for (let step = 0; step < 8; step += 1) {
      const time = start + (step * BEAT) / 2
      const note = chord[[1, 3, 2, 4, 3, 2, 4, 3][step]] + 12
      if (bar > 0) add(time, 1, step % 2 ? 0.45 : -0.45, (time) => pluck(time, pitch(note)))
      if (bar > 0 && step % 2 === 0) add(time, 0.5, 0, kick)
      if (bar > 1) add(time + BEAT / 4, 0.1, 0.2, hat)
    }
  }
  return end()
}
