import { RATE } from './wav.mjs'

const BEFORE = 0.5
const BETWEEN = 0.38
const AFTER = 1

/** How long a word takes to say, compared with others: its characters, and a pause after a comma. */
const weightOf = (word) => word.replace(/\W/g, '').length + 1.6 + (/[,.]$/.test(word) ? 1.2 : 0)

const round = (seconds) => Math.round(seconds * 100) / 100

/** The first and last sample of a phrase that can be heard. */
const heard = (samples) => {
  const isLoud = (sample) => Math.abs(sample) > 0.02
  return [samples.findIndex(isLoud), samples.findLastIndex(isLoud)]
}

/** Joins spoken phrases with pauses, and says when each word begins and ends and how loud each tenth of a second is. */
export const timeWords = (spoken) => {
  const length = spoken.reduce((sum, { samples }) => sum + samples.length / RATE + BETWEEN, BEFORE + AFTER - BETWEEN)
  const duration = Math.ceil(length * 30) / 30
  const joined = new Float32Array(Math.round(duration * RATE))
  let time = BEFORE
  const phrases = spoken.map(({ text, samples }) => {
    joined.set(samples, Math.round(time * RATE))
    const [first, last] = heard(samples)
    const words = text.split(' ')
    const sum = words.reduce((total, word) => total + weightOf(word), 0)
    let position = time + first / RATE
    const timed = words.map((word) => {
      const from = position
      position += ((last - first) / RATE) * (weightOf(word) / sum)
      return [word, round(from), round(position)]
    })
    time += samples.length / RATE + BETWEEN
    return timed
  })
  const tenth = RATE / 10
  const levels = Array.from({ length: Math.ceil(duration * 10) }, (_, n) => {
    const part = joined.subarray(n * tenth, (n + 1) * tenth)
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length)
  })
  const loudest = Math.max(...levels)
  return {
    samples: joined,
    talk: { duration, phrases, loudness: levels.map((level) => round(level / loudest)) },
  }
}

const stamp = (seconds) => {
  const milliseconds = Math.round(seconds * 1000)
  const part = (value, digits) => String(value).padStart(digits, '0')
  return `${part(Math.floor(milliseconds / 60_000), 2)}:${part(Math.floor(milliseconds / 1000) % 60, 2)}.${part(milliseconds % 1000, 3)}`
}

/** Phrases as WebVTT: with the times of their words, or translated, with those of the whole phrase alone. */
export const toWebVtt = (phrases, translations) =>
  phrases
    .map((words, n) => {
      const [, start] = words[0]
      const [, , end] = words.at(-1)
      const spoken = words.map(([text, from], index) => (index === 0 ? text : `<${stamp(from)}>${text}`)).join(' ')
      return `${stamp(start)} --> ${stamp(end)}\n${translations?.[n] ?? spoken}\n`
    })
    .reduce((text, cue) => `${text}\n${cue}`, 'WEBVTT\n')
