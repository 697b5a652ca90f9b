// The sound of each example that has no music of its own: notes at the moments at which its picture moves.
import { bass, bell, clap, createMix, createWind, hat, key, kick, pad, pitch, pluck } from './synthesizer.mjs'

/** Holds the notes of a chord, spread from left to right. */
const hold = ({ add }, from, length, notes, attack) => {
  for (const [n, note] of notes.entries())
    add(from, length, ((2 * n) / Math.max(1, notes.length - 1) - 1) * 0.6, (time) =>
      pad(time, length, pitch(note), attack),
    )
}

const blow = ({ add }, from, length, level) => add(from, length, 0, createWind(length, level))

const strike = ({ add }, from, note, side = 0) => add(from, 2.5, side, (time) => bell(time, pitch(note)))

const pick = ({ add }, from, note, side = 0) => add(from, 1, side, (time) => pluck(time, pitch(note)))

const beat = ({ add }, from) => add(from, 0.6, 0, kick)

const low = ({ add }, from, note) => add(from, 1.2, 0, (time) => bass(time, pitch(note)))

/** Dawn over hills: wind, a chord that opens, and a bell for each part of the title. */
const title = () => {
  const mix = createMix(6)
  blow(mix, 0, 6, 0.18)
  hold(mix, 0, 6, [-19, -7, 0, 5], 2.5)
  hold(mix, 1.2, 4.8, [9, 12], 1.5)
  for (const [n, note] of [5, 9, 12, 17].entries()) strike(mix, 0.85 + n * 0.36, note + 12, n % 2 ? 0.4 : -0.4)
  return mix.end(0.4, 1.6)
}

/** Twelve bars that grow one after the other, as high as they are, and the highest one's bell. */
const dataChart = () => {
  const mix = createMix(6)
  const scale = [0, 2, 4, 7, 9, 12, 14, 16]
  const heights = [0, 1, 2, 3, 5, 6, 7, 6, 4, 2, 1, 0]
  hold(mix, 0.2, 5.6, [-17, -5, 0, 4], 0.9)
  for (const [n, height] of heights.entries()) pick(mix, 0.85 + n * 0.09, scale[height] + 3, n / 6 - 1)
  for (const [n, note] of [-17, -17, -10, -12].entries()) low(mix, 0.8 + n * 1.2, note)
  strike(mix, 3, 19)
  return mix.end(0.1, 1.2)
}

/** Slow chords, and a broken one under the words. */
const quotes = () => {
  const mix = createMix(8)
  const chords = [
    [-12, 3, 7, 10],
    [-16, -4, 3, 8],
  ]
  for (const [n, chord] of chords.entries()) {
    hold(mix, n * 4, 4, chord, 0.9)
    for (let step = 0; step < 8; step += 1)
      if (n > 0 || step > 0) pick(mix, n * 4 + step / 2, chord[[1, 2, 3, 2][step % 4]] + 12, step % 2 ? 0.3 : -0.3)
  }
  strike(mix, 0.4, 15)
  return mix.end(0.3, 1.6)
}

/** Shapes that pop up, then a dance of 120 beats a minute for their turns. */
const socialPost = () => {
  const mix = createMix(6)
  const { add } = mix
  for (const [n, note] of [0, 3, 7, 10, 12, 15].entries()) pick(mix, 0.1 + n * 0.07, note + 12, n / 3 - 0.8)
  for (let step = 0; step < 22; step += 1) {
    const time = 0.5 + step / 4
    if (step % 2 === 0) beat(mix, time)
    if (step % 4 === 2) add(time, 0.2, 0.1, clap)
    add(time + 0.125, 0.1, 0.3, hat)
    low(mix, time, [-21, -21, -14, -17][Math.floor(step / 4) % 4])
    if (step % 8 === 0) hold(mix, time, 1.9, [-9, -5, 0, 3], 0.05)
  }
  return mix.end(0.02, 0.8)
}

/** A city at night: waves that come every three seconds. */
const threeD = () => {
  const mix = createMix(6)
  hold(mix, 0, 6, [-22, -10, -3, 0, 5], 1.4)
  for (const [n, note] of [-22, -27].entries()) {
    low(mix, 0.2 + n * 3, note)
    blow(mix, n * 3, 3, 0.12)
    for (let step = 0; step < 4; step += 1)
      strike(mix, 0.6 + n * 3 + step * 0.45, [12, 17, 21, 24][step], step / 2 - 0.8)
  }
  return mix.end(0.3, 1.4)
}

/** Keys for the characters as they are typed, a note for the marked line and a bell for the result. */
const codeWalk = () => {
  const mix = createMix(9)
  hold(mix, 0, 9, [-21, -9, -2, 3], 1.2)
  for (let n = 0, time = 0.9; time < 5.6; n += 1) {
    mix.add(time, 0.08, ((n * 7) % 5) / 10 - 0.2, key)
    time += 0.07 + ((n * 13) % 7) * 0.012
  }
  for (const [n, note] of [3, 7, 10].entries()) pick(mix, 6 + n * 0.08, note + 12)
  low(mix, 7, -21)
  for (const note of [10, 15, 22]) strike(mix, 7.05, note, note / 30 - 0.5)
  return mix.end(0.2, 1.2)
}

/** Letters that rise, a curtain, and a command that is typed. */
const hello = () => {
  const mix = createMix(6)
  hold(mix, 0, 3.9, [-21, -9, 0, 3, 7], 0.4)
  for (let n = 0; n < 13; n += 1) pick(mix, 0.2 + n * 0.035, [3, 7, 10, 12, 15][n % 5] + 12, n / 6.5 - 1)
  for (let n = 0; n < 6; n += 1) beat(mix, 0.75 + n * 0.5)
  blow(mix, 3.3, 1.1, 0.5)
  low(mix, 4.15, -16)
  hold(mix, 4.1, 1.9, [-16, -4, 0, 3, 8], 0.05)
  for (let n = 0; n < 22; n += 1) mix.add(4.6 + n * 0.036, 0.06, 0, key)
  for (const note of [12, 20]) strike(mix, 5.42, note)
  return mix.end(0.05, 0.6)
}

/** A hit for each of six words, and a chord for the last one. */
const kineticType = () => {
  const mix = createMix(6)
  const word = 4.6 / 6
  for (let n = 0; n < 6; n += 1) {
    const time = n * word
    beat(mix, time)
    low(mix, time, [-21, -21, -17, -14, -17, -9][n])
    hold(
      mix,
      time,
      n < 5 ? word : 2.1,
      [-9, -2, 3].map((note) => note + [0, 0, 3, 5, 3, 0][n]),
      0.02,
    )
    for (let step = 1; step < 4; step += 1) mix.add(time + (step * word) / 4, 0.1, 0.3, hat)
    if (n % 2 === 1) mix.add(time, 0.2, 0, clap)
  }
  for (const note of [15, 22, 27]) strike(mix, 5 * word, note, note / 30 - 0.7)
  return mix.end(0.01, 1)
}

/** 100 beats a minute, so that each of four scenes of 2.4 seconds is a bar; a run of notes while a number counts. */
const yearInNumbers = () => {
  const mix = createMix(10)
  const chords = [
    [-21, -9, -2, 3],
    [-17, -5, -2, 7],
    [-14, -2, 3, 10],
    [-16, -4, 3, 8],
  ]
  for (const [bar, chord] of chords.entries()) {
    const start = bar * 2.4
    hold(mix, start, bar < 3 ? 2.6 : 2.8, chord, 0.1)
    low(mix, start, chord[0])
    for (let step = 0; step < 4; step += 1) {
      beat(mix, start + step * 0.6)
      mix.add(start + step * 0.6 + 0.3, 0.1, 0.3, hat)
      if (step % 2 === 1) mix.add(start + step * 0.6, 0.2, 0, clap)
    }
    if (bar > 0)
      for (let n = 0; n < 8; n += 1)
        pick(mix, start + 0.1 + n * 0.15, chord[1 + (n % 3)] + 12 + 12 * Math.floor(n / 6), n / 4 - 1)
  }
  for (const note of [8, 15, 20]) strike(mix, 8.6, note)
  return mix.end(0.02, 1.4)
}

/** Broken chords for a voice to speak over: nothing low, nothing sudden. */
const captions = () => {
  const mix = createMix(18.8)
  const chords = [
    [-7, 5, 9, 12],
    [-10, 2, 5, 9],
    [-5, 4, 9, 12],
    [-12, 0, 4, 7],
  ]
  for (let bar = 0; bar < 8; bar += 1) {
    const chord = chords[bar % 4]
    hold(mix, bar * 2.4, 2.4, chord, 0.7)
    for (let step = 0; step < 6; step += 1)
      pick(mix, bar * 2.4 + step * 0.4, chord[[1, 2, 3, 2, 3, 1][step]] + 12, step % 2 ? 0.35 : -0.35)
  }
  return mix.end()
}

/** Two channels of samples between -1 and 1 for each example. */
export const scores = {
  captions,
  'code-walk': codeWalk,
  'data-chart': dataChart,
  hello,
  'kinetic-type': kineticType,
  quotes,
  'social-post': socialPost,
  'three-d': threeD,
  title,
  'year-in-numbers': yearInNumbers,
}
