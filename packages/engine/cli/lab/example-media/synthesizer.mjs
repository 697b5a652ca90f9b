// Instruments of the music of `examples/`, by formula: each returns a sample for a time in seconds since its note began.

/** Samples in a second of the music. */
export const RATE = 44_100

/** Frequency of a note, in semitones from A of 220 Hz. */
export const pitch = (semitones) => 220 * 2 ** (semitones / 12)

/** Noise that is the same each time. */
const noise = (sample) => (Math.imul(sample ^ 0x9e3779b9, 0x85ebca6b) >>> 8) / 2 ** 23 - 1

/** A hum with soft overtones that fades in and out. */
export const pad = (time, length, frequency, attack = 0.5) => {
  const envelope = Math.min(1, time / attack, (length - time) / 0.6)
  const tone = [1, 0.35, 0.16].reduce(
    (sum, gain, n) => sum + gain * Math.sin(2 * Math.PI * frequency * (n + 1) * time),
    0,
  )
  return 0.055 * Math.max(0, envelope) * tone * (1 + 0.12 * Math.sin(2 * Math.PI * 4.3 * time))
}

export const pluck = (time, frequency) =>
  0.16 *
  Math.exp(-time * 6) *
  (Math.sin(2 * Math.PI * frequency * time) + 0.4 * Math.sin(4 * Math.PI * frequency * time))

/** A bell: a tone that another one bends while it fades. */
export const bell = (time, frequency) =>
  0.13 *
  Math.min(1, time * 400) *
  Math.exp(-time * 2.4) *
  Math.sin(2 * Math.PI * frequency * time + 1.6 * Math.exp(-time * 5) * Math.sin(2 * Math.PI * 3.5 * frequency * time))

export const bass = (time, frequency) =>
  0.24 *
  Math.min(1, time * 200) *
  Math.exp(-time * 3.2) *
  (Math.sin(2 * Math.PI * frequency * time) + 0.3 * Math.sin(4 * Math.PI * frequency * time))

export const kick = (time) =>
  0.5 * Math.exp(-time * 9) * Math.sin(2 * Math.PI * (46 * time + 3.2 * (1 - Math.exp(-time * 28))))

export const hat = (time, sample) => 0.05 * Math.exp(-time * 70) * noise(sample)

export const clap = (time, sample) =>
  0.16 * noise(sample) * (Math.exp(-time * 26) + 0.5 * Math.exp(-Math.abs(time - 0.012) * 300))

/** A key of a keyboard: its contact, and the frame that it hits. */
export const key = (time, sample) =>
  0.09 * Math.exp(-time * 260) * noise(sample) + 0.08 * Math.exp(-time * 90) * Math.sin(2 * Math.PI * 190 * time)

/** Wind that rises to its middle and falls, darker at the edges. */
export const createWind = (length, level) => {
  let random = 1
  let smoothed = 0
  return (time) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    const rise = Math.sin((Math.PI * time) / length) ** 2
    smoothed += (0.02 + 0.12 * rise) * (random / 2 ** 31 - 1 - smoothed)
    return level * rise * smoothed
  }
}

/** An empty piece of music in two channels. `add` plays a note; `end` gives samples between -1 and 1. */
export const createMix = (seconds) => {
  const frames = Math.round(seconds * RATE)
  const left = new Float32Array(frames)
  const right = new Float32Array(frames)
  return {
    /** Plays from a time in seconds; `side` is -1 for the left and 1 for the right. */
    add(from, length, side, play) {
      const first = Math.round(from * RATE)
      for (let n = 0; n < length * RATE && first + n < frames; n += 1) {
        const value = play(n / RATE, first + n)
        left[first + n] += value * Math.min(1, 1 - side)
        right[first + n] += value * Math.min(1, 1 + side)
      }
    },
    end(fadeIn = 0.3, fadeOut = 1.2) {
      const fade = (n) => Math.min(1, n / (fadeIn * RATE), (frames - n) / (fadeOut * RATE))
      return [left, right].map((samples) => samples.map((value, n) => Math.tanh(value * 1.15) * fade(n)))
    },
  }
}
