import { expect, test } from 'vitest'
import { transcriptKinds } from '../fixtures/transcripts.ts'
import { readCaptions } from '../index.ts'

const bare = (text: string) => text.replace(/\s+/g, '')

/** All that is said in a file, without its spaces. */
const saidIn = (json: unknown): string =>
  bare(
    readCaptions({ file: 'talk.json', text: JSON.stringify(json) })
      .captions.cues.map(({ text }) => text)
      .join(' '),
  )

/** A talk with numbers, as long as a cue or longer. */
const talkOf = (sentences: number) => {
  const text = Array.from(
    { length: sentences },
    (_, index) => `In ${2014 + index} the company earned £13.${60 + index} per share, a rise of 31%.`,
  ).join(' ')
  const words = text
    .split(' ')
    .map((word, index) => ({ text: word, start: (index * 4) / 10, end: (index * 4 + 3) / 10 }))
  return { script: 'Latin', language: 'en', text, words }
}

const TALKS = [1, 2, 12].flatMap((count) =>
  transcriptKinds.map((kind) => [kind.name, count, { kind, talk: talkOf(count) }] as const),
)

test.each(TALKS)('nothing is lost of a transcript of %s with %i sentences', (...row) => {
  const { kind, talk } = row[2]
  expect(saidIn(kind.write(talk))).toBe(bare(talk.text))
})

type Word = { word: string; start?: number; end?: number; speaker?: string }

const isNumber = (text: string) => /\d/.test(text)

/** What WhisperX writes: numbers have no time, and no speaker. */
const whisperX = (sentences: number, speakersOf: (index: number) => string | undefined) => {
  const { text, words } = talkOf(sentences)
  const listed = words.map(({ text: word, start, end }, index): Word => {
    const speaker = speakersOf(index)
    return isNumber(word) ? { word } : { word, start, end, ...(speaker !== undefined && { speaker }) }
  })
  return { text, segments: [{ start: 0, end: words.length * 0.4, text: ` ${text}`, words: listed }] }
}

test.each([
  ['in a short segment', 1, () => undefined],
  ['in a long segment', 6, () => undefined],
  ['where the speaker changes', 2, (index: number) => (index < 9 ? 'A' : 'B')],
  ['where each word has another speaker', 3, (index: number) => `${index % 2}`],
] as const)(
  'words without a time are kept %s, with a time between their neighbours',
  (_where, sentences, speakersOf) => {
    const { text, segments } = whisperX(sentences, speakersOf)
    expect(saidIn({ segments })).toBe(bare(text))
    const { cues } = readCaptions({ file: 'talk.json', text: JSON.stringify({ segments }) }).captions
    const words = cues.flatMap((cue) => cue.words ?? [])
    expect(words.map((word) => word.text).join(' ')).toBe(text)
    for (const [index, word] of words.entries()) {
      expect(word.end, word.text).toBeGreaterThan(word.start)
      expect(word.start, word.text).toBeGreaterThanOrEqual(words[index - 1]?.end ?? 0)
      if (isNumber(word.text)) expect(word.start).toBeCloseTo(words[index - 1]?.end ?? 0, 3)
    }
  },
)

test.each([
  ['only words without a time', [{ word: '2014' }, { word: '2015' }]],
  ['a first and a last one', [{ word: '2014' }, { word: 'was', start: 1, end: 1.2 }, { word: '31%' }]],
  [
    'no room between neighbours',
    [{ word: 'In', start: 0, end: 2 }, { word: '4,500' }, { word: 'cases', start: 2, end: 3 }],
  ],
  ['words beside a text that has more', [{ word: 'rise', start: 1, end: 2 }]],
  [
    'words that the text writes in another way',
    [
      { word: 'thirteen', start: 1, end: 2 },
      { word: 'pounds', start: 2, end: 3 },
    ],
  ],
])('%s', (_what, words) => {
  for (const long of [
    '',
    ' and it went on with a rise for so long that no cue of two lines could hold it all in any way.',
  ]) {
    const text = `${words.map(({ word }) => word).join(' ')} (£13) of all things${long}`
    expect(saidIn({ segments: [{ start: 0, end: 4, text, words }] })).toBe(bare(text))
  }
})

test('words alone without times of their own keep their text', () => {
  const words = [
    { word: 'In', start: 1, end: 1.5 },
    { word: '2014' },
    { word: 'it', start: 2, end: 2.5 },
    { word: '31%' },
  ]
  expect(saidIn({ words })).toBe('In2014it31%')
})

test('marks and numbers of scripts without spaces stay where they are', () => {
  const text = `在2014年，公司赚了13.60英镑。${'因此，股东们很高兴。'.repeat(12)}`
  const words = [...'在年公司赚了英镑'].map((word, index) => ({ word, start: index, end: index + 0.5 }))
  expect(saidIn({ segments: [{ start: 0, end: 20, text, words }] })).toBe(text)
})

test.each([
  ['Deepgram', { results: { channels: [{ alternatives: [{ transcript: 'All of it', words: [] }] }] } }],
  ['AssemblyAI', { text: 'All of it', words: [], utterances: null }],
])('a text of %s without times is refused rather than lost', (_name, json) => {
  expect(() => saidIn(json)).toThrow('no words with times')
})
