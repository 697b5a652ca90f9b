const RATE = 44_100
const BEAT = 60 / 100

/** Chords of the piece, a bar of four beats each, in semitones from A of 220 Hz. */
const CHORDS = [
  [-12, 0, 3, 7, 10],
  [-16, -4, 3, 8, 12],
  [-9, 3, 7, 10, 15],
  [-14, -2, 2, 5, 10],
]

const pitch = (semitones) => 220 * 2 ** (semitones / 12)

/** A hum with soft overtones that fades in and out. */
const pad = (time, length, frequency) => {
  const envelope = Math.min(1, time / 0.5, (length - time) / 0.6)
  const tone = [1, 0.35, 0.16].reduce(
    (sum, gain, n) => sum + gain * Math.sin(2 * Math.PI * frequency * (n + 1) * time),
    0,
  )
  return 0.055 * Math.max(0, envelope) * tone * (1 + 0.12 * Math.sin(2 * Math.PI * 4.3 * time))
}

const pluck = (time, frequency) =>
  0.16 *
  Math.exp(-time * 6) *
  (Math.sin(2 * Math.PI * frequency * time) + 0.4 * Math.sin(4 * Math.PI * frequency * time))

const kick = (time) =>
  0.5 * Math.exp(-time * 9) * Math.sin(2 * Math.PI * (46 * time + 3.2 * (1 - Math.exp(-time * 28))))

/** Noise that is the same each time. */
const noise = (sample) => (Math.imul(sample ^ 0x9e3779b9, 0x85ebca6b) >>> 8) / 2 ** 23 - 1

const hat = (time, sample) => 0.05 * Math.exp(-time * 70) * noise(sample)

/** A short piece of music: two channels of samples between -1 and 1. */
export const makeMusic = (seconds) => {
  const frames = Math.round(seconds * RATE)
  const left = new Float32Array(frames)
  const right = new Float32Array(frames)
  const add = (from, length, side, play) => {
    const first = Math.round(from * RATE)
    for (let n = 0; n < length * RATE && first + n < frames; n += 1) {
      const value = play(n / RATE, first + n)
      left[first + n] += value * Math.min(1, 1 - side)
      right[first + n] += value * Math.min(1, 1 + side)
    }
  }
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
  const fade = (n) => Math.min(1, n / (0.3 * RATE), (frames - n) / (1.2 * RATE))
  return [left, right].map((samples) => samples.map((value, n) => Math.tanh(value * 1.15) * fade(n)))
}
